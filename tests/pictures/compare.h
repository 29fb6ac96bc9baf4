// Pictures as tests compare them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tests {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// An empty image where the file can't be read.
[[nodiscard]] Image read_image(const std::filesystem::path& file);

/// A part of a picture that is left out of a comparison, in pixels: half-open.
struct Mask {
  int left, top, right, bottom;
};

struct Difference {
  bool same_size = false;
  double mean = 0.0;   ///< of the absolute differences of all channels, of 255
  double share = 0.0;  ///< of pixels with a channel that is off by more than 32
  std::string in_words;
};

[[nodiscard]] Difference compare(const Image& a, const Image& b,
                                 const std::vector<Mask>& masks = {});

/// Fonts, drivers and processors differ in the last bits of an edge, not in more.
[[nodiscard]] bool alike(const Difference& difference);

}  // namespace tests

// Pictures that panels draw: heat maps and splatted bodies. The studio keeps them on the device.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ui/canvas/imgui_compat.h"

namespace ui {

struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint32_t> rgba;  ///< rows from the top; Colour's byte order
  bool smooth = false;              ///< magnified smoothly, instead of as cells with sharp edges
};

/// Rows of an image, from `first` to before `last`.
struct Rows {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

class Textures {
 public:
  Textures() = default;
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;
  virtual ~Textures() = default;

  /// The texture of that key. `paint` is called, and its image uploaded, only when `version` is not
  /// the one that the key was last asked for with.
  [[nodiscard]] virtual ImTextureID image(std::string_view key, std::uint64_t version,
                                          const std::function<Image()>& paint) = 0;
  /// The same of a picture that its owner keeps and paints on: `changed` are its rows that are
  /// others than they were in the version before.
  [[nodiscard]] virtual ImTextureID image(std::string_view key, std::uint64_t version,
                                          const Image& kept, Rows changed) = 0;
};

}  // namespace ui

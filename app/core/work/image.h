// Images as plain data: their formats, shapes, and what their texels hold. Texels lie one after the
// other, row after row, layer after layer, without a gap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// How a component's bits are a number (Vulkan specification, 1.3, section 3.10.1 "Fixed-Point Data
/// Conversions" and 3.10.2). Packed formats have components of unequal sizes in one 32-bit word.
enum class Numeric { floating, unorm, snorm, sint, uint, packed };

struct ImageFormat {
  std::string_view name;  ///< GLSL's layout qualifier, "rgba8"
  std::uint32_t components = 4;
  std::uint32_t bits = 8;  ///< a component
  Numeric numeric = Numeric::unorm;

  [[nodiscard]] std::uint32_t texel_bytes() const { return components * bits / 8; }
  /// A shader reads whole numbers.
  [[nodiscard]] bool whole() const { return numeric == Numeric::sint || numeric == Numeric::uint; }
};

/// All formats of storage images, in the order of SPIR-V's enumeration (SPIR-V specification, 3.11
/// "Image Format": Rgba32f is 1), and behind them "d32f", which depth comparisons need.
[[nodiscard]] std::span<const ImageFormat> image_formats();
/// Null when there is none of that name.
[[nodiscard]] const ImageFormat* image_format(std::string_view name);

enum class ImageDimensions { one, two, three, cube, buffer };

struct ImageShape {
  ImageDimensions dimensions = ImageDimensions::two;
  bool arrayed = false;
  std::string format;                            ///< of image_formats()
  std::array<std::uint32_t, 3> extent{1, 1, 1};  ///< texels in x, y, z; unused ones are 1
  std::uint32_t layers = 1;                      ///< a cube's faces count: six each

  [[nodiscard]] std::uint64_t texels() const {
    return std::uint64_t{extent[0]} * extent[1] * extent[2] * layers;
  }
  [[nodiscard]] std::uint64_t bytes() const;
  /// "64×64 rgba8", "16×16×16 r32f, 2 layers".
  [[nodiscard]] std::string words() const;
  bool operator==(const ImageShape&) const = default;
};

/// Texels as numbers: one 32-bit word a component, a float's bits, or a whole number where the
/// format is one of whole numbers (or packed). 64-bit components: their low word.
[[nodiscard]] std::vector<std::uint32_t> decode_texels(const ImageFormat& format,
                                                       std::span<const std::byte> texels);
/// The other way, for floats in [0, 1] or [-1, 1] of normalized formats, as they are for others.
[[nodiscard]] std::vector<std::byte> encode_texels(const ImageFormat& format,
                                                   std::span<const std::uint32_t> words);

}  // namespace core

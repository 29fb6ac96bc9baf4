#include "core/work/image.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/field.h"
#include "core/catalogue/precision.h"

namespace core {
namespace {

constexpr std::array kFormats{
    ImageFormat{"rgba32f", 4, 32, Numeric::floating},
    ImageFormat{"rgba16f", 4, 16, Numeric::floating},
    ImageFormat{"r32f", 1, 32, Numeric::floating},
    ImageFormat{"rgba8", 4, 8, Numeric::unorm},
    ImageFormat{"rgba8_snorm", 4, 8, Numeric::snorm},
    ImageFormat{"rg32f", 2, 32, Numeric::floating},
    ImageFormat{"rg16f", 2, 16, Numeric::floating},
    ImageFormat{"r11f_g11f_b10f", 1, 32, Numeric::packed},
    ImageFormat{"r16f", 1, 16, Numeric::floating},
    ImageFormat{"rgba16", 4, 16, Numeric::unorm},
    ImageFormat{"rgb10_a2", 1, 32, Numeric::packed},
    ImageFormat{"rg16", 2, 16, Numeric::unorm},
    ImageFormat{"rg8", 2, 8, Numeric::unorm},
    ImageFormat{"r16", 1, 16, Numeric::unorm},
    ImageFormat{"r8", 1, 8, Numeric::unorm},
    ImageFormat{"rgba16_snorm", 4, 16, Numeric::snorm},
    ImageFormat{"rg16_snorm", 2, 16, Numeric::snorm},
    ImageFormat{"rg8_snorm", 2, 8, Numeric::snorm},
    ImageFormat{"r16_snorm", 1, 16, Numeric::snorm},
    ImageFormat{"r8_snorm", 1, 8, Numeric::snorm},
    ImageFormat{"rgba32i", 4, 32, Numeric::sint},
    ImageFormat{"rgba16i", 4, 16, Numeric::sint},
    ImageFormat{"rgba8i", 4, 8, Numeric::sint},
    ImageFormat{"r32i", 1, 32, Numeric::sint},
    ImageFormat{"rg32i", 2, 32, Numeric::sint},
    ImageFormat{"rg16i", 2, 16, Numeric::sint},
    ImageFormat{"rg8i", 2, 8, Numeric::sint},
    ImageFormat{"r16i", 1, 16, Numeric::sint},
    ImageFormat{"r8i", 1, 8, Numeric::sint},
    ImageFormat{"rgba32ui", 4, 32, Numeric::uint},
    ImageFormat{"rgba16ui", 4, 16, Numeric::uint},
    ImageFormat{"rgba8ui", 4, 8, Numeric::uint},
    ImageFormat{"r32ui", 1, 32, Numeric::uint},
    ImageFormat{"rgb10_a2ui", 1, 32, Numeric::packed},
    ImageFormat{"rg32ui", 2, 32, Numeric::uint},
    ImageFormat{"rg16ui", 2, 16, Numeric::uint},
    ImageFormat{"rg8ui", 2, 8, Numeric::uint},
    ImageFormat{"r16ui", 1, 16, Numeric::uint},
    ImageFormat{"r8ui", 1, 8, Numeric::uint},
    ImageFormat{"r64ui", 1, 64, Numeric::uint},
    ImageFormat{"r64i", 1, 64, Numeric::sint},
    ImageFormat{"d32f", 1, 32, Numeric::floating},
};

double scale_of(const ImageFormat& format) {
  const std::uint32_t bits = format.numeric == Numeric::snorm ? format.bits - 1 : format.bits;
  return static_cast<double>((std::uint64_t{1} << bits) - 1);
}

std::uint32_t float_bits(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::int64_t extended(std::uint64_t bits, std::uint32_t width) {
  const std::uint32_t unused = 64 - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::uint32_t decode(const ImageFormat& format, std::uint64_t bits) {
  switch (format.numeric) {
    case Numeric::floating:
      return format.bits == 16
                 ? std::bit_cast<std::uint32_t>(from_half(static_cast<std::uint16_t>(bits)))
                 : static_cast<std::uint32_t>(bits);
    case Numeric::unorm:
      return float_bits(static_cast<double>(bits) / scale_of(format));
    case Numeric::snorm:
      return float_bits(
          std::max(static_cast<double>(extended(bits, format.bits)) / scale_of(format), -1.0));
    case Numeric::sint:
      return static_cast<std::uint32_t>(extended(bits, format.bits));
    case Numeric::uint:
    case Numeric::packed:
      break;
  }
  return static_cast<std::uint32_t>(bits);
}

// Normalized numbers have no NaN: its payload is kept, so that poison stays poison.
std::uint64_t normalized(const ImageFormat& format, std::uint32_t word, double low) {
  const double value = std::bit_cast<float>(word);
  return std::isnan(value) ? word
                           : static_cast<std::uint64_t>(
                                 std::lround(std::clamp(value, low, 1.0) * scale_of(format)));
}

std::uint64_t encode(const ImageFormat& format, std::uint32_t word) {
  switch (format.numeric) {
    case Numeric::floating:
      return format.bits == 16 ? to_half(std::bit_cast<float>(word)) : word;
    case Numeric::unorm:
      return normalized(format, word, 0.0);
    case Numeric::snorm:
      return normalized(format, word, -1.0);
    case Numeric::sint:
      return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
    case Numeric::uint:
    case Numeric::packed:
      break;
  }
  return word;
}

// Fill::poison in the texels of a format that has no such number is still told from data, if a
// texel is long enough not to have those bits by accident.
void mark_unwritten(const ImageFormat& format, std::span<const std::byte> texels,
                    std::vector<std::uint32_t>& words) {
  const std::size_t size = format.texel_bytes();
  if (size < 4) {
    return;
  }
  const std::uint64_t bits = encode(format, kUnwritten);
  std::vector<std::byte> unwritten(size);
  for (std::size_t c = 0; c < format.components; ++c) {
    std::memcpy(unwritten.data() + c * (format.bits / 8), &bits, format.bits / 8);
  }
  for (std::size_t at = 0; at + size <= texels.size(); at += size) {
    if (std::memcmp(texels.data() + at, unwritten.data(), size) == 0) {
      std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(at / (format.bits / 8)),
                  format.components, kUnwritten);
    }
  }
}

}  // namespace

std::span<const ImageFormat> image_formats() {
  return kFormats;
}

const ImageFormat* image_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &ImageFormat::name);
  return found == kFormats.end() ? nullptr : &*found;
}

std::uint64_t ImageShape::bytes() const {
  const ImageFormat* known = image_format(format);
  return known == nullptr ? 0 : texels() * known->texel_bytes();
}

std::string ImageShape::words() const {
  std::string text = std::to_string(extent[0]);
  const int lengths = dimensions == ImageDimensions::one || dimensions == ImageDimensions::buffer
                          ? 1
                      : dimensions == ImageDimensions::three ? 3
                                                             : 2;
  for (int d = 1; d < lengths; ++d) {
    text += "×" + std::to_string(extent[static_cast<std::size_t>(d)]);
  }
  text += " " + format;
  return layers > 1 ? text + ", " + std::to_string(layers) + " layers" : text;
}

std::vector<std::uint32_t> decode_texels(const ImageFormat& format,
                                         std::span<const std::byte> texels) {
  const std::size_t size = format.bits / 8;
  std::vector<std::uint32_t> words(texels.size() / size);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, texels.data() + i * size, size);
    words[i] = decode(format, bits);
  }
  mark_unwritten(format, texels, words);
  return words;
}

std::vector<std::byte> encode_texels(const ImageFormat& format,
                                     std::span<const std::uint32_t> words) {
  const std::size_t size = format.bits / 8;
  std::vector<std::byte> texels(words.size() * size);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t bits = encode(format, words[i]);
    std::memcpy(texels.data() + i * size, &bits, size);
  }
  return texels;
}

}  // namespace core

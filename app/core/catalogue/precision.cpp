#include "core/catalogue/precision.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace core {
namespace {

constexpr std::uint16_t kInfinity = 0x7C00;
constexpr std::uint16_t kNaN = 0x7E00;
constexpr std::uint32_t kQuietBfloat = 0x0040;
constexpr int kLeastExponent = -14;    // of a normal number
constexpr int kDigits = 10;            // of the significand that are stored
constexpr float kTooLarge = 65520.0F;  // halfway between the largest half and the next power of two

}  // namespace

std::string to_string(Precision precision) {
  switch (precision) {
    case Precision::fp16:
      return "fp16";
    case Precision::bf16:
      return "bf16";
    case Precision::fp32:
      break;
  }
  return "fp32";
}

std::uint64_t bytes_of(Precision precision) {
  return precision == Precision::fp32 ? sizeof(float) : sizeof(std::uint16_t);
}

std::uint16_t to_half(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::abs(value);
  if (std::isnan(value) || magnitude >= kTooLarge) {
    return static_cast<std::uint16_t>(sign | (std::isnan(value) ? kNaN : kInfinity));
  }
  if (magnitude == 0.0F) {
    return sign;
  }
  // In units of the last place there: rounding up to the next power of two carries into the
  // exponent, which is what it must do.
  const int exponent = std::max(std::ilogb(magnitude), kLeastExponent);
  const auto places = static_cast<std::uint32_t>(
      std::nearbyint(std::ldexp(static_cast<double>(magnitude), kDigits - exponent)));
  const auto biased = static_cast<std::uint32_t>(exponent - kLeastExponent) << kDigits;
  return static_cast<std::uint16_t>(sign | (biased + places));
}

float from_half(std::uint16_t half) {
  const std::uint32_t exponent = (half >> kDigits) & 0x1FU;
  const std::uint32_t digits = half & 0x3FFU;
  float magnitude = 0.0F;
  if (exponent == 0x1F) {
    magnitude = digits != 0 ? std::nanf("") : INFINITY;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(digits), kLeastExponent - kDigits);
  } else {
    magnitude = std::ldexp(static_cast<float>(digits | 0x400U),
                           static_cast<int>(exponent) - 1 + kLeastExponent - kDigits);
  }
  return (half & 0x8000U) != 0 ? -magnitude : magnitude;
}

std::uint16_t to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t upper = bits >> 16U;
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(upper | kQuietBfloat);
  }
  // Rounding up carries into the exponent, which is what it must do, up to infinity.
  const std::uint32_t half_and_tie = 0x7FFFU + (upper & 1U);
  return static_cast<std::uint16_t>((bits + half_and_tie) >> 16U);
}

float from_bfloat(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16U);
}

void round_to(Precision precision, std::vector<float>& values) {
  if (precision == Precision::fp16) {
    std::ranges::transform(values, values.begin(), [](float v) { return from_half(to_half(v)); });
  } else if (precision == Precision::bf16) {
    std::ranges::transform(values, values.begin(),
                           [](float v) { return from_bfloat(to_bfloat(v)); });
  }
}

std::vector<std::byte> stored(Precision precision, std::span<const float> values) {
  std::vector<std::byte> bytes(values.size() * bytes_of(precision));
  if (precision == Precision::fp32) {
    std::ranges::copy(std::as_bytes(values), bytes.begin());
    return bytes;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t bits =
        precision == Precision::fp16 ? to_half(values[i]) : to_bfloat(values[i]);
    std::memcpy(bytes.data() + i * sizeof(bits), &bits, sizeof(bits));
  }
  return bytes;
}

}  // namespace core

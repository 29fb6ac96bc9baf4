#include "core/precision.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace core {
namespace {

constexpr std::uint16_t kInfinity = 0x7C00;
constexpr std::uint16_t kNaN = 0x7E00;
constexpr int kLeastExponent = -14;    // of a normal number
constexpr int kDigits = 10;            // of the significand that are stored
constexpr float kTooLarge = 65520.0F;  // halfway between the largest half and the next power of two

}  // namespace

std::string to_string(Precision precision) {
  return precision == Precision::fp16 ? "fp16" : "fp32";
}

std::uint64_t bytes_of(Precision precision) {
  return precision == Precision::fp16 ? sizeof(std::uint16_t) : sizeof(float);
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

void round_to(Precision precision, std::vector<float>& values) {
  if (precision == Precision::fp16) {
    std::ranges::transform(values, values.begin(), [](float v) { return from_half(to_half(v)); });
  }
}

std::vector<std::byte> stored(Precision precision, std::span<const float> values) {
  std::vector<std::byte> bytes(values.size() * bytes_of(precision));
  if (precision == Precision::fp32) {
    std::ranges::copy(std::as_bytes(values), bytes.begin());
    return bytes;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t half = to_half(values[i]);
    std::memcpy(bytes.data() + i * sizeof(half), &half, sizeof(half));
  }
  return bytes;
}

}  // namespace core

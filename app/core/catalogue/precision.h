// How a buffer's numbers are stored: float32, float16 (IEEE 754-2019, binary16: 11 significant
// bits, magnitudes up to 65504), or bfloat16 (the upper half of a float32: 8 significant bits,
// magnitudes as float32's; SPV_KHR_bfloat16).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace core {

enum class Precision { fp32, fp16, bf16 };

inline constexpr std::array kPrecisions{Precision::fp32, Precision::fp16, Precision::bf16};

/// "fp32", "fp16" or "bf16".
[[nodiscard]] std::string to_string(Precision precision);
/// Of one number.
[[nodiscard]] std::uint64_t bytes_of(Precision precision);

/// The nearest float16, ties to even; what is too large becomes an infinity.
[[nodiscard]] std::uint16_t to_half(float value);
[[nodiscard]] float from_half(std::uint16_t half);
/// The nearest bfloat16, ties to even; what is too large becomes an infinity.
[[nodiscard]] std::uint16_t to_bfloat(float value);
[[nodiscard]] float from_bfloat(std::uint16_t bfloat);

/// Every value becomes the nearest that can be stored so.
void round_to(Precision precision, std::vector<float>& values);
/// As they lie in a buffer; values that can't be stored exactly are rounded.
[[nodiscard]] std::vector<std::byte> stored(Precision precision, std::span<const float> values);

}  // namespace core

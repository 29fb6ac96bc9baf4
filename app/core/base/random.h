// Random numbers that depend on a seed and a position alone, so that any part of an input can be
// made, or made again, on any thread and on any machine.
#pragma once

#include <cstdint>
#include <span>

namespace core {

/// SplitMix64's output function (Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number
/// Generators") of a counter: a well mixed 64-bit value.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t counter) {
  std::uint64_t z = counter + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

/// Stream `stream` of a seed at position `index`, uniform in [0, 1).
[[nodiscard]] constexpr double uniform(std::uint64_t seed, std::uint64_t stream,
                                       std::uint64_t index) {
  return static_cast<double>(mix(mix(mix(seed) + stream) + index) >> 11U) * 0x1.0p-53;
}

/// Fills a row-major matrix from stream `stream`, on several threads when it is large: half noise,
/// uniform in [-1, 1), half a few seeded waves across rows and columns, so that a heat map of it,
/// or of what a kernel makes of it, has a shape to recognize. Never zeros: a kernel that drops
/// terms would not show on them.
void fill_random(std::span<float> values, std::uint64_t columns, std::uint64_t seed,
                 std::uint64_t stream);

}  // namespace core

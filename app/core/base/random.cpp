#include "core/base/random.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/parallel.h"

namespace core {
namespace {

constexpr std::size_t kWaves = 3;

// One factor of each wave along a side: cos(2π·(frequency·position + phase)).
std::vector<std::array<float, kWaves>> waves_along(std::uint64_t length, std::uint64_t seed,
                                                   std::uint64_t stream) {
  std::vector<std::array<float, kWaves>> factors(length);
  for (std::uint64_t i = 0; i < length; ++i) {
    const double position = (static_cast<double>(i) + 0.5) / static_cast<double>(length);
    for (std::size_t w = 0; w < kWaves; ++w) {
      const double frequency = 0.3 + 1.7 * uniform(seed, stream, 2 * w);
      const double phase = uniform(seed, stream, 2 * w + 1);
      factors[i][w] =
          static_cast<float>(std::cos(2.0 * std::numbers::pi * (frequency * position + phase)));
    }
  }
  return factors;
}

}  // namespace

void fill_random(std::span<float> values, std::uint64_t columns, std::uint64_t seed,
                 std::uint64_t stream) {
  constexpr float kShare = 0.5F / static_cast<float>(kWaves);
  const std::uint64_t rows = values.size() / columns;
  const auto down = waves_along(rows, seed, stream + (1ULL << 32U));
  const auto along = waves_along(columns, seed, stream + (2ULL << 32U));
  parallel_for(rows, 1 + (1U << 16U) / columns, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        const std::uint64_t i = r * columns + c;
        float wave = 0.0F;
        for (std::size_t w = 0; w < kWaves; ++w) {
          wave += down[r][w] * along[c][w];
        }
        const auto noise = static_cast<float>(uniform(seed, stream, i) - 0.5);
        const float value = noise + kShare * wave;
        values[i] = value == 0.0F ? 0x1.0p-24F : value;
      }
    }
  });
}

}  // namespace core

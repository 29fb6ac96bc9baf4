#include "core/report/timing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace core {

double percentile(std::span<const double> sorted, double fraction) {
  assert(!sorted.empty());
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

bool Spread::unsteady() const {
  constexpr std::size_t kEnough = 10;
  constexpr double kWide = 0.25;
  return count > 0 && (count < kEnough || p95 - p5 > kWide * median);
}

Spread spread_of(std::span<const double> samples) {
  if (samples.empty()) {
    return {};
  }
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  return {.count = sorted.size(),
          .median = percentile(sorted, 0.5),
          .p5 = percentile(sorted, 0.05),
          .p95 = percentile(sorted, 0.95),
          .low = sorted.front(),
          .high = sorted.back()};
}

std::vector<std::size_t> histogram(std::span<const double> samples, double low, double high,
                                   std::size_t bins) {
  assert(bins > 0);
  std::vector<std::size_t> counts(bins, 0);
  const double width = (high - low) / static_cast<double>(bins);
  for (const double sample : samples) {
    const double position = width > 0.0 ? (sample - low) / width : 0.0;
    const double last = static_cast<double>(bins - 1);
    ++counts[static_cast<std::size_t>(std::clamp(std::floor(position), 0.0, last))];
  }
  return counts;
}

}  // namespace core

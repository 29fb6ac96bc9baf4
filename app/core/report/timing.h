// Statistics of repeated measurements. Times are in milliseconds; they come from device timestamps
// around the plain launch, never from a probed one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace core {

struct Spread {
  std::size_t count = 0;
  double median = 0.0;
  double p5 = 0.0;   ///< 5th percentile
  double p95 = 0.0;  ///< 95th percentile
  double low = 0.0;
  double high = 0.0;

  /// Fewer than ten samples, or p5 to p95 is wider than 25 % of the median: no comparison should
  /// rest on it. False if there are no samples.
  [[nodiscard]] bool unsteady() const;
};

/// Percentile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
/// `sorted` is ascending and not empty; `fraction` lies in [0, 1].
[[nodiscard]] double percentile(std::span<const double> sorted, double fraction);

/// All zero when there are no samples.
[[nodiscard]] Spread spread_of(std::span<const double> samples);

/// Counts of samples in `bins` equal bins over [low, high]; samples outside count in the end bins.
[[nodiscard]] std::vector<std::size_t> histogram(std::span<const double> samples, double low,
                                                 double high, std::size_t bins);

}  // namespace core

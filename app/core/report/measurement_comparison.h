// Two tables of measurements side by side: two devices, two drivers, or two versions of a kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/report/timing.h"

namespace core {

/// One kernel's row of a MeasurementTable, read back.
struct MeasuredKernel {
  std::string date;
  std::string device;
  std::string driver;
  std::string variant;
  std::string sizes;  ///< "64x96"
  std::uint32_t tile = 0;
  std::string parameters;
  Spread spread;      ///< ms; no samples where it could not be measured
  std::string error;  ///< why it could not

  /// The same work in the same variant. Seeds may differ: times are not compared number by number.
  [[nodiscard]] bool same_work(const MeasuredKernel& other) const;
};

/// The rows of `csv` that sum up a kernel or a rung, in their order; of two for the same work the
/// later. Columns are found by their names. Fault::usage, with the row, for what is no such table.
[[nodiscard]] Expected<std::vector<MeasuredKernel>> read_measurements(const std::string& csv);

/// `slower` and `faster` are beyond the spread: what lies from the 5th to the 95th percentile of
/// one run has no time in common with the other's. With fewer than `kLeastSamples` on a side there
/// is no spread, and what differs is not known to.
enum class Change : std::uint8_t {
  alike,
  faster,
  slower,
  lost,   ///< it was measured, and can't be now
  added,  ///< it was not measured before
  absent  ///< it was not asked for now
};
inline constexpr std::size_t kLeastSamples = 3;
[[nodiscard]] const char* to_string(Change change);

struct MeasurementChange {
  MeasuredKernel before;  ///< of the work alone where it was added
  MeasuredKernel now;     ///< of the work alone where it was lost or is absent
  Change change = Change::alike;
  double ratio = 0.0;  ///< of the medians, now over before: above 1 is slower. 0: one is missing

  /// Slower by more than `percent`, or no longer measured.
  [[nodiscard]] bool worse_than(double percent) const;
};

/// First what is measured now, in its order, then what was measured before alone.
[[nodiscard]] std::vector<MeasurementChange> compare_measurements(
    const std::vector<MeasuredKernel>& before, const std::vector<MeasuredKernel>& now);

}  // namespace core

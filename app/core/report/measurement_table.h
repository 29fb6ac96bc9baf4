// Measurements as a table of comma-separated values (RFC 4180), one row each, for spreadsheets and
// scripts. Times are in milliseconds, from device timestamps around the plain launch.
#pragma once

#include <span>
#include <string>

#include "core/work/result.h"

namespace core {

/// "2026-11-21T09:30:00Z": now, in UTC.
[[nodiscard]] std::string utc_now();

/// Rows are of three records: "sample" is one launch, "kernel" sums up the samples of one kernel,
/// and "rung" is a variant of the ladder, or why it can't run here. A cell that does not apply is
/// empty.
class MeasurementTable {
 public:
  /// `date` is when the measurements were taken.
  MeasurementTable(DeviceInfo device, std::string date);

  /// The kernel that ran, and each of its samples.
  void add_kernel(const Result& result);
  /// The rungs of a workload's ladder on a problem, all with the same settings.
  void add_ladder(const Workload& workload, const Problem& problem, const Settings& settings,
                  std::span<const Rung> ladder);

  /// The whole table, its first row the names of the columns.
  [[nodiscard]] const std::string& csv() const { return text_; }

 private:
  struct Row;
  void add(const Row& row);

  DeviceInfo device_;
  std::string date_;
  std::string text_;
};

}  // namespace core

// The launches that a check tries after the first one, where launch values are missing: other
// contents, buffers exactly as long as the launch implies, sizes that a workgroup does not divide,
// one item. All are plain experiments, and go through the same check.
#pragma once

#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/experiment.h"
#include "lab/probe/check.h"
#include "lab/ready/workbench.h"

namespace lab {

struct LaunchToTry {
  enum class Kind { sizes, equal, zero, random, range } kind = Kind::sizes;
  std::string what;  ///< "equal values in data"
  core::TriedValues values;
};

/// In the order in which they are to be tried, from the first launch and the report on it. Empty if
/// nothing is missing, if what is missing decides nothing, or if the first launch shows an error.
/// `given` is what was given of the launch.
[[nodiscard]] std::vector<LaunchToTry> launches_to_try(Specimen& first,
                                                       const core::Experiment& given,
                                                       const core::CheckReport& report);

/// Adds a remark for each buffer whose given length is more than the launch accesses, whatever the
/// contents are: an index past its end could not show.
void add_too_long(Specimen& specimen, core::CheckReport& report);

/// Checks these launches, as long as this takes no longer than `budget_ms`, and adds errors of
/// kinds that the report does not have yet, with the condition and the flags. A race that depends
/// on where random contents lead, and any index that contents lead outside, is only mentioned: what
/// the kernel expects of them is not known. What can't be launched or is not reached is listed as
/// not tried. Error: a lost device.
[[nodiscard]] core::Expected<void> try_launches(Workbench& bench, const core::Variant& variant,
                                                const core::Experiment& experiment,
                                                const CheckOptions& options, double budget_ms,
                                                const std::vector<LaunchToTry>& launches,
                                                core::CheckReport& report);

/// Milliseconds that launches after the first may take together: three times as long as that, 5 s
/// at least.
[[nodiscard]] double search_budget(double first_ms);

}  // namespace lab

// Edits that remove races: barriers and fences. Each edit is tried: the edited kernel
// is checked again.
#pragma once

#include "lab/probe/check.h"

namespace lab {

/// Tries edits for the races of a report, the smallest first, and notes the first that works in
/// each race that it removes (Finding::repair). An edit works if a race disappears and no other
/// finding appears. Finding::mended_before is set if one barrier makes the kernel clean. Nothing is
/// tried of several launches, or of kernels that take long.
[[nodiscard]] core::Expected<void> suggest_repairs(gpu::Device& device, const Turns& turns,
                                                   CheckOptions options, core::CheckReport& report);

/// The repairs of a report's findings, each edit once, by file and line.
[[nodiscard]] std::vector<core::LineEdit> all_repairs(const core::CheckReport& report);
/// A source with edits made to it, and the same as the changed lines of a unified diff.
[[nodiscard]] std::string repaired(const std::string& text,
                                   const std::vector<core::LineEdit>& edits);
[[nodiscard]] std::string diff_of(const std::vector<core::LineEdit>& edits);

}  // namespace lab

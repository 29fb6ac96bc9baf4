#include "core/findings/finding_kinds.h"

#include <algorithm>
#include <array>

namespace core {

std::span<const FindingRow> finding_kinds() {
  using enum FindingKind;
  static constexpr std::array rows{
      FindingRow{divergent_barrier, "divergent-barrier", "divergent barrier", "divergent barriers",
                 "barriers", "divergent barrier", Severity::error, Verdict::divergent},
      FindingRow{race, "race", "race", "races", "races", "race on {}", Severity::error,
                 Verdict::racy},
      FindingRow{out_of_bounds, "out-of-bounds", "index out of bounds", "indices out of bounds",
                 "bounds", "index outside {}", Severity::error, Verdict::faulty},
      FindingRow{unfinished_loop, "unfinished-loop", "unfinished loop", "unfinished loops", "loops",
                 "unfinished loop", Severity::error, Verdict::clean},
      FindingRow{uninitialized, "uninitialized", "uninitialized read", "uninitialized reads",
                 "uninitialized", "{} read before it is written", Severity::error, Verdict::faulty},
      FindingRow{inactive_lane, "inactive-lane", "read of an inactive lane",
                 "reads of inactive lanes", "lanes", "read of an inactive lane", Severity::error,
                 Verdict::faulty},
      FindingRow{misaligned, "misaligned", "misaligned address", "misaligned addresses",
                 "alignment", "misaligned address of {}", Severity::error, Verdict::faulty},
      FindingRow{arithmetic, "arithmetic", "arithmetic note", "arithmetic notes", "arithmetic",
                 "arithmetic", Severity::note, Verdict::clean},
  };
  return rows;
}

const FindingRow& row_of(FindingKind kind) {
  return *std::ranges::find(finding_kinds(), kind, &FindingRow::kind);
}

}  // namespace core

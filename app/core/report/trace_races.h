// Races in a trace: what the oracle of races.h says of the accesses that were traced.
#pragma once

#include <cstdint>
#include <vector>

#include "core/report/races.h"
#include "core/report/trace.h"

namespace core {

/// The accesses to shared memory. Sites are numbers of TracedSite, variables of TracedVariable, a
/// cell is a scalar: its offset in bytes. Of atomics that write, the value is not known.
[[nodiscard]] std::vector<LoggedAccess> shared_log(const Trace& trace);

/// All pairs of sites that raced in the traced workgroup.
[[nodiscard]] std::vector<LoggedRace> find_races(const Trace& trace);

/// A cell of shared memory that raced in a phase, for pictures. Accesses are places in
/// Trace::accesses, the earlier site's first.
struct RacingCell {
  std::uint32_t variable = 0;
  std::uint64_t offset = 0;  ///< bytes from the start of the variable
  std::uint32_t phase = 0;   ///< place in Trace::phases
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool operator==(const RacingCell&) const = default;
};

/// Every cell that raced once a phase, with one pair of accesses as the example: sorted by phase,
/// variable and offset.
[[nodiscard]] std::vector<RacingCell> racing_cells(const Trace& trace);

}  // namespace core

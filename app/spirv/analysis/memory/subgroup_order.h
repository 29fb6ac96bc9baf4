// Order within a subgroup that values impose: a store of a value comes after the loads that the
// value is made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/sites.h"

namespace spirv {

/// Lanes in a row of which the first has a number that their count divides.
struct LaneGroup {
  std::uint32_t lanes = 0;
  bool whole_subgroup = false;
};

/// Whether the value that a lane of a group stores needs what all lanes of the group loaded at the
/// other site, whichever lane stores. Values pass between lanes through operations of the subgroup.
/// `reached_together` tells blocks that all invocations of a workgroup reach, or none. In other
/// blocks than the load's, an invocation that loaded may be missing from the operation.
[[nodiscard]] bool needs_all_lanes(const Program& program, const Site& store, const Site& load,
                                   LaneGroup group,
                                   const std::function<bool(std::size_t)>& reached_together);

}  // namespace spirv

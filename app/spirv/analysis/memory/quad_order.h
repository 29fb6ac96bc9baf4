// Order within a quad that values impose: a store of a value comes after the loads that the value
// is made from.
#pragma once

#include <cstddef>
#include <functional>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/sites.h"

namespace spirv {

/// Whether the value that a site stores needs what all four invocations of a quad loaded at the
/// other site: it passes through swaps within the quad, or through a reduction of the subgroup.
/// `reached_together` tells blocks that all invocations of a workgroup reach, or none. In other
/// blocks than the load's, an invocation that loaded may be missing from the swap.
[[nodiscard]] bool needs_all_of_quad(const Program& program, const Site& store, const Site& load,
                                     const std::function<bool(std::size_t)>& reached_together);

}  // namespace spirv

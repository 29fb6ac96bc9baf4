// Remarks on kernels without a race whose results still depend on the order of execution, or on the
// size of a subgroup.
#pragma once

#include "core/report/check_report.h"
#include "spirv/analysis/examination.h"

namespace lab {

/// Adds a remark for each of these:
/// - a store of a value that no atomic decides to a place that an atomic returned;
/// - a loop that waits for a workgroup that it chooses by its own workgroup id;
/// - shared memory that one atomic sets and another changes, with no barrier between;
/// - a lane's number that is compared with the number of subgroups.
void add_order_remarks(const spirv::Examination& examination, core::CheckReport& report);

}  // namespace lab

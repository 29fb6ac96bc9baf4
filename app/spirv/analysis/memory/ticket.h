// A number that each workgroup draws for itself: the block of work that it takes.
#pragma once

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/flow/uniformity.h"

namespace spirv {

/// The first load, in text order, of a shared word into which the kernel stores nothing but what
/// atomic additions to buffers return, where every invocation comes to that load once and all of a
/// workgroup read the same; 0: there is none.
///
/// That no two workgroups draw the same number, and none one that is not below their count, is what
/// such kernels mean and not what the text tells: somebody may set the counter back too early.
/// Whoever proves anything by it has to look while the kernel runs (OrderPlan::ticket).
[[nodiscard]] Id find_ticket(const Program& program, const Uniformity& uniformity);

}  // namespace spirv

// What shared truth values are before anything was written.
#pragma once

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/sites.h"
#include "spirv/probes/insertions.h"

namespace spirv {

/// Lets shared variables that hold truth values begin as false, by the workgroup's first
/// invocation, which is to be among the first that run (llvmpipe). llvmpipe takes the word that it
/// finds there as the mask of who goes on: one that is neither true nor false, left by another
/// kernel, lets invocations come and go within loops of a probe. What was never written is told all
/// the same.
void start_truth_values(const Program& program, const Sites& sites, Emitter& emitter,
                        Insertions& code);

}  // namespace spirv

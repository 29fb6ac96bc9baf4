// Blocks of which the text tells that they run: the kernel's whole numbers are carried out, from
// its first block on, for a few invocations of one workgroup. Where a branch goes by what is not
// known, what happens next is what all of its ways come to.
//
// Assumed: what InvocationValues and Coverage assume, and that the workgroup is part of the launch.
// Only the beginning of long loops is gone through.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// By block: some invocation of `workgroup` comes there.
[[nodiscard]] std::vector<bool> surely_run(const Program& program,
                                           std::array<std::uint32_t, 3> workgroup);

}  // namespace spirv

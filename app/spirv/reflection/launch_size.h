// Sizes of a launch that stand in its module.
//
// gl_NumWorkGroups as numbers. A launch in slices is many dispatches, of which each would tell its
// own size; a kernel's answer must not depend on how it is cut.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "spirv/module/module.h"

namespace spirv {

/// Loads of gl_NumWorkGroups become constants: the workgroups of the whole launch. Probes put the
/// same in by Insertions::tell_launch_size().
void freeze_launch_size(Module& module, const std::array<std::uint32_t, 3>& groups);

/// Sets the local size that the entry point's execution mode gives.
void set_local_size(Module& module, const std::string& entry,
                    const std::array<std::uint32_t, 3>& size);

}  // namespace spirv

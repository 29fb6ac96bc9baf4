// Members of blocks that a kernel compares with the position of its invocations: what is likely to
// be the extent of its launch.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "spirv/module/module.h"
#include "spirv/reflection/reflect.h"

namespace spirv {

/// A member of the block in a variable.
using ComparedMember = std::pair<Id, MemberPath>;

/// Members, to what they are compared with. Ids are gl_GlobalInvocationID and
/// gl_WorkGroupID, with local ids and constants added or multiplied; both sides may have passed
/// through local variables. A vector's components are to be compared each with its own direction. A
/// member that is compared with ids of several directions, or with sums of them, is left out. Said
/// by the text alone, whether it runs or not.
[[nodiscard]] std::map<ComparedMember, LaunchExtent> compared_members(const Module& module);

}  // namespace spirv

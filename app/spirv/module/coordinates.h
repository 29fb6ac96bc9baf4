// Coordinates of texels, component by component: the analyses and probes know scalars, and kernels
// write `ivec2(gl_GlobalInvocationID.xy) + offset`.
#pragma once

#include "spirv/module/module.h"

namespace spirv {

/// Of a module that reads or writes texels without a sampler: what makes up vectors of whole
/// numbers is done by component where their components are used, and the coordinates of each such
/// access become an OpCompositeConstruct (of one component: an OpCopyObject) of its own, whose
/// operands are scalars. Comparisons under any() and all() become those of components. The module
/// says what it said; others are left as they are.
void take_coordinates_apart(Module& module);

}  // namespace spirv

// Lines that glslang does not tell. It writes a line for expressions with an operator or a call,
// but none for a bare name: in `if (ready)` the load of `ready` and the branch keep the line of the
// statement before. Where the module carries its source (OpSource) the name is looked for in the
// lines up to the next one that is told.
#pragma once

#include "spirv/module/module.h"

namespace spirv {

void repair_lines(Module& module);

/// What the optimizer reads in front of an instruction in its stead (newer ones load a part where
/// the whole was loaded) has no line: it is that instruction's.
void repair_lines_of_parts(Module& module);

}  // namespace spirv

// Keeps a kernel inside its own memory. A GPU's memory is apart from ours; a driver that plays a
// GPU on the processor runs a kernel in our own address space, where it looks at every access to a
// buffer, but at none to shared memory or to a local array: an index outside of one reads and
// writes whatever lies there. After this pass there is no such index.
//
// An index into what has a length (an array of known length, a vector, a matrix) that is outside of
// it becomes the last one, whatever it was; that of an access inside is what it was. Robust buffer
// access (Vulkan specification, "Robust Buffer Access") does the same for what lies in a buffer,
// which is left to the driver: arrays at the end of a block are often longer than they say.
#pragma once

#include <string>

#include "spirv/module/constants.h"
#include "spirv/module/module.h"

namespace spirv {

/// Writes the comparisons. Lengths are those after specialization. What is left that may reach
/// outside, in words, such as "arrays of resources without a length"; empty: nothing is. What lies
/// at an address is not looked at here (addresses.h).
[[nodiscard]] std::string keep_inside(Module& module, const SpecValues& values);

}  // namespace spirv

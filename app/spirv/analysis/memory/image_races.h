// Races between invocations on the texels of images: proven away where every invocation keeps to a
// texel of its own; else it is said that nobody looked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// Images and texel buffers that some invocation writes and whose accesses are not proven to keep
/// apart, each in words with the line of a write. Apart are accesses whose coordinates are all the
/// same components of gl_GlobalInvocationID, one for each direction in which the launch is longer
/// than 1; and atomics among themselves. Assumed: two bindings are two images.
[[nodiscard]] std::vector<std::string> images_not_looked_at(
    const Program& program, const std::array<std::uint32_t, 3>& groups);

}  // namespace spirv

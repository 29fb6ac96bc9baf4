// GLSL compute shaders to SPIR-V, through shaderc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace gpu {

struct Compiled {
  std::vector<std::uint32_t> spirv;  ///< unoptimized, with debug information: names and lines
  std::string warnings;              ///< as shaderc words them; empty when there are none
};

/// `file` names the source in messages; `#include "x"` is looked for beside it. A source that does
/// not compile is Fault::usage with the first message and its line.
[[nodiscard]] core::Expected<Compiled> compile_glsl(const std::string& source,
                                                    const std::filesystem::path& file);

}  // namespace gpu

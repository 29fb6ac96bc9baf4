// Texts of modules that come as SPIR-V, for reports and the window.
#pragma once

#include <filesystem>
#include <string>

#include "core/work/dispatch.h"

namespace lab {

/// The module with the sources that it holds and names for variables that have none. If no
/// instruction has a line, the lines are those of its assembly if `file` is that text, else those
/// of GLSL that is decompiled from its entry point, or of its disassembly if that fails. Such a
/// text becomes the first source under the name `file`. `entry`: empty for the module's own.
[[nodiscard]] core::KernelModule with_debug_text(const std::filesystem::path& file,
                                                 core::KernelModule module,
                                                 const std::string& entry = {});

}  // namespace lab

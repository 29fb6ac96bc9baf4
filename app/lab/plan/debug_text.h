// Texts of modules that come as SPIR-V, for reports and the window.
#pragma once

#include <filesystem>

#include "core/work/dispatch.h"

namespace lab {

/// The module with the sources that it holds, names for variables that have none, and, if no
/// instruction has a line, the lines of its assembly, which becomes the first source under the name
/// `file`.
[[nodiscard]] core::KernelModule with_debug_text(const std::filesystem::path& file,
                                                 core::KernelModule module);

}  // namespace lab

// SPIR-V as text.
#pragma once

#include <string>

#include "spirv/module/module.h"

namespace spirv {

/// SPIRV-Tools' assembler, to the version that a disassembler's head ("; Version: 1.3") says, else
/// to the newest. The error is "LINE: what", and has the line.
[[nodiscard]] Expected<Words> assemble(const std::string& text);

}  // namespace spirv

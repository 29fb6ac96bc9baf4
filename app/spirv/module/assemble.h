// SPIR-V as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spirv/module/module.h"

namespace spirv {

/// SPIRV-Tools' assembler, to the version that a disassembler's head ("; Version: 1.3") says, else
/// to the newest. The error is "LINE: what", and has the line.
[[nodiscard]] Expected<Words> assemble(const std::string& text);
/// The text that spirv-dis prints. Empty if SPIRV-Tools can't disassemble the words.
[[nodiscard]] std::string disassemble(std::span<const std::uint32_t> words);

}  // namespace spirv

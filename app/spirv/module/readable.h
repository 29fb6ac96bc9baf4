// SPIR-V that is newer than the tools of this build, in words that they know, as far as that loses
// nothing: what says how a module was made, not what it does.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spirv/module/module.h"

namespace spirv {

/// - A source language that is not known becomes "unknown" (OpSource, SPIR-V specification 3.2).
/// - NonSemantic.Shader.DebugInfo.100 becomes what it stands for: DebugLine OpLine, DebugNoLine
///   OpNoLine, DebugFunctionDefinition the line of its function, DebugGlobalVariable OpName where
///   the variable has none. The rest of it is left out.
///
/// Words that are not a module come back as they are.
[[nodiscard]] Words readable(std::span<const std::uint32_t> words);

/// The error for a message of SPIRV-Tools: of fault device where the module is of a kind that these
/// tools do not know at all (a capability), else of fault usage, `prefix` before it.
[[nodiscard]] core::Error unreadable(const std::string& prefix, const std::string& message);

}  // namespace spirv

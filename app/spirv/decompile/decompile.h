// GLSL for modules that come without source text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spirv/module/debug_text.h"

namespace spirv {

/// A compute entry point as GLSL for Vulkan, and the line of each instruction that it reaches, from
/// SPIRV-Cross. `entry`: the name of the entry point; empty: the first. SPIRV-Cross runs in a
/// process of its own with limits (core::run_apart). The error is its message.
[[nodiscard]] Expected<Listing> decompile(std::span<const std::uint32_t> words,
                                          const std::string& entry = {});

}  // namespace spirv

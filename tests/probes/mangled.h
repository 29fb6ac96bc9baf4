// SPIR-V that no compiler of GLSL writes, made from what one wrote.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/module/module.h"

namespace test {

/// The same module with the blocks of each function in another valid order, and some indices of 32
/// bits converted to 8, 16 or 64 bits. A few of the long ones have 2^32 added to them, which leads
/// outside of every array. The same seed makes the same module.
[[nodiscard]] spirv::Expected<spirv::Words> mangled(std::span<const std::uint32_t> words,
                                                    std::uint64_t seed);

}  // namespace test

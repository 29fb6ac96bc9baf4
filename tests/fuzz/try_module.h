// All that Tilescope does with a stranger's SPIR-V before a device sees it.
#pragma once

#include <cstdint>
#include <span>

namespace fuzz {

/// Any words at all. Aborts with a sentence where a promise of the headers in app/spirv is broken.
void try_module(std::span<const std::uint32_t> words);

}  // namespace fuzz

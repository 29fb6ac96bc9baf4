// Bounds on loops, so that a kernel that would never end does.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/examination.h"
#include "spirv/module.h"

namespace spirv {

struct BoundedLoop {
  SourceLine at;
};

struct LoopBounds {
  Words words;                     ///< canonical
  std::vector<BoundedLoop> loops;  ///< by number
};

/// Gives every loop that is not counted to a constant a way out after `limit` iterations. Loops
/// with a barrier inside are left by all invocations at once: they count iterations of such loops
/// alone, which are the same for all, or see at a barrier that one has given up elsewhere. The
/// number of the loop plus one is then in the private word of `bad_loop_name`.
[[nodiscard]] Expected<LoopBounds> bound_loops(const Examination& examination, std::uint32_t limit);

inline constexpr const char* bad_loop_name = "tilescope_bad_loop";

}  // namespace spirv

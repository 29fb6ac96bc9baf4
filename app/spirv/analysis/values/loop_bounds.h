// Bounds on loops, so that a kernel that would never end does.
//
// Assumed: loops are structured, with one back edge each. A loop that counted_loop() or
// stepped_loop() knows ends by itself and is left alone, and so is one that counts up, in at most
// 65536 steps, to a number which Intervals keeps below 2^30 in every turn; every other is counted,
// each time it is entered and all together. What a kernel does behind a loop that was cut short is
// not what it would have done: whoever reads results must look at the private word first.
//
// llvmpipe ends all loops of a subgroup after 65535 iterations together. The limits do not see the
// loops of other lanes and of the probe itself: RaceProbe finds out on the device whether llvmpipe
// has ended loops, and LoopLimits::all then bounds every loop, at fewer iterations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/analysis/examination.h"
#include "spirv/module/module.h"

namespace spirv {

struct BoundedLoop {
  SourceLine at;  ///< of the loop; where it ends by itself, of the outermost one around it
  Id header = 0;  ///< label of its first block in LoopBounds::words; 0: it is not found
};

struct LoopBounds {
  Words words;                     ///< canonical
  std::vector<BoundedLoop> loops;  ///< by number
};

struct LoopLimits {
  std::uint32_t loop = std::uint32_t{1} << 20U;   ///< iterations each time the loop is entered
  std::uint32_t total = std::uint32_t{1} << 22U;  ///< iterations of an invocation, all loops
  bool all = false;                               ///< bounds also the loops that end by themselves
};

/// Gives every loop that is not counted to a constant (LoopLimits::all: every loop) a way out.
/// Loops with a barrier inside count for themselves, so that all invocations leave them at once.
/// The number of the loop plus one is then in the private word of `bad_loop_name`.
[[nodiscard]] Expected<LoopBounds> bound_loops(const Examination& examination,
                                               const LoopLimits& limits);

/// The most iterations that an invocation makes in all loops together. Nothing: some loop is of a
/// kind that bound_loops() bounds.
[[nodiscard]] std::optional<std::uint64_t> most_iterations(const Program& program);

inline constexpr const char* bad_loop_name = "tilescope_bad_loop";

}  // namespace spirv

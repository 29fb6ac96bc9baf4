// Loops that count from a constant to a constant.
//
// Assumed of the module: SSA form, and that a loop is left by nothing but the edges of its control
// flow. The counter is read at the loop's header: it has the values first, first + step, ... and,
// in front of the test, behind the loop and wherever else the test has not let it through, also the
// first of them that is not below the end, exit(). A loop that something else leaves early counts
// less far; no more is said than that. Counters that could wrap at their own width, or that a
// signed test sees as negative, are not counted loops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ceil_div.h"
#include "spirv/analysis/flow/control_flow.h"
#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

/// Turns of a loop that are gone through one by one, at most.
inline constexpr std::uint64_t short_loop = 1024;

/// for (counter = first; counter < end; counter += step), whatever else may leave it earlier; the
/// test may also be `if (counter >= end) break`, anywhere that every turn comes through.
struct CountedLoop {
  Id counter = 0;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;
  /// The block behind the test, which only the test leads to: in what it dominates the counter is
  /// below `end`. ControlFlow::none: others lead there too.
  std::size_t inside = ControlFlow::none;
  bool only_way_out = false;  ///< nothing but the test leaves the loop: behind it, exit()
  [[nodiscard]] std::uint64_t iterations() const {
    return end > first ? core::ceil_div(end - first, step) : 0;
  }
  /// The value that fails the test.
  [[nodiscard]] std::uint64_t exit() const { return first + iterations() * step; }
};

/// Nothing for a loop that counts otherwise, or further than 65536.
[[nodiscard]] std::optional<CountedLoop> counted_loop(const Program& program,
                                                      const ControlFlow::Loop& loop);

/// for (counter = start; counter < end; counter += step), whatever its start and end are in a turn.
struct CountingLoop {
  Id counter = 0;
  Id start = 0;
  Id end = 0;
  std::uint64_t step = 0;  ///< a constant, not 0
  bool is_signed = false;  ///< the test
  bool includes_end = false;
};
[[nodiscard]] std::optional<CountingLoop> counting_loop(const Program& program,
                                                        const ControlFlow::Loop& loop);

/// A number of a loop's header that starts at a constant and becomes what any arithmetic with
/// constants makes of it (stride /= 2), or of others like it (now = 1 - now), gone through turn by
/// turn.
struct SteppedLoop {
  Id counter = 0;
  const ControlFlow::Loop* loop = nullptr;
  std::vector<std::uint64_t> values;       ///< in the turns that the test lets through, in order
  std::uint64_t exit = 0;                  ///< in the one that it does not
  std::size_t inside = ControlFlow::none;  ///< as CountedLoop's
  bool only_way_out = false;
  /// Of strided_loop(): what it starts at, a number of each invocation's own, which `values` and
  /// `exit` are added to; 0: they are all of it.
  Id start = 0;
  /// What it can be in a block, each number once.
  [[nodiscard]] std::vector<std::uint64_t> in(const Program& program, std::size_t block) const;
};

/// All of those, where one of the loop's tests follows from them; none for a loop that goes on
/// otherwise, or for more turns than short_loop. The loop must outlive them.
[[nodiscard]] std::vector<SteppedLoop> stepped_loop(const Program& program,
                                                    const ControlFlow::Loop& loop);

/// for (counter = a number known of each invocation; counter < end; counter += step), as a
/// workgroup goes over an array together. `exit` is the first step that no invocation goes on with;
/// others end before. Nothing for loops that go on otherwise, for more turns than short_loop, or
/// past 65536.
[[nodiscard]] std::optional<SteppedLoop> strided_loop(const Program& program,
                                                      InvocationValues& numbers,
                                                      const ControlFlow::Loop& loop);

}  // namespace spirv

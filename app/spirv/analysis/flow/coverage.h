// Which blocks have to be watched to know which of a kernel's places ran. A block that always runs
// when the one that dominates it does needs no watching of its own, nor does one of which the text
// tells that it runs (witness.h) or that no invocation of the launch comes there (Intervals).
//
// Assumed: every loop ends and no invocation stops in the middle of a function. Where bound_loops()
// cut a loop short, what stands behind it ran all the same.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/values/intervals.h"

namespace spirv {

class Coverage {
 public:
  /// Of a launch that `workgroup` is part of.
  Coverage(const Program& program, const Intervals& intervals,
           std::array<std::uint32_t, 3> workgroup);

  /// Blocks to watch; a mark is a place in this list.
  [[nodiscard]] const std::vector<std::size_t>& watched() const { return watched_; }
  [[nodiscard]] std::uint32_t marks() const { return static_cast<std::uint32_t>(watched_.size()); }
  /// Words of one bit a mark.
  [[nodiscard]] std::uint32_t words() const { return (marks() + 31) / 32; }

  /// Did a block run, by the marks that were set?
  [[nodiscard]] bool ran(std::size_t block, const std::vector<std::uint32_t>& marks) const;

 private:
  static constexpr std::size_t always = ~std::size_t{0};
  static constexpr std::size_t never = always - 1;
  std::vector<std::size_t> watched_;
  std::vector<std::size_t> mark_;  // by block; else one of the above
};

/// A way of a branch that no invocation went, by the marks of a run.
struct NeverTaken {
  SourceLine branch;
  SourceLine first;   ///< line behind it
  bool loop = false;  ///< it is a loop that never turned
};
[[nodiscard]] std::vector<NeverTaken> never_taken(const Program& program, const Coverage& coverage,
                                                  const std::vector<std::uint32_t>& marks);

}  // namespace spirv

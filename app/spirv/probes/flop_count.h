// What an instruction counts as floating-point work.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// Operations that an invocation makes by an instruction, by the convention of rooflines (Williams,
/// Waterman and Patterson 2009): an addition, subtraction, multiplication or division of floats is
/// one for each component, a fused multiply-add two, a product of vectors and matrices as many as
/// its sums and products; a root, power, logarithm, exponential or trigonometric function is one.
/// Signs, minima, comparisons and conversions are none, and so is all that works on whole numbers,
/// and what nothing uses: compilers leave it out.
class FlopCount {
 public:
  /// `program` must outlive this.
  explicit FlopCount(const Program& program);

  /// Nothing: it does work that is not told by invocations (cooperative matrices).
  [[nodiscard]] std::optional<std::uint32_t> of(const Instruction& i) const;

 private:
  const Program& program_;
  std::vector<bool> used_;  // by id
};

}  // namespace spirv

// Upper bounds of unsigned values at a place of the program: is an index inside its array?
//
// Assumed: SSA form. A condition that a block is behind (its branch's edge dominates the block)
// holds of the value that the block sees, because whoever computes the value anew comes through the
// condition again. Nothing is assumed of operations whose result is undefined (division by zero,
// shifts past the width): they bound nothing unless the operand that would make them so is known.
// Sums and products that could wrap bound nothing. Signed conditions bound values that are known
// not to be negative at their own width; a counter is not when each of its steps is behind a signed
// condition that leaves room for it.
#pragma once

#include <cstdint>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

class Ranges {
 public:
  /// Both must outlive this.
  Ranges(const Program& program, InvocationValues& values) : program_(program), values_(values) {}

  /// Largest unsigned number that the value can be in `block`; 2^64 − 1 where nothing is known.
  /// From constants, invocation ids, arithmetic, counted loops, and the conditions that `block` is
  /// behind.
  [[nodiscard]] std::uint64_t upper_bound(Id value, std::size_t block) {
    return bound(value, block, 0);
  }

 private:
  [[nodiscard]] std::uint64_t bound(Id value, std::size_t block, int depth);
  [[nodiscard]] std::uint64_t by_operation(const Instruction& i, std::size_t block, int depth);
  [[nodiscard]] std::uint64_t by_condition(Id value, std::size_t block, int depth);
  [[nodiscard]] std::uint64_t by_branch(Id value, std::size_t b, Id condition_id, std::size_t way,
                                        int depth);
  [[nodiscard]] std::uint64_t by_short_circuit(Id value, const Instruction& phi, std::size_t way,
                                               int depth);
  [[nodiscard]] std::uint64_t by_phi(const Instruction& phi, std::size_t block, int depth);
  [[nodiscard]] bool never_negative(Id value, int depth);
  [[nodiscard]] bool never_zero(Id value);
  /// Is the value behind a signed condition that keeps it below `limit`, counted with its sign?
  [[nodiscard]] bool signed_below(Id value, std::size_t block, std::uint64_t limit, int depth);
  [[nodiscard]] bool behind(const Instruction& branch, std::size_t block,
                            std::size_t way = 1) const;

  const Program& program_;
  InvocationValues& values_;
};

}  // namespace spirv

// Upper bounds of unsigned values at a place of the program: is an index inside its array?
#pragma once

#include <cstdint>

#include "spirv/analysis/invocation_values.h"
#include "spirv/analysis/program.h"

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
  [[nodiscard]] std::uint64_t by_phi(const Instruction& phi, std::size_t block, int depth);
  [[nodiscard]] bool never_negative(Id value, int depth);

  const Program& program_;
  InvocationValues& values_;
};

}  // namespace spirv

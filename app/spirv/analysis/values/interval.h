// Intervals of integers of a width, as unsigned and as signed numbers at once, and arithmetic on
// them (Cousot and Cousot 1976, "Static determination of dynamic properties of programs").
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module/module.h"

namespace spirv {

/// The numbers that are in both: `low` to `high` as unsigned, `signed_low` to `signed_high` as
/// signed. None where one of them is empty.
struct Interval {
  std::uint32_t width = 32;  ///< bits; 1 for a boolean
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::int64_t signed_low = 0;
  std::int64_t signed_high = 0;

  [[nodiscard]] static Interval all(std::uint32_t width);
  [[nodiscard]] static Interval exactly(std::uint64_t bits, std::uint32_t width);
  /// Unsigned numbers, of which those that the width does not hold are left out.
  [[nodiscard]] static Interval between(std::uint64_t low, std::uint64_t high, std::uint32_t width);

  [[nodiscard]] bool empty() const { return low > high || signed_low > signed_high; }
  [[nodiscard]] bool single() const { return low == high; }
  bool operator==(const Interval&) const = default;
};

/// What lies in one or the other (the smallest interval around both); in both.
[[nodiscard]] Interval join(const Interval& a, const Interval& b);
[[nodiscard]] Interval meet(const Interval& a, const Interval& b);
/// From an estimate to the next, larger one: what still grows goes to the next of some numbers that
/// are likely bounds (ascending), and behind the last as far as it can.
[[nodiscard]] Interval widened(const Interval& before, const Interval& after,
                               const std::vector<std::uint64_t>& steps);

/// One integer operation of two operands of one width (shifts: any). Modulo 2^width, as SPIR-V has
/// it; what could be undefined (division by zero, shifts past the width) can be anything.
[[nodiscard]] Interval apply(spv::Op op, const Interval& a, const Interval& b);
/// UConvert, SConvert and Bitcast to another width.
[[nodiscard]] Interval convert(spv::Op op, const Interval& a, std::uint32_t width);
/// GLSL.std.450: minima and maxima.
[[nodiscard]] Interval smaller(const Interval& a, const Interval& b, bool is_signed);
[[nodiscard]] Interval larger(const Interval& a, const Interval& b, bool is_signed);

/// What `a` can be where a comparison of it with `b` came out as told.
[[nodiscard]] Interval where(spv::Op comparison, bool truth, const Interval& a, const Interval& b);
/// The comparison with its sides exchanged; OpNop for what is no comparison of integers.
[[nodiscard]] spv::Op mirrored(spv::Op comparison);

}  // namespace spirv

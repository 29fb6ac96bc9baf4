// Division that rounds up, as tiles cover a matrix and warps a workgroup: of unsigned numbers, and
// right up to the largest of them.
#pragma once

#include <concepts>

namespace core {

/// The least n with n * by >= value; `by` is not 0.
template <std::unsigned_integral Value, std::unsigned_integral By>
[[nodiscard]] constexpr auto ceil_div(Value value, By by) {
  return value / by + (value % by != 0 ? 1U : 0U);
}

/// The least multiple of `to` that is not below the value; `to` is not 0.
template <std::unsigned_integral Value, std::unsigned_integral To>
[[nodiscard]] constexpr auto round_up(Value value, To to) {
  return ceil_div(value, to) * to;
}

}  // namespace core

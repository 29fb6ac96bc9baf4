#include "spirv/analysis/values/interval.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace spirv {
namespace {

std::uint64_t most(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
std::int64_t signed_most(std::uint32_t width) {
  return static_cast<std::int64_t>(most(width) >> 1U);
}
std::int64_t signed_least(std::uint32_t width) {
  return -signed_most(width) - 1;
}

std::int64_t as_signed(std::uint64_t bits, std::uint32_t width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>(((bits & most(width)) ^ sign) - sign);
}

// Each view tells the other what it can: numbers on one side of the middle are the same in both,
// but for 2^width.
Interval settled(Interval i) {
  const std::uint64_t middle = most(i.width) >> 1U;
  i.high = std::min(i.high, most(i.width));
  i.signed_low = std::max(i.signed_low, signed_least(i.width));
  i.signed_high = std::min(i.signed_high, signed_most(i.width));
  if (i.empty()) {
    return i;
  }
  if (i.high <= middle || i.low > middle) {
    i.signed_low = std::max(i.signed_low, as_signed(i.low, i.width));
    i.signed_high = std::min(i.signed_high, as_signed(i.high, i.width));
  }
  if (i.empty()) {
    return i;
  }
  if (i.signed_low >= 0 || i.signed_high < 0) {
    i.low = std::max(i.low, static_cast<std::uint64_t>(i.signed_low) & most(i.width));
    i.high = std::min(i.high, static_cast<std::uint64_t>(i.signed_high) & most(i.width));
  }
  return i;
}

Interval of_signed(std::int64_t low, std::int64_t high, std::uint32_t width) {
  Interval i = Interval::all(width);
  i.signed_low = low;
  i.signed_high = high;
  return settled(i);
}

bool fits(std::int64_t low, std::int64_t high, std::uint32_t width) {
  return low >= signed_least(width) && high <= signed_most(width);
}

// The two views of a result, each where it could not wrap.
Interval both(std::uint32_t width, std::optional<std::pair<std::uint64_t, std::uint64_t>> plain,
              std::optional<std::pair<std::int64_t, std::int64_t>> with_sign) {
  Interval i = Interval::all(width);
  if (plain && plain->second <= most(width)) {
    i.low = plain->first;
    i.high = plain->second;
  }
  if (with_sign && fits(with_sign->first, with_sign->second, width)) {
    i.signed_low = with_sign->first;
    i.signed_high = with_sign->second;
  }
  return settled(i);
}

Interval sum(const Interval& a, const Interval& b) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> plain;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (!__builtin_add_overflow(a.high, b.high, &high)) {
    low = a.low + b.low;
    if (a.width < 64 && low > most(a.width)) {  // all of it wraps
      low -= most(a.width) + 1;
      high -= most(a.width) + 1;
    }
    plain = {low, high};
  }
  std::optional<std::pair<std::int64_t, std::int64_t>> with_sign;
  std::int64_t from = 0;
  std::int64_t to = 0;
  if (!__builtin_add_overflow(a.signed_low, b.signed_low, &from) &&
      !__builtin_add_overflow(a.signed_high, b.signed_high, &to)) {
    with_sign = {from, to};
  }
  return both(a.width, plain, with_sign);
}

Interval difference(const Interval& a, const Interval& b) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> plain;
  if (a.low >= b.high) {
    plain = {a.low - b.high, a.high - b.low};
  } else if (a.high < b.low && a.width < 64) {  // all of it wraps
    plain = {a.low + (most(a.width) + 1 - b.high), a.high + (most(a.width) + 1 - b.low)};
  }
  std::optional<std::pair<std::int64_t, std::int64_t>> with_sign;
  std::int64_t from = 0;
  std::int64_t to = 0;
  if (!__builtin_sub_overflow(a.signed_low, b.signed_high, &from) &&
      !__builtin_sub_overflow(a.signed_high, b.signed_low, &to)) {
    with_sign = {from, to};
  }
  return both(a.width, plain, with_sign);
}

Interval product(const Interval& a, const Interval& b) {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> plain;
  std::uint64_t high = 0;
  if (!__builtin_mul_overflow(a.high, b.high, &high)) {
    plain = {a.low * b.low, high};
  }
  std::optional<std::pair<std::int64_t, std::int64_t>> with_sign;
  std::int64_t corners[4];
  if (!__builtin_mul_overflow(a.signed_low, b.signed_low, &corners[0]) &&
      !__builtin_mul_overflow(a.signed_low, b.signed_high, &corners[1]) &&
      !__builtin_mul_overflow(a.signed_high, b.signed_low, &corners[2]) &&
      !__builtin_mul_overflow(a.signed_high, b.signed_high, &corners[3])) {
    with_sign = {*std::ranges::min_element(corners), *std::ranges::max_element(corners)};
  }
  return both(a.width, plain, with_sign);
}

Interval quotient(spv::Op op, const Interval& a, const Interval& b) {
  if (op == spv::Op::OpUDiv) {
    return b.low == 0 ? Interval::all(a.width)
                      : Interval::between(a.low / b.high, a.high / b.low, a.width);
  }
  if (b.signed_low <= 0) {
    return Interval::all(a.width);
  }
  const auto least = a.signed_low / (a.signed_low < 0 ? b.signed_low : b.signed_high);
  const auto greatest = a.signed_high / (a.signed_high < 0 ? b.signed_high : b.signed_low);
  return of_signed(least, greatest, a.width);
}

Interval remainder(spv::Op op, const Interval& a, const Interval& b) {
  if (op == spv::Op::OpUMod) {
    return b.low == 0       ? Interval::all(a.width)
           : a.high < b.low ? a
                            : Interval::between(0, std::min(a.high, b.high - 1), a.width);
  }
  if (b.signed_low <= 0) {
    return Interval::all(a.width);
  }
  if (a.signed_low >= 0) {
    return a.signed_high < b.signed_low
               ? a
               : of_signed(0, std::min(a.signed_high, b.signed_high - 1), a.width);
  }
  return of_signed(op == spv::Op::OpSMod ? 0 : 1 - b.signed_high, b.signed_high - 1, a.width);
}

Interval shifted(spv::Op op, const Interval& a, const Interval& b) {
  if (b.high >= a.width) {
    return Interval::all(a.width);
  }
  switch (op) {
    case spv::Op::OpShiftRightLogical:
      return Interval::between(a.low >> b.high, a.high >> b.low, a.width);
    case spv::Op::OpShiftRightArithmetic:
      return of_signed(std::min(a.signed_low >> b.low, a.signed_low >> b.high),
                       std::max(a.signed_high >> b.low, a.signed_high >> b.high), a.width);
    default: {
      const bool whole = a.high <= most(a.width) >> b.high;
      return whole ? Interval::between(a.low << b.low, a.high << b.high, a.width)
                   : Interval::all(a.width);
    }
  }
}

// All bits up to the highest one set.
std::uint64_t below_next_power(std::uint64_t value) {
  return value == 0 ? 0 : ~std::uint64_t{0} >> static_cast<unsigned>(std::countl_zero(value));
}

Interval bitwise(spv::Op op, const Interval& a, const Interval& b) {
  if (a.single() && b.single()) {
    const std::uint64_t value = op == spv::Op::OpBitwiseAnd  ? a.low & b.low
                                : op == spv::Op::OpBitwiseOr ? a.low | b.low
                                                             : a.low ^ b.low;
    return Interval::exactly(value, a.width);
  }
  switch (op) {
    case spv::Op::OpBitwiseAnd:
      return Interval::between(0, std::min(a.high, b.high), a.width);
    case spv::Op::OpBitwiseOr:
      return Interval::between(std::max(a.low, b.low), below_next_power(a.high | b.high), a.width);
    default:
      return Interval::between(0, below_next_power(a.high | b.high), a.width);
  }
}

}  // namespace

Interval Interval::all(std::uint32_t width) {
  return {width, 0, most(width), signed_least(width), signed_most(width)};
}

Interval Interval::exactly(std::uint64_t bits, std::uint32_t width) {
  bits &= most(width);
  return {width, bits, bits, as_signed(bits, width), as_signed(bits, width)};
}

Interval Interval::between(std::uint64_t low, std::uint64_t high, std::uint32_t width) {
  Interval i = all(width);
  i.low = low;
  i.high = high;
  return settled(i);
}

Interval join(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;
  }
  return {a.width, std::min(a.low, b.low), std::max(a.high, b.high),
          std::min(a.signed_low, b.signed_low), std::max(a.signed_high, b.signed_high)};
}

Interval meet(const Interval& a, const Interval& b) {
  return settled({a.width, std::max(a.low, b.low), std::min(a.high, b.high),
                  std::max(a.signed_low, b.signed_low), std::min(a.signed_high, b.signed_high)});
}

Interval widened(const Interval& before, const Interval& after,
                 const std::vector<std::uint64_t>& steps) {
  const Interval far = Interval::all(before.width);
  const auto up = [&](std::uint64_t value, std::uint64_t last) {
    const auto step = std::ranges::lower_bound(steps, value);
    return step == steps.end() ? last : std::min(*step, last);
  };
  Interval i = before;
  if (after.low < before.low) {
    i.low = far.low;
  }
  if (after.high > before.high) {
    i.high = up(after.high, far.high);
  }
  if (after.signed_low < before.signed_low) {
    i.signed_low =
        after.signed_low >= -1 ? std::min<std::int64_t>(after.signed_low, 0) : far.signed_low;
  }
  if (after.signed_high > before.signed_high) {
    const auto last = static_cast<std::uint64_t>(far.signed_high);
    i.signed_high =
        after.signed_high < 0
            ? 0
            : static_cast<std::int64_t>(up(static_cast<std::uint64_t>(after.signed_high), last));
  }
  return settled(i);
}

Interval apply(spv::Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case spv::Op::OpIAdd:
      return sum(a, b);
    case spv::Op::OpISub:
      return difference(a, b);
    case spv::Op::OpIMul:
      return product(a, b);
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
      return quotient(op, a, b);
    case spv::Op::OpUMod:
    case spv::Op::OpSMod:
    case spv::Op::OpSRem:
      return remainder(op, a, b);
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
      return shifted(op, a, b);
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
      return bitwise(op, a, b);
    case spv::Op::OpNot:
      return Interval::between(most(a.width) - a.high, most(a.width) - a.low, a.width);
    case spv::Op::OpSNegate:
      return difference(Interval::exactly(0, a.width), a);
    default:
      return Interval::all(a.width);
  }
}

Interval convert(spv::Op op, const Interval& a, std::uint32_t width) {
  if (op == spv::Op::OpSConvert) {
    return fits(a.signed_low, a.signed_high, width) ? of_signed(a.signed_low, a.signed_high, width)
                                                    : Interval::all(width);
  }
  if (op == spv::Op::OpUConvert || width == a.width) {
    const bool holds = a.high <= most(width);
    return width == a.width ? a
           : holds          ? Interval::between(a.low, a.high, width)
                            : Interval::all(width);
  }
  return Interval::all(width);
}

Interval smaller(const Interval& a, const Interval& b, bool is_signed) {
  return is_signed ? of_signed(std::min(a.signed_low, b.signed_low),
                               std::min(a.signed_high, b.signed_high), a.width)
                   : Interval::between(std::min(a.low, b.low), std::min(a.high, b.high), a.width);
}

Interval larger(const Interval& a, const Interval& b, bool is_signed) {
  return is_signed ? of_signed(std::max(a.signed_low, b.signed_low),
                               std::max(a.signed_high, b.signed_high), a.width)
                   : Interval::between(std::max(a.low, b.low), std::max(a.high, b.high), a.width);
}

namespace {

constexpr struct {
  spv::Op op, opposite, mirrored;
} comparisons[] = {
    {spv::Op::OpIEqual, spv::Op::OpINotEqual, spv::Op::OpIEqual},
    {spv::Op::OpINotEqual, spv::Op::OpIEqual, spv::Op::OpINotEqual},
    {spv::Op::OpULessThan, spv::Op::OpUGreaterThanEqual, spv::Op::OpUGreaterThan},
    {spv::Op::OpULessThanEqual, spv::Op::OpUGreaterThan, spv::Op::OpUGreaterThanEqual},
    {spv::Op::OpUGreaterThan, spv::Op::OpULessThanEqual, spv::Op::OpULessThan},
    {spv::Op::OpUGreaterThanEqual, spv::Op::OpULessThan, spv::Op::OpULessThanEqual},
    {spv::Op::OpSLessThan, spv::Op::OpSGreaterThanEqual, spv::Op::OpSGreaterThan},
    {spv::Op::OpSLessThanEqual, spv::Op::OpSGreaterThan, spv::Op::OpSGreaterThanEqual},
    {spv::Op::OpSGreaterThan, spv::Op::OpSLessThanEqual, spv::Op::OpSLessThan},
    {spv::Op::OpSGreaterThanEqual, spv::Op::OpSLessThan, spv::Op::OpSLessThanEqual},
};

Interval nothing(std::uint32_t width) {
  return {width, 1, 0, 1, 0};
}

Interval apart(Interval a, const Interval& b) {
  if (!b.single()) {
    return a;
  }
  if (a.single() && a.low == b.low) {
    return nothing(a.width);
  }
  a.low += a.low == b.low ? 1 : 0;
  a.high -= a.high == b.low ? 1 : 0;
  a.signed_low += a.signed_low == b.signed_low ? 1 : 0;
  a.signed_high -= a.signed_high == b.signed_low ? 1 : 0;
  return settled(a);
}

}  // namespace

spv::Op mirrored(spv::Op comparison) {
  const auto* found =
      std::ranges::find(comparisons, comparison, [](const auto& c) { return c.op; });
  return found == std::end(comparisons) ? spv::Op::OpNop : found->mirrored;
}

Interval where(spv::Op comparison, bool truth, const Interval& a, const Interval& b) {
  const auto* found =
      std::ranges::find(comparisons, comparison, [](const auto& c) { return c.op; });
  if (found == std::end(comparisons) || a.width != b.width || a.empty() || b.empty()) {
    return a;
  }
  Interval i = a;
  switch (truth ? found->op : found->opposite) {
    case spv::Op::OpIEqual:
      return meet(a, b);
    case spv::Op::OpINotEqual:
      return apart(a, b);
    case spv::Op::OpULessThan:
      if (b.high == 0) {
        return nothing(a.width);
      }
      i.high = std::min(i.high, b.high - 1);
      break;
    case spv::Op::OpULessThanEqual:
      i.high = std::min(i.high, b.high);
      break;
    case spv::Op::OpUGreaterThan:
      if (b.low == most(a.width)) {
        return nothing(a.width);
      }
      i.low = std::max(i.low, b.low + 1);
      break;
    case spv::Op::OpUGreaterThanEqual:
      i.low = std::max(i.low, b.low);
      break;
    case spv::Op::OpSLessThan:
      if (b.signed_high == signed_least(a.width)) {
        return nothing(a.width);
      }
      i.signed_high = std::min(i.signed_high, b.signed_high - 1);
      break;
    case spv::Op::OpSLessThanEqual:
      i.signed_high = std::min(i.signed_high, b.signed_high);
      break;
    case spv::Op::OpSGreaterThan:
      if (b.signed_low == signed_most(a.width)) {
        return nothing(a.width);
      }
      i.signed_low = std::max(i.signed_low, b.signed_low + 1);
      break;
    default:
      i.signed_low = std::max(i.signed_low, b.signed_low);
      break;
  }
  return settled(i);
}

}  // namespace spirv

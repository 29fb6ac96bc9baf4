#include "spirv/analysis/ranges.h"

#include <algorithm>

namespace spirv {
namespace {

constexpr std::uint64_t unbounded = ~std::uint64_t{0};
constexpr std::uint64_t positive_int = 0x7FFFFFFF;
constexpr int depth_limit = 24;

// Sums and products are taken where 32 bits can't have wrapped.
std::uint64_t without_wrap(std::uint64_t value, std::uint32_t width) {
  return width < 64 && value >> width != 0 ? unbounded : value;
}

}  // namespace

std::uint64_t Ranges::bound(Id value, std::size_t block, int depth) {
  if (depth > depth_limit) {
    return unbounded;
  }
  if (const auto constant = program_.constants.scalar(value)) {
    return *constant;
  }
  std::uint64_t best = unbounded;
  if (const InvocationValue* known = values_.of(value); known != nullptr && known->terms.empty()) {
    best = *std::ranges::max_element(known->known);
  }
  best = std::min(best, by_condition(value, block, depth));
  return std::min(best, by_operation(program_.definitions.of(value), block, depth));
}

std::uint64_t Ranges::by_operation(const Instruction& i, std::size_t block, int depth) {
  const auto operand = [&](std::size_t k) { return bound(i.word(k), block, depth + 1); };
  const std::uint32_t width = scalar_width(program_.definitions, i.type);
  switch (i.op) {
    case spv::Op::OpBitwiseAnd:
      return std::min(operand(0), operand(1));
    case spv::Op::OpUMod: {
      const std::uint64_t by = operand(1);
      return std::min(operand(0), by == 0 ? unbounded : by - 1);
    }
    case spv::Op::OpUDiv: {
      const auto by = program_.constants.scalar(i.word(1));
      return by && *by != 0 ? operand(0) / *by : operand(0);
    }
    case spv::Op::OpShiftRightLogical: {
      const auto by = program_.constants.scalar(i.word(1));
      return by && *by < 64 && operand(0) != unbounded ? operand(0) >> *by : operand(0);
    }
    case spv::Op::OpIAdd: {
      const std::uint64_t a = operand(0);
      const std::uint64_t b = operand(1);
      return a == unbounded || b == unbounded ? unbounded : without_wrap(a + b, width);
    }
    case spv::Op::OpIMul: {
      const std::uint64_t a = operand(0);
      const std::uint64_t b = operand(1);
      return a > 0xFFFFFFFF || b > 0xFFFFFFFF ? unbounded : without_wrap(a * b, width);
    }
    case spv::Op::OpBitcast:
    case spv::Op::OpCopyObject:
    case spv::Op::OpUConvert:
      return operand(0);
    case spv::Op::OpSelect:
      return std::max(operand(1), operand(2));
    case spv::Op::OpPhi:
      return by_phi(i, block, depth);
    default:
      return unbounded;
  }
}

// A phi whose every way around only makes it smaller is bounded by what it starts as.
std::uint64_t Ranges::by_phi(const Instruction& phi, std::size_t, int depth) {
  std::uint64_t most = 0;
  for (std::size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const Instruction& from = program_.definitions.of(phi.word(k));
    const bool smaller = (from.op == spv::Op::OpShiftRightLogical || from.op == spv::Op::OpUDiv ||
                          (from.op == spv::Op::OpShiftRightArithmetic && most <= positive_int)) &&
                         from.word(0) == phi.result;
    if (smaller) {
      continue;
    }
    // Seen from the end of the block that the value comes from.
    const std::size_t home = program_.flow.index(phi.word(k + 1));
    most =
        std::max(most, home == ControlFlow::none ? unbounded : bound(phi.word(k), home, depth + 8));
  }
  return most;
}

bool Ranges::never_negative(Id value, int depth) {
  if (depth > depth_limit) {
    return false;
  }
  if (const auto constant = program_.constants.scalar(value)) {
    return *constant <= positive_int;
  }
  if (const InvocationValue* known = values_.of(value); known != nullptr && known->terms.empty()) {
    return *std::ranges::max_element(known->known) <= positive_int;
  }
  const Instruction& i = program_.definitions.of(value);
  if (i.op == spv::Op::OpBitcast || i.op == spv::Op::OpCopyObject) {
    return never_negative(i.word(0), depth + 1);
  }
  if (i.op != spv::Op::OpPhi) {
    return false;
  }
  // A counter that starts at or above zero and goes up in steps too small to wrap before the
  // condition that bounds it from above is seen.
  for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
    const Instruction& from = program_.definitions.of(i.word(k));
    const auto step = program_.constants.scalar(from.word(1));
    const bool counts =
        from.op == spv::Op::OpIAdd && from.word(0) == i.result && step && *step <= positive_int / 2;
    if (!counts && !never_negative(i.word(k), depth + 8)) {
      return false;
    }
  }
  return true;
}

std::uint64_t Ranges::by_condition(Id value, std::size_t block, int depth) {
  std::uint64_t best = unbounded;
  for (const std::size_t b : program_.flow.order()) {
    const Instruction& end = program_.function.blocks[b].terminator();
    if (end.op != spv::Op::OpBranchConditional || end.word(1) == end.word(2)) {
      continue;
    }
    const Instruction& condition = program_.definitions.of(end.word(0));
    const bool is_signed =
        condition.op == spv::Op::OpSLessThan || condition.op == spv::Op::OpSLessThanEqual;
    const bool is_strict =
        condition.op == spv::Op::OpSLessThan || condition.op == spv::Op::OpULessThan;
    if ((!is_signed && condition.op != spv::Op::OpULessThan &&
         condition.op != spv::Op::OpULessThanEqual) ||
        condition.word(0) != value) {
      continue;
    }
    const std::size_t yes = program_.flow.index(end.word(1));
    if (yes == ControlFlow::none || program_.flow.predecessors(yes).size() != 1 ||
        !program_.flow.dominates(yes, block)) {
      continue;
    }
    const std::uint64_t limit = bound(condition.word(1), b, depth + 1);
    if (limit == unbounded ||
        (is_signed && (limit > positive_int / 2 || !never_negative(value, depth + 1)))) {
      continue;
    }
    best = std::min(best, is_strict && limit > 0 ? limit - 1 : limit);
  }
  return best;
}

}  // namespace spirv

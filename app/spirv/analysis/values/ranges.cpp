#include "spirv/analysis/values/ranges.h"

#include <algorithm>
#include <optional>

namespace spirv {
namespace {

constexpr std::uint64_t unbounded = ~std::uint64_t{0};
// Most of a signed integer.
constexpr std::uint64_t most_signed(std::uint32_t width) {
  return width == 0 ? 0 : (std::uint64_t{1} << (width - 1)) - 1;
}

constexpr int depth_limit = 24;

// Sums and products are taken where 32 bits can't have wrapped.
std::uint64_t without_wrap(std::uint64_t value, std::uint32_t width) {
  return width < 64 && value >> width != 0 ? unbounded : value;
}

// value < limit or value <= limit, on the way of a branch on which that holds.
struct UpperTest {
  Id limit = 0;
  std::size_t way = 1;
  bool is_signed = false;
  bool is_strict = true;
};

std::optional<UpperTest> upper_test(const Instruction& condition, Id value) {
  const bool first = condition.word(0) == value;
  const Id other = condition.word(first ? 1 : 0);
  if (!first && condition.word(1) != value) {
    return std::nullopt;
  }
  // a < b holds, or a >= b does not; the value is a, or it is b of b > a.
  switch (condition.op) {
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
      return UpperTest{other, first ? 1U : 2U, condition.op == spv::Op::OpSLessThan, first};
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
      return UpperTest{other, first ? 1U : 2U, condition.op == spv::Op::OpSLessThanEqual, !first};
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
      return UpperTest{other, first ? 2U : 1U, condition.op == spv::Op::OpSGreaterThan, !first};
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
      return UpperTest{other, first ? 2U : 1U, condition.op == spv::Op::OpSGreaterThanEqual, first};
    default:
      return std::nullopt;
  }
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
      return never_zero(i.word(1)) && by != 0 ? std::min(operand(0), by - 1) : unbounded;
    }
    case spv::Op::OpUDiv: {
      const auto by = program_.constants.scalar(i.word(1));
      if (by && *by != 0) {
        return operand(0) == unbounded ? unbounded : operand(0) / *by;
      }
      return never_zero(i.word(1)) ? operand(0) : unbounded;
    }
    case spv::Op::OpShiftRightLogical: {
      const auto by = program_.constants.scalar(i.word(1));
      if (by && *by < width) {
        return operand(0) == unbounded ? unbounded : operand(0) >> *by;
      }
      return operand(1) < width ? operand(0) : unbounded;
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
    case spv::Op::OpExtInst: {
      constexpr std::uint32_t u_min = 38;
      const bool glsl = program_.definitions.op(i.word(0)) == spv::Op::OpExtInstImport &&
                        text(program_.definitions.of(i.word(0)), 0) == "GLSL.std.450";
      return glsl && i.word(1) == u_min ? std::min(operand(2), operand(3)) : unbounded;
    }
    case spv::Op::OpPhi:
      return by_phi(i, block, depth);
    default:
      return unbounded;
  }
}

// A phi whose every way around only makes it smaller is bounded by what it starts as.
std::uint64_t Ranges::by_phi(const Instruction& phi, std::size_t, int depth) {
  const std::uint64_t positive = most_signed(scalar_width(program_.definitions, phi.type));
  std::uint64_t most = 0;
  bool needs_sign = false;
  for (std::size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const Instruction& from = program_.definitions.of(phi.word(k));
    const bool shifts =
        (from.op == spv::Op::OpShiftRightLogical || from.op == spv::Op::OpShiftRightArithmetic) &&
        program_.constants.scalar(from.word(1));
    const bool smaller = (shifts || (from.op == spv::Op::OpUDiv && never_zero(from.word(1)))) &&
                         from.word(0) == phi.result;
    if (smaller) {
      needs_sign = needs_sign || from.op == spv::Op::OpShiftRightArithmetic;
      continue;
    }
    // Seen from the end of the block that the value comes from.
    const std::size_t home = program_.flow.index(phi.word(k + 1));
    most =
        std::max(most, home == ControlFlow::none ? unbounded : bound(phi.word(k), home, depth + 8));
  }
  return needs_sign && most > positive ? unbounded : most;
}

bool Ranges::never_zero(Id value) {
  if (const auto constant = program_.constants.scalar(value)) {
    return *constant != 0;
  }
  const InvocationValue* known = values_.of(value);
  return known != nullptr && known->terms.empty() &&
         std::ranges::none_of(known->known, [](std::uint64_t v) { return v == 0; });
}

bool Ranges::never_negative(Id value, int depth) {
  const Instruction& i = program_.definitions.of(value);
  const std::uint32_t width = scalar_width(program_.definitions, i.type);
  const std::uint64_t positive = most_signed(width);
  if (depth > depth_limit || width == 0) {
    return false;
  }
  if (const auto constant = program_.constants.scalar(value)) {
    return *constant <= positive;
  }
  if (const InvocationValue* known = values_.of(value); known != nullptr && known->terms.empty()) {
    return *std::ranges::max_element(known->known) <= positive;
  }
  if (i.op == spv::Op::OpBitcast || i.op == spv::Op::OpCopyObject) {
    return width == scalar_width(program_.definitions, program_.definitions.of(i.word(0)).type) &&
           never_negative(i.word(0), depth + 1);
  }
  if (i.op != spv::Op::OpPhi) {
    return false;
  }
  // A counter that starts at or above zero and goes up in steps too small to wrap from where a
  // condition lets it step.
  for (std::size_t k = 0; k + 1 < i.operands.size(); k += 2) {
    const Instruction& from = program_.definitions.of(i.word(k));
    const auto step = program_.constants.scalar(from.word(1));
    const bool counts =
        from.op == spv::Op::OpIAdd && from.word(0) == i.result && step && *step <= positive / 2 &&
        signed_below(i.result, program_.block_of(from.result), positive - *step, depth + 1);
    if (!counts && !never_negative(i.word(k), depth + 8)) {
      return false;
    }
  }
  return true;
}

// Is one of the branch's ways (1: where it holds, 2: where not) the only way to the block?
bool Ranges::behind(const Instruction& branch, std::size_t block, std::size_t way) const {
  const std::size_t yes = program_.flow.index(branch.word(way));
  return branch.op == spv::Op::OpBranchConditional && branch.word(1) != branch.word(2) &&
         yes != ControlFlow::none && program_.flow.predecessors(yes).size() == 1 &&
         program_.flow.dominates(yes, block);
}

bool Ranges::signed_below(Id value, std::size_t block, std::uint64_t limit, int depth) {
  return std::ranges::any_of(program_.flow.order(), [&](std::size_t b) {
    const Instruction& end = program_.function.blocks[b].terminator();
    const Instruction& condition = program_.definitions.of(end.word(0));
    return (condition.op == spv::Op::OpSLessThan || condition.op == spv::Op::OpSLessThanEqual) &&
           condition.word(0) == value && behind(end, block) &&
           bound(condition.word(1), b, depth + 1) <= limit;
  });
}

std::uint64_t Ranges::by_condition(Id value, std::size_t block, int depth) {
  std::uint64_t best = unbounded;
  for (const std::size_t b : program_.flow.order()) {
    const Instruction& end = program_.function.blocks[b].terminator();
    if (end.op != spv::Op::OpBranchConditional || depth > depth_limit) {
      continue;
    }
    for (const std::size_t way : {std::size_t{1}, std::size_t{2}}) {
      if (behind(end, block, way)) {
        best = std::min(best, by_branch(value, b, end.word(0), way, depth));
      }
    }
  }
  return best;
}

// What a condition that was true (way 1) or false (2) at the end of block `b` says of a value.
std::uint64_t Ranges::by_branch(Id value, std::size_t b, Id condition_id, std::size_t way,
                                int depth) {
  const Instruction& condition = program_.definitions.of(condition_id);
  if (condition.op == spv::Op::OpPhi && program_.block_of(condition_id) == b) {
    return by_short_circuit(value, condition, way, depth);
  }
  if (depth <= depth_limit && ((condition.op == spv::Op::OpLogicalAnd && way == 1) ||
                               (condition.op == spv::Op::OpLogicalOr && way == 2))) {
    return std::min(by_branch(value, b, condition.word(0), way, depth + 1),
                    by_branch(value, b, condition.word(1), way, depth + 1));
  }
  const auto test = upper_test(condition, value);
  if (!test || test->way != way) {
    return unbounded;
  }
  const std::uint64_t positive =
      most_signed(scalar_width(program_.definitions, program_.definitions.of(value).type));
  const std::uint64_t limit = bound(test->limit, b, depth + 1);
  if (limit == unbounded ||
      (test->is_signed && (limit > positive || !never_negative(value, depth + 1)))) {
    return unbounded;
  }
  return test->is_strict && limit > 0 ? limit - 1 : limit;
}

// a || b, which is false only by way of b, behind where a was false; and a && b likewise.
std::uint64_t Ranges::by_short_circuit(Id value, const Instruction& phi, std::size_t way,
                                       int depth) {
  std::size_t from = ControlFlow::none;
  Id decides = 0;
  for (std::size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const auto constant = program_.constants.scalar(phi.word(k));
    if (constant && (*constant != 0) != (way == 1)) {
      continue;
    }
    if (decides != 0) {
      return unbounded;  // of several one does not know which
    }
    decides = phi.word(k);
    from = program_.flow.index(phi.word(k + 1));
  }
  if (decides == 0 || from == ControlFlow::none) {
    return unbounded;
  }
  return std::min(by_branch(value, from, decides, way, depth + 8),
                  by_condition(value, from, depth + 8));
}

}  // namespace spirv

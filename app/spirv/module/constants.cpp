#include "spirv/module/constants.h"

#include <utility>

namespace spirv {
namespace {

constexpr int deepest_constant = 64;

std::uint64_t mask_of(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::int64_t signed_of(std::uint64_t bits, std::uint32_t width) {
  if (width == 0 || width >= 64) {
    return static_cast<std::int64_t>(bits);
  }
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>(((bits & mask_of(width)) ^ sign) - sign);
}

std::optional<std::uint64_t> compare(spv::Op op, std::uint32_t width, std::uint64_t a,
                                     std::uint64_t b) {
  const std::int64_t x = signed_of(a, width);
  const std::int64_t y = signed_of(b, width);
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return a == b;
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
      return a != b;
    case spv::Op::OpULessThan:
      return a < b;
    case spv::Op::OpULessThanEqual:
      return a <= b;
    case spv::Op::OpUGreaterThan:
      return a > b;
    case spv::Op::OpUGreaterThanEqual:
      return a >= b;
    case spv::Op::OpSLessThan:
      return x < y;
    case spv::Op::OpSLessThanEqual:
      return x <= y;
    case spv::Op::OpSGreaterThan:
      return x > y;
    case spv::Op::OpSGreaterThanEqual:
      return x >= y;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> divide(spv::Op op, std::uint32_t width, std::uint64_t a,
                                    std::uint64_t b) {
  const std::int64_t x = signed_of(a, width);
  const std::int64_t y = signed_of(b, width);
  if (b == 0 || (y == -1 && op != spv::Op::OpUDiv && op != spv::Op::OpUMod)) {
    // Division by −1 can overflow; negation says the same without it.
    if (b == 0) {
      return std::nullopt;
    }
    return op == spv::Op::OpSDiv ? std::uint64_t{0} - a : 0;
  }
  switch (op) {
    case spv::Op::OpUDiv:
      return a / b;
    case spv::Op::OpUMod:
      return a % b;
    case spv::Op::OpSDiv:
      return static_cast<std::uint64_t>(x / y);
    case spv::Op::OpSRem:
      return static_cast<std::uint64_t>(x % y);
    case spv::Op::OpSMod: {
      const std::int64_t r = x % y;
      return static_cast<std::uint64_t>(r != 0 && (r < 0) != (y < 0) ? r + y : r);
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> arithmetic(spv::Op op, std::uint32_t width, std::uint64_t a,
                                        std::uint64_t b) {
  switch (op) {
    case spv::Op::OpIAdd:
      return a + b;
    case spv::Op::OpISub:
      return a - b;
    case spv::Op::OpIMul:
      return a * b;
    case spv::Op::OpSNegate:
      return std::uint64_t{0} - a;
    case spv::Op::OpNot:
      return ~a;
    case spv::Op::OpLogicalNot:
      return a == 0 ? 1 : 0;
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return a & b;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return a | b;
    case spv::Op::OpBitwiseXor:
      return a ^ b;
    default:
      break;
  }
  if (b >= width) {
    return std::nullopt;  // a shift by as many bits as there are is undefined
  }
  switch (op) {
    case spv::Op::OpShiftLeftLogical:
      return a << b;
    case spv::Op::OpShiftRightLogical:
      return a >> b;
    case spv::Op::OpShiftRightArithmetic:
      return static_cast<std::uint64_t>(signed_of(a, width) >> b);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::uint32_t scalar_width(const Definitions& definitions, Id type) {
  const Instruction& t = definitions.of(type);
  switch (t.op) {
    case spv::Op::OpTypeBool:
      return 1;
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return t.word(0);
    case spv::Op::OpTypePointer:
      return t.word(0) == static_cast<std::uint32_t>(spv::StorageClass::PhysicalStorageBuffer) ? 64
                                                                                               : 0;
    default:
      return 0;
  }
}

std::optional<std::uint64_t> fold(spv::Op op, std::uint32_t width, std::uint64_t a,
                                  std::uint64_t b) {
  a &= mask_of(width);
  b &= mask_of(width);
  switch (op) {
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSMod:
    case spv::Op::OpSRem: {
      const auto quotient = divide(op, width, a, b);
      return quotient ? std::optional(*quotient & mask_of(width)) : std::nullopt;
    }
    default:
      break;
  }
  if (const auto truth = compare(op, width, a, b)) {
    return truth;
  }
  const auto value = arithmetic(op, width, a, b);
  return value ? std::optional(*value & mask_of(width)) : std::nullopt;
}

Constants::Constants(const Definitions& definitions, SpecValues values)
    : definitions_(definitions), values_(std::move(values)) {}

std::optional<std::uint64_t> Constants::scalar(Id id) const {
  return evaluate(id, 0);
}

std::optional<std::uint64_t> Constants::component(Id id, std::uint32_t index) const {
  return member(id, index, 0);
}

std::optional<std::uint64_t> Constants::evaluate(Id id, int depth) const {
  if (depth > deepest_constant) {
    return std::nullopt;
  }
  if (const auto known = assumed_.find({id, whole}); known != assumed_.end()) {
    return known->second;
  }
  const Instruction& i = definitions_.of(id);
  const std::uint32_t width = scalar_width(definitions_, i.type);
  if (width == 0 || width > 64) {
    return std::nullopt;
  }
  std::uint64_t bits = i.word(0) | (width > 32 ? std::uint64_t{i.word(1)} << 32U : 0);
  switch (i.op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      bits = 1;
      break;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpConstantNull:
      bits = 0;
      break;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      break;
    case spv::Op::OpSpecConstantOp:
      return expression(i, depth);
    default:
      return std::nullopt;
  }
  if (const Instruction* spec = definitions_.decoration(id, spv::Decoration::SpecId)) {
    if (const auto value = values_.find(spec->word(2)); value != values_.end()) {
      bits = width == 1 ? (value->second != 0 ? 1 : 0) : value->second;
    }
  }
  return bits & mask_of(width);
}

std::optional<std::uint64_t> Constants::member(Id id, std::uint32_t index, int depth) const {
  if (depth > deepest_constant) {
    return std::nullopt;
  }
  if (const auto known = assumed_.find({id, index}); known != assumed_.end()) {
    return known->second;
  }
  const Instruction& i = definitions_.of(id);
  switch (i.op) {
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      return index < i.operands.size() ? evaluate(i.word(index), depth + 1) : std::nullopt;
    case spv::Op::OpConstantNull:
      return 0;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> Constants::expression(const Instruction& i, int depth) const {
  const auto op = static_cast<spv::Op>(i.word(0));
  const std::uint32_t width = scalar_width(definitions_, i.type);
  if (op == spv::Op::OpCompositeExtract) {
    return i.operands.size() == 3 ? member(i.word(1), i.word(2), depth + 1) : std::nullopt;
  }
  const auto a = evaluate(i.word(1), depth + 1);
  if (!a) {
    return std::nullopt;
  }
  const std::uint32_t from = scalar_width(definitions_, definitions_.of(i.word(1)).type);
  switch (op) {
    case spv::Op::OpUConvert:
      return *a & mask_of(width);
    case spv::Op::OpSConvert:
      return static_cast<std::uint64_t>(signed_of(*a, from)) & mask_of(width);
    case spv::Op::OpSelect:
      return evaluate(*a != 0 ? i.word(2) : i.word(3), depth + 1);
    default:
      break;
  }
  std::uint64_t b = 0;
  if (i.operands.size() > 2) {
    const auto second = evaluate(i.word(2), depth + 1);
    if (!second) {
      return std::nullopt;
    }
    b = *second;
  }
  return fold(op, from, *a, b);
}

}  // namespace spirv

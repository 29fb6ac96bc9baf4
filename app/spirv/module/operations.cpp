#include "spirv/module/operations.h"

namespace spirv {

bool compares_integers(spv::Op op) {
  return op == spv::Op::OpIEqual || op == spv::Op::OpINotEqual || orders_integers(op);
}

bool orders_integers(spv::Op op) {
  switch (op) {
    case spv::Op::OpULessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSLessThan:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpSGreaterThanEqual:
      return true;
    default:
      return false;
  }
}

bool combines_integers(spv::Op op) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSMod:
    case spv::Op::OpSRem:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
      return true;
    default:
      return false;
  }
}

namespace {

// The number of an instruction of GLSL.std.450 with two operands; 0 for other instructions.
std::uint32_t glsl_number(const Definitions& definitions, const Instruction& i) {
  const bool glsl = i.op == spv::Op::OpExtInst && i.operands.size() == 4 &&
                    definitions.op(i.word(0)) == spv::Op::OpExtInstImport &&
                    text(definitions.of(i.word(0)), 0) == "GLSL.std.450";
  return glsl ? i.word(1) : 0;
}

}  // namespace

std::size_t result_pointer(const Definitions& definitions, const Instruction& i) {
  constexpr std::uint32_t modf = 35;
  constexpr std::uint32_t frexp = 51;
  const std::uint32_t number = glsl_number(definitions, i);
  return number == modf || number == frexp ? 3 : 0;
}

bool is_minimum(const Definitions& definitions, const Instruction& i) {
  constexpr std::uint32_t u_min = 38;
  return glsl_number(definitions, i) == u_min;
}

bool negates_integer(spv::Op op) {
  return op == spv::Op::OpNot || op == spv::Op::OpSNegate;
}

bool is_subgroup_operation(spv::Op op) {
  return op >= spv::Op::OpGroupNonUniformElect && op <= spv::Op::OpGroupNonUniformQuadSwap;
}

}  // namespace spirv

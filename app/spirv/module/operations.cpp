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

bool is_minimum(const Definitions& definitions, const Instruction& i) {
  constexpr std::uint32_t u_min = 38;
  return i.op == spv::Op::OpExtInst && i.operands.size() == 4 && i.word(1) == u_min &&
         definitions.op(i.word(0)) == spv::Op::OpExtInstImport &&
         text(definitions.of(i.word(0)), 0) == "GLSL.std.450";
}

bool negates_integer(spv::Op op) {
  return op == spv::Op::OpNot || op == spv::Op::OpSNegate;
}

bool is_subgroup_operation(spv::Op op) {
  return op >= spv::Op::OpGroupNonUniformElect && op <= spv::Op::OpGroupNonUniformQuadSwap;
}

}  // namespace spirv

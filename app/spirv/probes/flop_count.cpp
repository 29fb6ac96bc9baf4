#include "spirv/probes/flop_count.h"

namespace spirv {
namespace {

// Of GLSL.std.450.
constexpr std::uint32_t kSin = 13, kInverseSqrt = 32;  // and all functions between
constexpr std::uint32_t kMix = 46, kSmoothStep = 49, kFma = 50;
constexpr std::uint32_t kLength = 66, kDistance = 67, kCross = 68, kNormalize = 69, kReflect = 71;

std::uint32_t of_function(std::uint32_t number, std::uint32_t result, std::uint32_t operand) {
  if (number >= kSin && number <= kInverseSqrt) {
    return result;
  }
  switch (number) {
    case kMix:  // x·(1 − a) + y·a
      return 4 * result;
    case kSmoothStep:  // t = (x − a)/(b − a); t·t·(3 − 2t)
      return 7 * result;
    case kFma:
      return 2 * result;
    case kLength:
      return 2 * operand;
    case kDistance:
    case kNormalize:
      return 3 * operand;
    case kCross:
      return 9;
    case kReflect:  // i − 2·dot(n, i)·n
      return 4 * operand;
    default:
      return 0;
  }
}

std::optional<std::uint32_t> flops_of(const Program& program, const Instruction& i) {
  const auto count = [&](Id type) {
    return static_cast<std::uint32_t>(program.types.scalars(type));
  };
  const auto type_of = [&](std::size_t operand) {
    return program.definitions.of(i.word(operand)).type;
  };
  switch (i.op) {
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpGroupNonUniformFAdd:
    case spv::Op::OpGroupNonUniformFMul:
      return count(i.type);
    case spv::Op::OpDot:
      return 2 * count(type_of(0)) - 1;
    case spv::Op::OpMatrixTimesVector:
      return count(i.type) * (2 * count(type_of(1)) - 1);
    case spv::Op::OpVectorTimesMatrix:
      return count(i.type) * (2 * count(type_of(0)) - 1);
    case spv::Op::OpMatrixTimesMatrix:
      return count(i.type) * (2 * static_cast<std::uint32_t>(program.types.length(type_of(0))) - 1);
    case spv::Op::OpExtInst:
      if (text(program.definitions.of(i.word(0)), 0) != "GLSL.std.450") {
        return 0;
      }
      return of_function(i.word(1), count(i.type), i.operands.size() > 2 ? count(type_of(2)) : 0);
    case spv::Op::OpCooperativeMatrixMulAddNV:
      return std::nullopt;
    default:
      return 0;
  }
}

}  // namespace

FlopCount::FlopCount(const Program& program) : program_(program), used_(program.module.bound) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block& block : program.function.blocks) {
      for (const Instruction& i : block.body) {
        if (i.op != spv::Op::OpAtomicFAddEXT && i.result != 0 && !used_[i.result] &&
            flops_of(program, i).value_or(0) != 0) {
          continue;
        }
        for (const Operand& operand : i.operands) {
          if (operand.is_id && !used_[operand.word]) {
            changed = used_[operand.word] = true;
          }
        }
      }
    }
  }
}

std::optional<std::uint32_t> FlopCount::of(const Instruction& i) const {
  const bool used = i.op == spv::Op::OpAtomicFAddEXT || (i.result != 0 && used_[i.result]);
  return used ? flops_of(program_, i) : std::optional(0U);
}

}  // namespace spirv

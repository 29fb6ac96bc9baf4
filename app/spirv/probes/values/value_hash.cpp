#include "spirv/probes/values/value_hash.h"

#include <algorithm>
#include <utility>

namespace spirv {
namespace {

constexpr std::uint64_t widest = 64;
constexpr std::uint32_t several = 0xFFFFFFFE;

spv::Capability arithmetic_of(const Instruction& scalar) {
  return scalar.op == spv::Op::OpTypeFloat ? spv::Capability::Float16
         : scalar.word(0) == 16            ? spv::Capability::Int16
                                           : spv::Capability::Int8;
}

bool has_capability(const Module& module, spv::Capability capability) {
  return std::ranges::any_of(module.preamble, [capability](const Instruction& i) {
    return i.op == spv::Op::OpCapability && i.word(0) == static_cast<std::uint32_t>(capability);
  });
}

}  // namespace

WideVector widened(const Program& program, Emitter& emitter, std::vector<Instruction>& code,
                   Id vector, Id type) {
  const Instruction& shape = program.definitions.of(type);
  const Instruction& scalar = program.definitions.of(shape.word(0));
  const bool real = scalar.op == spv::Op::OpTypeFloat;
  if (shape.op != spv::Op::OpTypeVector || (!real && scalar.op != spv::Op::OpTypeInt) ||
      scalar.word(0) >= 32) {
    return {};
  }
  const bool is_signed = !real && scalar.word(1) != 0;
  const Id wide = real
                      ? emitter.float_type()
                      : emitter.type(spv::Op::OpTypeInt, {literal(32), literal(is_signed ? 1 : 0)});
  const spv::Op convert = real        ? spv::Op::OpFConvert
                          : is_signed ? spv::Op::OpSConvert
                                      : spv::Op::OpUConvert;
  const Id id = emitter.module().fresh();
  code.push_back({convert, emitter.vector_type(wide, shape.word(1)), id, {ref(vector)}, {}});
  return {id, wide};
}

bool may_extract(const Program& program, Id composite) {
  const Instruction& type = program.definitions.of(composite);
  switch (type.op) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return type.word(0) >= 32 || has_capability(program.module, arithmetic_of(type));
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
      return may_extract(program, type.word(0));
    case spv::Op::OpTypeStruct:
      return std::ranges::all_of(type.operands, [&program](const Operand& member) {
        return may_extract(program, member.word);
      });
    default:
      return true;
  }
}

Id ValueHash::emit(spv::Op op, Id type, std::vector<Operand> operands) {
  const Id id = emitter_.module().fresh();
  code_.push_back({op, type, id, std::move(operands), {}});
  return id;
}

std::vector<Id> ValueHash::cells(Id value, Id type, std::uint64_t width, std::uint64_t size) {
  const bool vector = program_.definitions.op(type) == spv::Op::OpTypeVector;
  const bool whole = vector || program_.types.is_scalar(type);
  if (value == 0 || width > widest || (!whole && !may_extract(program_, type))) {
    return std::vector<Id>(width / size, emitter_.constant(several));
  }
  std::vector<Id> words;
  flatten(value, type, words);
  std::vector<Id> hashes;
  const Id uint = emitter_.uint_type();
  for (std::size_t first = 0; first + size <= words.size(); first += size) {
    Id hash = words[first];
    for (std::size_t k = 1; k < size; ++k) {
      // A multiplication alone keeps the trailing zeros that floats end in: (1, 1) and (4, 4) would
      // be one value.
      hash = emit(spv::Op::OpIMul, uint, {ref(hash), ref(emitter_.constant(0x9E3779B1))});
      const Id high =
          emit(spv::Op::OpShiftRightLogical, uint, {ref(hash), ref(emitter_.constant(15))});
      hash = emit(spv::Op::OpBitwiseXor, uint, {ref(hash), ref(high)});
      hash = emit(spv::Op::OpBitwiseXor, uint, {ref(hash), ref(words[first + k])});
    }
    const Id high =
        emit(spv::Op::OpShiftRightLogical, uint, {ref(hash), ref(emitter_.constant(31))});
    hash = emit(spv::Op::OpBitwiseXor, uint, {ref(hash), ref(high)});
    hashes.push_back(
        emit(spv::Op::OpBitwiseAnd, uint, {ref(hash), ref(emitter_.constant(0x7FFFFFFF))}));
  }
  return hashes;
}

void ValueHash::flatten(Id value, Id type, std::vector<Id>& words) {
  if (program_.types.is_scalar(type)) {
    words.push_back(word_of(value, type));
    return;
  }
  const auto count = static_cast<std::uint32_t>(program_.types.length(type));
  const WideVector wide = widened(program_, emitter_, code_, value, type);
  for (std::uint32_t m = 0; m < count; ++m) {
    if (wide.scalar != 0) {
      const Id part = emit(spv::Op::OpCompositeExtract, wide.scalar, {ref(wide.value), literal(m)});
      words.push_back(wide.scalar == emitter_.uint_type()
                          ? part
                          : emit(spv::Op::OpBitcast, emitter_.uint_type(), {ref(part)}));
      continue;
    }
    const Id element = program_.types.element(type, m);
    flatten(emit(spv::Op::OpCompositeExtract, element, {ref(value), literal(m)}), element, words);
  }
}

Id ValueHash::word_of(Id scalar, Id type) {
  const Id uint = emitter_.uint_type();
  const Instruction& t = program_.definitions.of(type);
  const std::uint32_t width = scalar_width(program_.definitions, type);
  if (t.op == spv::Op::OpTypeBool) {
    return emit(spv::Op::OpSelect, uint,
                {ref(scalar), ref(emitter_.constant(1)), ref(emitter_.constant(0))});
  }
  if (width == 32) {
    return type == uint ? scalar : emit(spv::Op::OpBitcast, uint, {ref(scalar)});
  }
  if (width == 64) {
    const Id both = emit(spv::Op::OpBitcast, emitter_.vector_type(uint, 2), {ref(scalar)});
    const Id low = emit(spv::Op::OpCompositeExtract, uint, {ref(both), literal(0)});
    const Id high = emit(spv::Op::OpCompositeExtract, uint, {ref(both), literal(1)});
    const Id mixed = emit(spv::Op::OpIMul, uint, {ref(high), ref(emitter_.constant(0x9E3779B1))});
    return emit(spv::Op::OpBitwiseXor, uint, {ref(low), ref(mixed)});
  }
  if (t.op == spv::Op::OpTypeFloat) {
    const Id wide = emit(spv::Op::OpFConvert, emitter_.float_type(), {ref(scalar)});
    return emit(spv::Op::OpBitcast, uint, {ref(wide)});
  }
  if (t.word(1) != 0) {
    const Id signed_word = emitter_.type(spv::Op::OpTypeInt, {literal(32), literal(1)});
    const Id wide = emit(spv::Op::OpSConvert, signed_word, {ref(scalar)});
    return emit(spv::Op::OpBitcast, uint, {ref(wide)});
  }
  return emit(spv::Op::OpUConvert, uint, {ref(scalar)});
}

}  // namespace spirv

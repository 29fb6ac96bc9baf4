#include "spirv/probes/value_hash.h"

#include <utility>

namespace spirv {
namespace {

constexpr std::uint64_t widest = 64;
constexpr std::uint32_t several = 0xFFFFFFFE;

}  // namespace

Id ValueHash::emit(spv::Op op, Id type, std::vector<Operand> operands) {
  const Id id = emitter_.module().fresh();
  code_.push_back({op, type, id, std::move(operands), {}});
  return id;
}

std::vector<Id> ValueHash::cells(Id value, Id type, std::uint64_t width, std::uint64_t size) {
  if (value == 0 || width > widest) {
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
  for (std::uint32_t m = 0; m < count; ++m) {
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

#include "spirv/probes/arithmetic_probe.h"

#include <algorithm>

namespace spirv {
namespace {

// Of float32: the exponent of NaN and infinity; what buffers are filled with where nothing was
// written (core::Fill::poison) is no result.
constexpr std::uint32_t special = 0x7F800000;
constexpr std::uint32_t poison = 0x7FC0DEAD;

bool is_division(spv::Op op) {
  return op == spv::Op::OpUDiv || op == spv::Op::OpSDiv || op == spv::Op::OpUMod ||
         op == spv::Op::OpSMod || op == spv::Op::OpSRem;
}

bool is_shift(spv::Op op) {
  return op == spv::Op::OpShiftLeftLogical || op == spv::Op::OpShiftRightLogical ||
         op == spv::Op::OpShiftRightArithmetic;
}

struct Shape {
  Id scalar = 0;
  std::uint32_t components = 1;
};

Shape shape_of(const Program& program, Id type) {
  if (program.definitions.op(type) == spv::Op::OpTypeVector) {
    return {program.types.element(type), static_cast<std::uint32_t>(program.types.length(type))};
  }
  return {type, 1};
}

}  // namespace

ArithmeticProbe::ArithmeticProbe(const Program& program, const Intervals& intervals) {
  for (const std::size_t b : program.flow.order()) {
    for (std::size_t i = 0; i < program.function.blocks[b].body.size(); ++i) {
      visit(program, intervals, {b, i});
    }
  }
}

void ArithmeticProbe::visit(const Program& program, const Intervals& intervals,
                            const AccessPlace& place) {
  const Instruction& i = program.function.blocks[place.first].body[place.second];
  CheckedOperation found;
  found.at = i.at;
  found.place = place;
  if (i.op == spv::Op::OpStore) {
    const PointerPath path = program.path(i.word(0));
    const Shape shape = shape_of(program, program.definitions.of(i.word(1)).type);
    if (program.storage(path.variable) != spv::StorageClass::StorageBuffer ||
        program.definitions.op(shape.scalar) != spv::Op::OpTypeFloat ||
        scalar_width(program.definitions, shape.scalar) != 32) {
      return;
    }
    const Id block = program.definitions.of(program.definitions.of(path.variable).type).word(1);
    const auto member =
        path.indices.empty() ? std::nullopt : program.constants.scalar(path.indices.front());
    found.variable =
        member && program.types.is_struct(block)
            ? program.definitions.member_name(block, static_cast<std::uint32_t>(*member))
            : program.definitions.name(path.variable);
    checked_.push_back(found);
    return;
  }
  if (!is_division(i.op) && !is_shift(i.op)) {
    return;
  }
  const Shape shape = shape_of(program, program.definitions.of(i.word(1)).type);
  const std::uint32_t width = scalar_width(program.definitions, shape_of(program, i.type).scalar);
  if (shape.components != 1 || scalar_width(program.definitions, shape.scalar) > 32) {
    const auto known = [&](std::uint32_t c) {
      const auto constant = shape.components == 1 ? program.constants.scalar(i.word(1))
                                                  : program.constants.component(i.word(1), c);
      return constant && (is_shift(i.op) ? *constant < width : *constant != 0);
    };
    bool all = true;
    for (std::uint32_t c = 0; c < shape.components; ++c) {
      all = all && known(c);
    }
    if (all) {
      return;
    }
  } else {
    const Interval by = intervals.of(i.word(1), place.first);
    const bool safe =
        is_shift(i.op) ? by.high < width : by.low > 0 || by.signed_low > 0 || by.signed_high < 0;
    if (program.launch.proofs && (by.empty() || safe)) {
      return;
    }
  }
  found.kind = is_shift(i.op) ? CheckedOperation::Kind::shift : CheckedOperation::Kind::division;
  found.bits = width;
  checked_.push_back(found);
}

void ArithmeticProbe::write(const Program& program, Emitter& emitter, Insertions& code,
                            const std::vector<Id>& told) const {
  const Id uint = emitter.uint_type();
  const Id truth = emitter.bool_type();
  for (std::size_t n = 0; n < checked_.size(); ++n) {
    const CheckedOperation& operation = checked_[n];
    const Instruction& i =
        program.function.blocks[operation.place.first].body[operation.place.second];
    std::vector<Instruction>& at = code.before(operation.place);
    const Id value = i.word(1);
    const Shape shape = shape_of(program, program.definitions.of(value).type);
    for (std::uint32_t c = 0; c < shape.components; ++c) {
      const Id scalar = shape.components == 1 ? value
                                              : code.emit(at, spv::Op::OpCompositeExtract,
                                                          shape.scalar, {ref(value), literal(c)});
      Id word = 0;
      Id bad = 0;
      if (operation.kind == CheckedOperation::Kind::stored) {
        word = code.emit(at, spv::Op::OpBitcast, uint, {ref(scalar)});
        const Id exponent =
            code.emit(at, spv::Op::OpBitwiseAnd, uint, {ref(word), ref(emitter.constant(special))});
        const Id all = code.emit(at, spv::Op::OpIEqual, truth,
                                 {ref(exponent), ref(emitter.constant(special))});
        const Id other =
            code.emit(at, spv::Op::OpINotEqual, truth, {ref(word), ref(emitter.constant(poison))});
        bad = code.emit(at, spv::Op::OpLogicalAnd, truth, {ref(all), ref(other)});
      } else {
        const Instruction& type = program.definitions.of(shape.scalar);
        const bool shift = operation.kind == CheckedOperation::Kind::shift;
        Id as_word = scalar;
        if (type.word(0) == 64) {
          const Id halves = code.emit(at, spv::Op::OpBitcast,
                                      emitter.type(spv::Op::OpTypeVector, {ref(uint), literal(2)}),
                                      {ref(scalar)});
          const Id low =
              code.emit(at, spv::Op::OpCompositeExtract, uint, {ref(halves), literal(0)});
          const Id high =
              code.emit(at, spv::Op::OpCompositeExtract, uint, {ref(halves), literal(1)});
          const Id small =
              code.emit(at, spv::Op::OpIEqual, truth, {ref(high), ref(emitter.constant(0))});
          as_word = shift ? code.emit(at, spv::Op::OpSelect, uint,
                                      {ref(small), ref(low), ref(emitter.constant(0xFFFFFFFF))})
                          : code.emit(at, spv::Op::OpBitwiseOr, uint, {ref(low), ref(high)});
        } else if (shape.scalar != uint) {
          const bool narrow = type.word(0) < 32;
          const Id plain = emitter.type(spv::Op::OpTypeInt, {literal(type.word(0)), literal(0)});
          as_word = narrow && type.word(1) != 0
                        ? code.emit(at, spv::Op::OpBitcast, plain, {ref(scalar)})
                        : scalar;
          as_word = code.emit(at, narrow ? spv::Op::OpUConvert : spv::Op::OpBitcast, uint,
                              {ref(as_word)});
        }
        bad = code.emit(at, shift ? spv::Op::OpUGreaterThanEqual : spv::Op::OpIEqual, truth,
                        {ref(as_word), ref(emitter.constant(shift ? operation.bits : 0))});
        word = shift ? as_word : emitter.constant(1);
      }
      const Id old = code.emit(at, spv::Op::OpLoad, uint, {ref(told[n])});
      const Id now = code.emit(at, spv::Op::OpSelect, uint, {ref(bad), ref(word), ref(old)});
      at.push_back({spv::Op::OpStore, 0, 0, {ref(told[n]), ref(now)}, {}});
    }
  }
}

}  // namespace spirv

#include "spirv/probes/insertions.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace spirv {
namespace {

// Constants that were worked out may lead in front of an array's begin, which a module may not say
// of itself. As a number without a sign they are as far outside; what is told of them is told by
// what the kernel has.
void drop_signs(const Definitions& definitions, Emitter& emitter, Instruction& i) {
  if (i.op != spv::Op::OpAccessChain && i.op != spv::Op::OpInBoundsAccessChain) {
    return;
  }
  for (std::size_t k = 1; k < i.operands.size(); ++k) {
    const Instruction& index = definitions.of(i.word(k));
    const Instruction& type = definitions.of(index.type);
    if (index.op == spv::Op::OpConstant && type.op == spv::Op::OpTypeInt && type.word(1) != 0 &&
        index.operands.back().word >> 31U != 0) {
      constexpr std::uint32_t outside_of_all = 0xFFFFFFFF;
      i.operands[k] = ref(emitter.constant(type.word(0) > 32 ? outside_of_all : index.word(0)));
    }
  }
}

// True in a lane that an invocation has: its bit in the ballot of the subgroup. A comparison of
// LocalInvocationId is not enough: Mesa replaces a coordinate by 0 where the workgroup's size is 1
// (nir_lower_compute_system_values).
Id has_invocation(Emitter& emitter, Code& code) {
  emitter.module().version = std::max<std::uint32_t>(emitter.module().version, 0x00010300);
  emitter.capability(spv::Capability::GroupNonUniform);
  emitter.capability(spv::Capability::GroupNonUniformBallot);
  const Id uint = emitter.uint_type();
  const Id zero = emitter.constant(0);
  const Id subgroup = emitter.constant(static_cast<std::uint32_t>(spv::Scope::Subgroup));
  const Id yes = code.test(spv::Op::OpIEqual, zero, zero);
  const Id ballot = code.emit(spv::Op::OpGroupNonUniformBallot, emitter.vector_type(uint, 4),
                              {ref(subgroup), ref(yes)});
  const Id lanes = code.emit(spv::Op::OpCompositeExtract, uint, {ref(ballot), literal(0)});
  const Id lane = code.load(emitter.built_in(spv::BuiltIn::SubgroupLocalInvocationId, uint));
  const Id bits = code.word(spv::Op::OpShiftRightLogical, lanes, lane);
  const Id bit = code.word(spv::Op::OpBitwiseAnd, bits, emitter.constant(1));
  return code.test(spv::Op::OpINotEqual, bit, zero);
}

}  // namespace

Id Insertions::emit(std::vector<Instruction>& code, spv::Op op, Id type,
                    std::vector<Operand> operands) {
  const Id id = emitter_.module().fresh();
  code.push_back({op, type, id, std::move(operands), {}});
  return id;
}

void Insertions::call(std::vector<Instruction>& code, Id function,
                      const std::vector<Id>& arguments) {
  std::vector<Operand> operands{ref(function)};
  for (const Id argument : arguments) {
    operands.push_back(ref(argument));
  }
  (void)emit(code, spv::Op::OpFunctionCall, emitter_.void_type(), std::move(operands));
}

Id Insertions::one_of(std::vector<Instruction>& code, Id index,
                      const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint32_t> words;
  for (const std::uint64_t number : numbers) {
    words.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(number, 0xFFFFFFFF)));
  }
  if (std::ranges::adjacent_find(words, std::not_equal_to<>()) == words.end()) {
    return emitter_.constant(words.front());
  }
  const Id uint = emitter_.uint_type();
  const Id last = emitter_.constant(static_cast<std::uint32_t>(words.size() - 1));
  const Id beyond =
      emit(code, spv::Op::OpUGreaterThan, emitter_.bool_type(), {ref(index), ref(last)});
  const Id inside = emit(code, spv::Op::OpSelect, uint, {ref(beyond), ref(last), ref(index)});
  const Id pointer =
      emit(code, spv::Op::OpAccessChain, emitter_.pointer_type(spv::StorageClass::Private, uint),
           {ref(emitter_.private_table(words)), ref(inside)});
  return emit(code, spv::Op::OpLoad, uint, {ref(pointer)});
}

Id Insertions::as_word(std::vector<Instruction>& code, Id integer) {
  return as_word(code, integer, program_.definitions.of(integer).type);
}

Id Insertions::as_word(std::vector<Instruction>& code, Id integer, Id integer_type) {
  const Instruction& type = program_.definitions.of(integer_type);
  const Id uint = emitter_.uint_type();
  if (type.op != spv::Op::OpTypeInt || integer_type == uint) {
    return integer;  // one of ours, which are words
  }
  if (type.word(0) == 32) {
    return emit(code, spv::Op::OpBitcast, uint, {ref(integer)});
  }
  if (type.word(0) < 32 && type.word(1) != 0) {
    const Id wide = emitter_.type(spv::Op::OpTypeInt, {literal(32), literal(1)});
    const Id extended = emit(code, spv::Op::OpSConvert, wide, {ref(integer)});
    return emit(code, spv::Op::OpBitcast, uint, {ref(extended)});
  }
  if (type.word(1) != 0) {
    const Id plain = emitter_.type(spv::Op::OpTypeInt, {literal(type.word(0)), literal(0)});
    integer = emit(code, spv::Op::OpBitcast, plain, {ref(integer)});
  }
  return emit(code, spv::Op::OpUConvert, uint, {ref(integer)});
}

Function& Insertions::function() {
  const auto number = &program_.function - program_.module.functions.data();
  return emitter_.module().functions[static_cast<std::size_t>(number)];
}

CodePlace Insertions::place_of(Id value) const {
  const std::size_t block = program_.block_of(value);
  const auto& body = program_.function.blocks[block].body;
  const auto at = std::ranges::find(body, value, &Instruction::result);
  return {block, static_cast<std::size_t>(at - body.begin())};
}

void Insertions::tell_launch_size(Id buffer, const std::array<std::uint32_t, 3>& words,
                                  const std::array<std::uint32_t, 3>& known) {
  const Id uint = emitter_.uint_type();
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const PointerPath path =
          body[i].op == spv::Op::OpLoad ? program_.path(body[i].word(0)) : PointerPath{};
      if (program_.built_in(path.variable) != spv::BuiltIn::NumWorkgroups) {
        continue;
      }
      const auto pointer = [&](std::uint32_t word) {
        return emit(before({b, i}), spv::Op::OpAccessChain,
                    emitter_.pointer_type(spv::StorageClass::StorageBuffer, uint),
                    {ref(buffer), ref(emitter_.constant(0)), ref(emitter_.constant(word))});
      };
      const auto size = [&](std::size_t d) {
        return known[d] != 0
                   ? emitter_.constant(known[d])
                   : emit(before({b, i}), spv::Op::OpLoad, uint, {ref(pointer(words[d]))});
      };
      Instruction& load = function().blocks[b].body[i];
      if (path.indices.empty()) {
        std::vector<Operand> parts;
        for (std::size_t d = 0; d < words.size(); ++d) {
          parts.push_back(ref(size(d)));
        }
        load.op = spv::Op::OpCompositeConstruct;
        load.operands = parts;
      } else if (const auto d = program_.constants.scalar(path.indices.front()); d && *d < 3) {
        load.op = spv::Op::OpCopyObject;
        load.operands = {ref(size(*d))};
      }
    }
  }
}

bool Insertions::is_counted_by(Id value, const ControlFlow::Loop& loop, int depth) const {
  const std::size_t block = program_.block_of(value);
  if (depth < 0 || block == ControlFlow::none || !loop.contains[block]) {
    return false;
  }
  const Instruction& i = program_.definitions.of(value);
  return (i.op == spv::Op::OpPhi && block == loop.header) ||
         std::ranges::any_of(i.operands, [&](const Operand& operand) {
           return operand.is_id && is_counted_by(operand.word, loop, depth - 1);
         });
}

bool Insertions::counts_own_elements(const ControlFlow::Loop& loop) const {
  constexpr int deepest = 6;
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    for (const Instruction& i : program_.function.blocks[b].body) {
      if (!loop.contains[b] ||
          (i.op != spv::Op::OpAccessChain && i.op != spv::Op::OpInBoundsAccessChain)) {
        continue;
      }
      const auto storage = static_cast<spv::StorageClass>(program_.definitions.of(i.type).word(0));
      const bool own =
          storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
      if (own && std::any_of(i.operands.begin() + 1, i.operands.end(), [&](const Operand& index) {
            return is_counted_by(index.word, loop, deepest);
          })) {
        return true;
      }
    }
  }
  return false;
}

void Insertions::keep_loops(Loops which) {
  std::vector<bool> calls(program_.flow.size());
  for (const auto* places : {&before_, &after_}) {
    for (const auto& [at, code] : *places) {
      calls[at.first] = calls[at.first] || std::ranges::find(code, spv::Op::OpFunctionCall,
                                                             &Instruction::op) != code.end();
    }
  }
  constexpr std::uint32_t unroll = 1;
  constexpr std::uint32_t dont_unroll = 2;
  constexpr std::uint32_t peel_and_partial = 0x80 | 0x100;
  for (const ControlFlow::Loop& loop : program_.flow.loops()) {
    bool holds = false;
    for (std::size_t b = 0; b < calls.size(); ++b) {
      holds = holds || (calls[b] && loop.contains[b]);
    }
    const bool outer = std::ranges::any_of(program_.flow.loops(), [&](const auto& inner) {
      return inner.header != loop.header && loop.contains[inner.header];
    });
    holds = holds && (which == Loops::all || outer) && !counts_own_elements(loop);
    for (Instruction& i : function().blocks[loop.header].body) {
      if (holds && i.op == spv::Op::OpLoopMerge && (i.operands[2].word & peel_and_partial) == 0) {
        i.operands[2] = literal((i.operands[2].word & ~unroll) | dont_unroll);
      }
    }
  }
}

void Insertions::apply() {
  auto& blocks = function().blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<Instruction> body;
    for (std::size_t i = 0; i < blocks[b].body.size(); ++i) {
      if (const auto added = before_.find({b, i}); added != before_.end()) {
        std::ranges::move(added->second, std::back_inserter(body));
      }
      drop_signs(program_.definitions, emitter_, blocks[b].body[i]);
      body.push_back(std::move(blocks[b].body[i]));
      if (const auto added = after_.find({b, i}); added != after_.end()) {
        std::ranges::move(added->second, std::back_inserter(body));
      }
    }
    blocks[b].body = std::move(body);
  }
}

void Insertions::wrap_entry(Id begin, const std::vector<Id>& ends, bool idle_lanes) {
  constexpr std::uint32_t widest_subgroup = 16;  // of those that have idle lanes
  const Id inner = function().id();
  Code code(emitter_, "tilescope_main", emitter_.void_type(), {});
  const auto call_all = [&] {
    std::vector<Id> callees{begin, inner};
    callees.insert(callees.end(), ends.begin(), ends.end());
    for (const Id callee : callees) {
      (void)code.emit(spv::Op::OpFunctionCall, emitter_.void_type(), {ref(callee)});
    }
  };
  if (idle_lanes && program_.interface.local_size[0] % widest_subgroup != 0) {
    code.when(has_invocation(emitter_, code), call_all);
  } else {
    call_all();
  }
  code.finish();
  for (Instruction& i : emitter_.module().preamble) {
    const bool entry = i.op == spv::Op::OpEntryPoint && i.word(1) == inner;
    const bool mode = (i.op == spv::Op::OpExecutionMode || i.op == spv::Op::OpExecutionModeId) &&
                      i.word(0) == inner;
    if (entry || mode) {
      i.operands[entry ? 1 : 0] = ref(code.id());
    }
  }
}

}  // namespace spirv

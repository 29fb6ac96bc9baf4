#include "spirv/probes/values/undefined_probe.h"

#include <algorithm>
#include <utility>

namespace spirv {
namespace {

constexpr std::uint32_t most_uses = 256;  // words that are reported

std::uint32_t ones(std::uint32_t count) {
  return count >= 32 ? 0xFFFFFFFF : (std::uint32_t{1} << count) - 1;
}

// Operations that reduce or scan a value over lanes; their masks are reduced in the same way.
bool gathers_lanes(spv::Op op) {
  return op >= spv::Op::OpGroupNonUniformIAdd && op <= spv::Op::OpGroupNonUniformLogicalXor;
}

}  // namespace

// Masks of a kernel's values. A mask of 0 (an id) says that the value is always defined.
class UndefinedProbe::Writer {
 public:
  Writer(const UndefinedValues& values, const Program& program, Emitter& emitter, Insertions& code)
      : values_(values), program_(program), emitter_(emitter), code_(code) {
    // Phis may name values of later blocks.
    for (const auto& [value, parts] : values.values()) {
      if (program.definitions.op(value) == spv::Op::OpPhi) {
        masks_[value] = emitter.module().fresh();
      }
    }
    for (const std::size_t b : program.flow.order()) {
      const auto& body = program.function.blocks[b].body;
      for (std::size_t i = 0; i < body.size(); ++i) {
        if (body[i].result != 0 && values.values().contains(body[i].result) &&
            body[i].op != spv::Op::OpPhi) {
          at_ = &code.before({b, i});
          masks_[body[i].result] = mask_of(body[i]);
        }
      }
    }
    for (const auto& [value, parts] : values.values()) {
      if (program.definitions.op(value) == spv::Op::OpPhi) {
        write_phi(program.definitions.of(value));
      }
    }
  }

  void tell(const UndefinedUse& use, Id told) {
    const auto& body = program_.function.blocks[use.place.first].body;
    CodePlace place = use.place;
    while (place.second > 0 && (body[place.second - 1].op == spv::Op::OpSelectionMerge ||
                                body[place.second - 1].op == spv::Op::OpLoopMerge)) {
      --place.second;
    }
    at_ = &code_.before(place);
    Id mask = masks_.at(use.value);
    if (use.scalars != ones(values_.scalars(use.value))) {
      mask = word(spv::Op::OpBitwiseAnd, {ref(mask), ref(emitter_.constant(use.scalars))});
    }
    const Id old = word(spv::Op::OpLoad, {ref(told)});
    // The first use that is reported stays.
    const Id now = choose(is_none(old), mask, old);
    at_->push_back({spv::Op::OpStore, 0, 0, {ref(told), ref(now)}, {}});
  }

 private:
  Id word(spv::Op op, std::vector<Operand> operands) {
    return code_.emit(*at_, op, emitter_.uint_type(), std::move(operands));
  }
  Id test(spv::Op op, std::vector<Operand> operands) {
    return code_.emit(*at_, op, emitter_.bool_type(), std::move(operands));
  }
  Id choose(Id condition, Id yes, Id no) {
    return word(spv::Op::OpSelect, {ref(condition), ref(yes), ref(no)});
  }
  Id is_none(Id mask) { return test(spv::Op::OpIEqual, {ref(mask), ref(emitter_.constant(0))}); }
  // All of so many scalars where a mask has any.
  Id all_if_any(Id mask, std::uint32_t count) {
    return choose(is_none(mask), emitter_.constant(0), emitter_.constant(ones(count)));
  }
  Id or_of(Id a, Id b) {
    return a == 0 ? b : b == 0 ? a : word(spv::Op::OpBitwiseOr, {ref(a), ref(b)});
  }
  [[nodiscard]] Id known(const Instruction& i, std::size_t k) const {
    const auto found =
        k < i.operands.size() && i.operands[k].is_id ? masks_.find(i.word(k)) : masks_.end();
    return found == masks_.end() ? 0 : found->second;
  }
  // The scalars [first, first + count) of a mask, put at `to`.
  Id moved(Id mask, std::uint32_t first, std::uint32_t count, std::uint32_t to) {
    if (mask == 0) {
      return 0;
    }
    const Id low = word(spv::Op::OpShiftRightLogical, {ref(mask), ref(emitter_.constant(first))});
    const Id own = word(spv::Op::OpBitwiseAnd, {ref(low), ref(emitter_.constant(ones(count)))});
    return word(spv::Op::OpShiftLeftLogical, {ref(own), ref(emitter_.constant(to))});
  }

  Id mask_of(const Instruction& i) {
    const Id mask = raw_mask_of(i);
    return mask == 0 ? emitter_.constant(0) : mask;
  }

  Id raw_mask_of(const Instruction& i) {
    const std::uint32_t count = values_.scalars(i.result);
    switch (i.op) {
      case spv::Op::OpUndef:
        return emitter_.constant(ones(count));
      case spv::Op::OpCopyObject:
      case spv::Op::OpCopyLogical:
        return known(i, 0);
      case spv::Op::OpCompositeExtract: {
        const auto [first, number] = values_.part_of(program_.definitions.of(i.word(0)).type, i, 1);
        return moved(known(i, 0), first, number, 0);
      }
      case spv::Op::OpCompositeInsert: {
        const auto [first, number] = values_.part_of(i.type, i, 2);
        const std::uint32_t others = ones(count) & ~(ones(number) << first);
        const Id whole = known(i, 1);
        const Id rest =
            whole == 0 ? 0
                       : word(spv::Op::OpBitwiseAnd, {ref(whole), ref(emitter_.constant(others))});
        return or_of(rest, moved(known(i, 0), 0, number, first));
      }
      case spv::Op::OpCompositeConstruct: {
        Id mask = 0;
        std::uint32_t first = 0;
        for (std::size_t k = 0; k < i.operands.size(); ++k) {
          const std::uint32_t own = values_.scalars(i.word(k));
          mask = or_of(mask, moved(known(i, k), 0, own, first));
          first += own;
        }
        return mask;
      }
      case spv::Op::OpVectorShuffle: {
        const std::uint32_t length = values_.scalars(i.word(0));
        Id mask = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
          const std::uint32_t from = i.word(k + 2);
          if (from != 0xFFFFFFFF) {
            const bool first = from < length;
            mask = or_of(mask, moved(known(i, first ? 0 : 1), first ? from : from - length, 1, k));
          }
        }
        return mask;
      }
      case spv::Op::OpSelect:
        return of_select(i, count);
      case spv::Op::OpLogicalAnd:
      case spv::Op::OpLogicalOr:
        if (count == 1) {
          return of_logic(i);
        }
        break;
      default:
        break;
    }
    if (reads_lane(i.op)) {
      return of_lane(i, count);
    }
    if (gathers_lanes(i.op)) {
      Instruction gather = i;
      gather.operands[2] = ref(or_of(known(i, 2), emitter_.constant(0)));
      emitter_.capability(spv::Capability::GroupNonUniformArithmetic);
      return word(spv::Op::OpGroupNonUniformBitwiseOr, gather.operands);
    }
    const bool apart = values_.by_component(i);
    Id mask = 0;
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      if (const Id own = known(i, k)) {
        const bool same = apart && values_.scalars(i.word(k)) == count;
        mask = or_of(mask, same ? own : all_if_any(own, count));
      }
    }
    return mask;
  }

  // A selection has the mask of what it selects.
  Id of_select(const Instruction& i, std::uint32_t count) {
    const Id zero = emitter_.constant(0);
    const Id yes = or_of(known(i, 1), zero);
    const Id no = or_of(known(i, 2), zero);
    const std::uint32_t conditions = values_.scalars(i.word(0));
    Id mask = 0;
    for (std::uint32_t k = 0; k < conditions; ++k) {
      const Id condition = conditions == 1
                               ? i.word(0)
                               : code_.emit(*at_, spv::Op::OpCompositeExtract, emitter_.bool_type(),
                                            {ref(i.word(0)), literal(k)});
      const Id chosen = choose(condition, yes, no);
      mask = or_of(mask, conditions == 1 ? chosen
                                         : word(spv::Op::OpBitwiseAnd,
                                                {ref(chosen), ref(emitter_.constant(1U << k))}));
    }
    const Id decides = known(i, 0);
    return decides == 0 ? mask
                        : or_of(mask, conditions == count ? decides : all_if_any(decides, count));
  }

  // If one side is defined and decides the result, the other side does not matter.
  Id of_logic(const Instruction& i) {
    const Id zero = emitter_.constant(0);
    Id mask = or_of(known(i, 0), known(i, 1));
    for (std::size_t k = 0; k < 2; ++k) {
      const Id value = i.word(k);
      const Id decides =
          i.op == spv::Op::OpLogicalOr ? value : test(spv::Op::OpLogicalNot, {ref(value)});
      const Id own = known(i, k);
      const Id surely =
          own == 0 ? decides : test(spv::Op::OpLogicalAnd, {ref(decides), ref(is_none(own))});
      mask = choose(surely, zero, mask);
    }
    return mask;
  }

  Id of_lane(const Instruction& i, std::uint32_t count) {
    const Id zero = emitter_.constant(0);
    emitter_.capability(spv::Capability::GroupNonUniformBallot);
    const Id scope = emitter_.constant(static_cast<std::uint32_t>(spv::Scope::Subgroup));
    const auto load = [&](spv::BuiltIn built_in) {
      return word(spv::Op::OpLoad, {ref(emitter_.built_in(built_in, emitter_.uint_type()))});
    };
    const Id self = load(spv::BuiltIn::SubgroupLocalInvocationId);
    const Id size = load(spv::BuiltIn::SubgroupSize);
    const Id operand = code_.as_word(*at_, i.word(2));
    const auto quad_base = [&] {
      return word(spv::Op::OpBitwiseAnd, {ref(self), ref(emitter_.constant(~3U))});
    };
    Id lane = operand;
    bool shifts = false;
    switch (i.op) {
      case spv::Op::OpGroupNonUniformShuffleXor:
        lane = word(spv::Op::OpBitwiseXor, {ref(self), ref(operand)});
        break;
      case spv::Op::OpGroupNonUniformShuffleUp:
        lane = word(spv::Op::OpISub, {ref(self), ref(operand)});
        shifts = true;
        break;
      case spv::Op::OpGroupNonUniformShuffleDown:
        lane = word(spv::Op::OpIAdd, {ref(self), ref(operand)});
        shifts = true;
        break;
      case spv::Op::OpGroupNonUniformQuadBroadcast:
        lane = word(spv::Op::OpIAdd, {ref(quad_base()), ref(operand)});
        break;
      case spv::Op::OpGroupNonUniformQuadSwap:  // 0: horizontal, 1: vertical, 2: diagonal
        lane = word(
            spv::Op::OpBitwiseXor,
            {ref(self), ref(word(spv::Op::OpIAdd, {ref(operand), ref(emitter_.constant(1))}))});
        break;
      default:
        break;
    }
    const Id four = emitter_.vector_type(emitter_.uint_type(), 4);
    const Id ballot =
        code_.emit(*at_, spv::Op::OpGroupNonUniformBallot, four,
                   {ref(scope), ref(test(spv::Op::OpIEqual, {ref(zero), ref(zero)}))});
    const Id exists = test(spv::Op::OpULessThan, {ref(lane), ref(size)});
    const Id bit = choose(exists, lane, zero);
    const Id active =
        test(spv::Op::OpGroupNonUniformBallotBitExtract, {ref(scope), ref(ballot), ref(bit)});
    const Id idle = test(spv::Op::OpLogicalNot, {ref(active)});
    // A lane that a subgroup does not have is an index out of bounds (Bounds::lane()), but for
    // shifts by less than the size.
    const Id within = shifts ? test(spv::Op::OpULessThan, {ref(operand), ref(size)}) : exists;
    const Id outside = test(spv::Op::OpLogicalNot, {ref(exists)});
    const Id bad = test(spv::Op::OpLogicalAnd,
                        {ref(within), ref(test(spv::Op::OpLogicalOr, {ref(outside), ref(idle)}))});
    Id from = zero;
    if (const Id value = known(i, 1)) {
      Instruction same = i;
      same.operands[1] = ref(value);
      from = choose(test(spv::Op::OpLogicalAnd, {ref(exists), ref(active)}),
                    word(i.op, same.operands), zero);
    }
    const Id moved_mask = choose(bad, emitter_.constant(ones(count)), from);
    const Id index = known(i, 2);
    return index == 0 ? moved_mask : or_of(moved_mask, all_if_any(index, count));
  }

  void write_phi(const Instruction& phi) {
    std::vector<Operand> operands;
    for (std::size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
      const Id mask = known(phi, k);
      operands.push_back(ref(mask == 0 ? emitter_.constant(0) : mask));
      operands.push_back(phi.operands[k + 1]);
    }
    code_.before({program_.block_of(phi.result), 0})
        .push_back({spv::Op::OpPhi, emitter_.uint_type(), masks_.at(phi.result), operands, {}});
  }

  const UndefinedValues& values_;
  const Program& program_;
  Emitter& emitter_;
  Insertions& code_;
  std::map<Id, Id> masks_;
  std::vector<Instruction>* at_ = nullptr;
};

UndefinedProbe::UndefinedProbe(const UndefinedValues& values, const Program& program)
    : values_(values) {
  for (const UndefinedUse& use : values.uses()) {
    UndefinedParts parts = values.values().at(use.value);
    for (std::uint32_t k = 0; k < parts.size(); ++k) {
      if (((use.scalars >> k) & 1U) == 0) {
        parts[k].clear();
      }
      for (UndefinedPart& part : parts[k]) {
        part.reader = part.reader.value_or(use.place);
      }
    }
    auto same = std::ranges::find(checked_, parts, &CheckedUses::parts);
    if (same == checked_.end() && checked_.size() < most_uses) {
      checked_.push_back({std::move(parts), {}, {}});
      same = std::prev(checked_.end());
    }
    told_as_.push_back(static_cast<std::size_t>(same - checked_.begin()));
    cut_ = cut_ || same == checked_.end();
    if (same != checked_.end()) {
      const auto& [block, instruction] = use.place;
      same->at.push_back(program.function.blocks[block].body[instruction].at);
      same->blocks.push_back(block);
    }
  }
}

void UndefinedProbe::write(const Program& program, Emitter& emitter, Insertions& code,
                           const std::vector<Id>& told) {
  if (checked_.empty()) {
    return;
  }
  Writer writer(values_, program, emitter, code);
  for (std::size_t n = 0; n < told_as_.size(); ++n) {
    if (told_as_[n] < told.size()) {
      writer.tell(values_.uses()[n], told[told_as_[n]]);
    }
  }
}

}  // namespace spirv

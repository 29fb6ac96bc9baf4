#include "spirv/probes/race/race_runtime.h"

#include "spirv/probes/race/race_words.h"

namespace spirv {

RaceRuntime::RaceRuntime(Emitter& emitter, const Sites& sites, const std::vector<SitePair>& open,
                         const ShadowLayout& shadow, const FindingsLayout& findings,
                         RaceRuntimeOptions options)
    : e_(emitter),
      sites_(sites),
      open_(open),
      shadow_(shadow),
      findings_layout_(findings),
      options_(options),
      who_at_(sites.all().size()) {
  findings_ = e_.buffer_of_words("tilescope_findings", options.set, options.findings_binding);
  if (options.compact && findings.told > 0) {
    told_array_ = e_.private_words("tilescope_told", findings.told);
  }
  for (std::uint32_t n = 0; n < findings.told && !options.compact; ++n) {
    told_.push_back(e_.private_word("tilescope_told_" + std::to_string(n)));
  }
  bad_loop_ = e_.private_word("tilescope_bad_loop");
  who_ = e_.private_word("tilescope_who");
  for (std::uint32_t word = 0; word < findings.marks; ++word) {
    marks_.push_back(e_.private_word("tilescope_ran_" + std::to_string(word)));
    marked_.push_back(e_.private_word("tilescope_marked_" + std::to_string(word)));
  }
  if (findings.votes > 0) {
    parted_ = e_.private_word("tilescope_parted");
    beyond_ = e_.private_word(beyond_name);
    write_agree();
    write_rendezvous();
  }
  const bool checks = !open.empty();
  if (checks) {
    words_ = options.shadow_in_buffer
                 ? e_.buffer_of_words("tilescope_shadow", options.set, options.shadow_binding)
                 : e_.shared_words("tilescope_shadow", number(shadow.words()));
    base_ = options.shadow_in_buffer ? e_.private_word("tilescope_base") : 0;
    lane_phase_ = options.subgroups ? e_.private_word("tilescope_phase") : 0;
    lane_shift_ = options.subgroups ? e_.private_word("tilescope_lane_shift") : 0;
    write_enter();
    write_touch();
    write_touch_many();
    write_touch_own();
    write_touch_value();
    write_record();
    if (options.subgroups) {
      write_touch_lane();
      write_meet_lane();
    }
    for (std::uint32_t v = 0; v < sites.variables().size(); ++v) {
      for (const std::uint32_t site : shadow.tracked(v)) {
        who_at_[site] = e_.private_word("tilescope_who_" + std::to_string(site));
      }
    }
  }
}

void RaceRuntime::finish(const std::vector<Noted>& last) {
  write_begin();
  write_end(last);
  if (votes_ != 0) {
    write_leave();
    write_rejoin();
  }
}

Id RaceRuntime::word_pointer(Code& code, Id index) {
  const Id uint = e_.uint_type();
  if (!options_.shadow_in_buffer) {
    return code.emit(spv::Op::OpAccessChain, e_.pointer_type(spv::StorageClass::Workgroup, uint),
                     {ref(words_), ref(index)});
  }
  const Id at = code.word(spv::Op::OpIAdd, code.load(base_), index);
  return code.emit(spv::Op::OpAccessChain, e_.pointer_type(spv::StorageClass::StorageBuffer, uint),
                   {ref(words_), ref(e_.constant(0)), ref(at)});
}

Id RaceRuntime::findings_pointer(Code& code, Id index) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::StorageBuffer, e_.uint_type()),
                   {ref(findings_), ref(e_.constant(0)), ref(index)});
}

Id RaceRuntime::load_word(Code& code, Id index) {
  return load_shared(code, word_pointer(code, index));
}

Id RaceRuntime::load_shared(Code& code, Id pointer) {
  std::vector<Operand> operands{ref(pointer)};
  if (e_.vulkan_memory_model()) {
    operands.push_back(literal(number(spv::MemoryAccessMask::MakePointerVisible) |
                               number(spv::MemoryAccessMask::NonPrivatePointer)));
    operands.push_back(ref(e_.constant(number(spv::Scope::Workgroup))));
  }
  return code.emit(spv::Op::OpLoad, e_.uint_type(), operands);
}

void RaceRuntime::store_word(Code& code, Id index, Id value) {
  store_shared(code, word_pointer(code, index), value);
}

void RaceRuntime::store_shared(Code& code, Id pointer, Id value) {
  std::vector<Operand> operands{ref(pointer), ref(value)};
  if (e_.vulkan_memory_model()) {
    operands.push_back(literal(number(spv::MemoryAccessMask::MakePointerAvailable) |
                               number(spv::MemoryAccessMask::NonPrivatePointer)));
    operands.push_back(ref(e_.constant(number(spv::Scope::Workgroup))));
  }
  code.emit(spv::Op::OpStore, operands);
}

Id RaceRuntime::exchange(Code& code, Id pointer, Id expected, Id desired) {
  const Id relaxed = e_.constant(0);
  return code.emit(spv::Op::OpAtomicCompareExchange, e_.uint_type(),
                   {ref(pointer), ref(e_.constant(number(spv::Scope::Workgroup))), ref(relaxed),
                    ref(relaxed), ref(desired), ref(expected)});
}

Id RaceRuntime::atomic(Code& code, spv::Op op, Id pointer, Id value, bool in_findings) {
  const spv::Scope wide = e_.vulkan_memory_model() ? spv::Scope::QueueFamily : spv::Scope::Device;
  const spv::Scope scope = in_findings ? wide : spv::Scope::Workgroup;
  return code.emit(
      op, e_.uint_type(),
      {ref(pointer), ref(e_.constant(number(scope))), ref(e_.constant(0)), ref(value)});
}

Id RaceRuntime::load_built_in(Code& code, spv::BuiltIn built_in) {
  return code.load(e_.built_in(built_in, e_.uint_type()));
}

std::vector<Operand> RaceRuntime::barrier() {
  std::uint32_t mask = number(spv::MemorySemanticsMask::AcquireRelease) |
                       number(spv::MemorySemanticsMask::WorkgroupMemory);
  if (options_.shadow_in_buffer) {
    mask |= number(spv::MemorySemanticsMask::UniformMemory);
  }
  if (e_.vulkan_memory_model()) {
    mask |= number(spv::MemorySemanticsMask::MakeAvailable) |
            number(spv::MemorySemanticsMask::MakeVisible);
  }
  const Id workgroup = e_.constant(number(spv::Scope::Workgroup));
  return {ref(workgroup), ref(workgroup), ref(e_.constant(mask))};
}

Id RaceRuntime::group_position(Code& code) {
  const auto header = [&](std::uint32_t word) {
    return code.load(findings_pointer(code, e_.constant(word)));
  };
  const Id across = header(FindingsLayout::grid_x);
  return code.group_position(across, header(FindingsLayout::grid_y));
}

void RaceRuntime::write_begin() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_begin", e_.void_type(), {});
  const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
  for (std::uint32_t word = 0; word < marked_.size(); ++word) {
    code.store(marked_[word],
               code.load(findings_pointer(code, e_.constant(findings_layout_.mark(word)))));
  }
  if (votes_ != 0) {
    code.count(me, e_.constant(vote_words), e_.constant(options_.invocations), [&](Id index) {
      const Id odd = code.word(spv::Op::OpBitwiseAnd, index, e_.constant(1));
      const Id pair = code.test(spv::Op::OpULessThan, index, e_.constant(vote_pairs_words));
      const Id smallest =
          code.emit(spv::Op::OpLogicalAnd, e_.bool_type(),
                    {ref(pair), ref(code.test(spv::Op::OpIEqual, odd, e_.constant(0)))});
      const Id start = code.choose(smallest, e_.constant(0xFFFFFFFF), e_.constant(0));
      store_shared(code, vote_pointer(code, index), start);
    });
    if (words_ == 0) {
      code.emit(spv::Op::OpControlBarrier, barrier());
    }
  }
  if (words_ == 0) {
    code.store(who_, me);
    code.finish();
    begin_ = code.id();
    return;
  }
  if (options_.subgroups) {
    const Id size = load_built_in(code, spv::BuiltIn::SubgroupSize);
    const Id shift = code.emit(spv::Op::OpExtInst, uint,
                               {ref(e_.glsl()), literal(75) /* FindUMsb */, ref(size)});
    code.store(lane_shift_, shift);
    const Id first = code.word(spv::Op::OpShiftLeftLogical,
                               load_built_in(code, spv::BuiltIn::SubgroupId), shift);
    const Id name = code.word(spv::Op::OpIAdd, first,
                              load_built_in(code, spv::BuiltIn::SubgroupLocalInvocationId));
    code.store(who_, name);
    const Id inside = code.test(spv::Op::OpULessThan, name, e_.constant(findings_layout_.lane_ids));
    code.when(inside, [&] {
      const Id at = code.word(spv::Op::OpIAdd, name, e_.constant(findings_layout_.lane_id(0)));
      const Id pointer = findings_pointer(code, at);
      // llvmpipe numbers subgroups as if they had no idle lanes, where it leaves some idle.
      code.when(code.test(spv::Op::OpINotEqual, code.load(pointer), me), [&] {
        const Id before = atomic(code, spv::Op::OpAtomicExchange, pointer, me, true);
        const Id named = code.test(spv::Op::OpINotEqual, before, e_.constant(0));
        const Id another = code.test(spv::Op::OpINotEqual, before, me);
        const Id both =
            code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(named), ref(another)});
        code.when(both, [&] {
          (void)atomic(code, spv::Op::OpAtomicOr,
                       findings_pointer(code, e_.constant(FindingsLayout::same_names)),
                       e_.constant(1), true);
        });
      });
    });
  } else {
    code.store(who_, me);
  }
  for (const Id who : who_at_) {
    if (who != 0) {
      code.store(who, code.load(who_));
    }
  }
  if (options_.shadow_in_buffer) {
    const Id first = code.load(findings_pointer(code, e_.constant(FindingsLayout::first_group)));
    const Id slot = code.word(spv::Op::OpISub, group_position(code), first);
    code.store(base_, code.word(spv::Op::OpIMul, slot, e_.constant(number(shadow_.words()))));
  }
  code.count(
      me, e_.constant(number(shadow_.words())), e_.constant(options_.invocations), [&](Id index) {
        const Id cells = code.test(spv::Op::OpULessThan, index, e_.constant(shadow_.cell_words()));
        store_word(code, index, code.choose(cells, e_.constant(empty_word), e_.constant(0)));
      });
  code.emit(spv::Op::OpControlBarrier, barrier());
  code.finish();
  begin_ = code.id();
}

}  // namespace spirv

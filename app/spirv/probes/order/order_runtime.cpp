#include "spirv/probes/order/order_runtime.h"

#include <array>

#include "spirv/probes/race/race_words.h"
#include "spirv/probes/race/shadow.h"

namespace spirv {

OrderRuntime::OrderRuntime(Emitter& emitter, const OrderPlan& plan,
                           const Synchronization& synchronization, Id header,
                           OrderRuntimeOptions options)
    : e_(emitter),
      plan_(plan),
      synchronization_(synchronization),
      options_(options),
      header_(header) {
  e_.capability(spv::Capability::Int64);
  e_.capability(spv::Capability::Int64Atomics);
  ledger_ = e_.buffer_of_words("tilescope_order", options.set, options.ledger_binding);
  cells_ = e_.buffer_of_longs("tilescope_cells", options.set, options.cells_binding);
  who_ = e_.private_word("tilescope_order_who");
  room_ = e_.private_word("tilescope_room");
  time_shared_ = e_.private_word("tilescope_time_shared");
  time_buffer_ = e_.private_word("tilescope_time_buffer");
  time_image_ = e_.private_word("tilescope_time_image");
  lane_shift_ = e_.private_word("tilescope_order_lanes");
  overflowed_ = e_.private_word("tilescope_overflowed");
  if (plan.events) {
    ticket_ = e_.private_word("tilescope_ticket");
    last_site_ = e_.private_word("tilescope_last_site");
    last_cell_ = e_.private_word("tilescope_last_cell");
    last_value_ = e_.private_word("tilescope_last_value");
    last_event_ = e_.private_word("tilescope_last_event");
    fence_pending_ = e_.private_word("tilescope_fence_pending");
    fence_counted_ = e_.private_word("tilescope_fence_counted");
    fence_reach_ = e_.private_word("tilescope_fence_reach");
    fence_shared_ = e_.private_word("tilescope_fence_shared");
    fence_buffer_ = e_.private_word("tilescope_fence_buffer");
    fence_image_ = e_.private_word("tilescope_fence_image");
    noted_ = e_.private_word("tilescope_noted");
    write_log();
    write_announce();
    write_happened();
    write_fence();
  }
  write_begin();
  write_end();
}

Id OrderRuntime::scope() {
  return e_.constant(
      number(e_.vulkan_memory_model() ? spv::Scope::QueueFamily : spv::Scope::Device));
}

Id OrderRuntime::ledger(Code& code, Id index) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::StorageBuffer, e_.uint_type()),
                   {ref(ledger_), ref(e_.constant(0)), ref(index)});
}

Id OrderRuntime::cell_pointer(Code& code, Id word) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::StorageBuffer, e_.long_type()),
                   {ref(cells_), ref(e_.constant(0)), ref(word)});
}

Id OrderRuntime::count(Code& code, Id index, std::uint32_t by) {
  return code.emit(
      spv::Op::OpAtomicIAdd, e_.uint_type(),
      {ref(ledger(code, index)), ref(scope()), ref(e_.constant(0)), ref(e_.constant(by))});
}

OrderRuntime::Stamp OrderRuntime::unpack(Code& code, Id packed) {
  const Id both = code.emit(spv::Op::OpBitcast, e_.vector_type(e_.uint_type(), 2), {ref(packed)});
  const auto part = [&](std::uint32_t n) {
    return code.emit(spv::Op::OpCompositeExtract, e_.uint_type(), {ref(both), literal(n)});
  };
  const Id low = part(0);
  return {part(1), low};
}

Id OrderRuntime::pack(Code& code, const Stamp& stamp) {
  const Id both = code.emit(spv::Op::OpCompositeConstruct, e_.vector_type(e_.uint_type(), 2),
                            {ref(stamp.low), ref(stamp.high)});
  return code.emit(spv::Op::OpBitcast, e_.long_type(), {ref(both)});
}

OrderRuntime::Stamp OrderRuntime::look(Code& code, Id word) {
  return unpack(code,
                code.emit(spv::Op::OpAtomicLoad, e_.long_type(),
                          {ref(cell_pointer(code, word)), ref(scope()), ref(e_.constant(0))}));
}

OrderRuntime::Stamp OrderRuntime::swap(Code& code, Id word, const Stamp& stamp) {
  const Id value = pack(code, stamp);
  return unpack(code, code.emit(spv::Op::OpAtomicExchange, e_.long_type(),
                                {ref(cell_pointer(code, word)), ref(scope()), ref(e_.constant(0)),
                                 ref(value)}));
}

void OrderRuntime::put(Code& code, Id word, const Stamp& stamp) {
  const Id value = pack(code, stamp);
  code.emit(spv::Op::OpAtomicStore,
            {ref(cell_pointer(code, word)), ref(scope()), ref(e_.constant(0)), ref(value)});
}

Id OrderRuntime::and_(Code& code, Id a, Id b) {
  return code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(a), ref(b)});
}
Id OrderRuntime::or_(Code& code, Id a, Id b) {
  return code.emit(spv::Op::OpLogicalOr, e_.bool_type(), {ref(a), ref(b)});
}
Id OrderRuntime::not_(Code& code, Id a) {
  return code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(a)});
}

Id OrderRuntime::group_of(Code& code, Id high) {
  return code.word(spv::Op::OpUDiv, code.word(spv::Op::OpISub, high, e_.constant(1)),
                   e_.constant(options_.invocations));
}

Id OrderRuntime::same_phase(Code& code, Id a, Id b) {
  const auto phase = [&](Id low) {
    return code.word(spv::Op::OpShiftRightLogical, low, e_.constant(OrderStamp::phase_shift));
  };
  return code.test(spv::Op::OpIEqual, phase(a), phase(b));
}

Id OrderRuntime::at(Code& code, Id base, std::uint32_t words) {
  return words == 0 ? base : code.word(spv::Op::OpIAdd, base, e_.constant(words));
}

bool OrderRuntime::followed(std::uint32_t memory) const {
  return plan_.events && synchronization_.hands_on(plan_.memories[memory].memory);
}

// The shadow goes the way of the memory that it stands for.
void OrderRuntime::order_memory(Code& code, std::optional<spv::Scope> among) {
  if (options_.fences_yield) {
    (void)count(code, e_.constant(OrderLayout::overflowed), 0);
    return;
  }
  std::uint32_t mask = number(spv::MemorySemanticsMask::AcquireRelease) |
                       number(spv::MemorySemanticsMask::UniformMemory) |
                       number(spv::MemorySemanticsMask::WorkgroupMemory) |
                       number(spv::MemorySemanticsMask::ImageMemory);
  if (e_.vulkan_memory_model()) {
    mask |= number(spv::MemorySemanticsMask::MakeAvailable) |
            number(spv::MemorySemanticsMask::MakeVisible);
  }
  const Id wide = among ? e_.constant(number(*among)) : scope();
  code.emit(spv::Op::OpMemoryBarrier, {ref(wide), ref(e_.constant(mask))});
}

void OrderRuntime::write_begin() {
  Code code(e_, "tilescope_order_begin", e_.void_type(), {});
  const auto header = [&](std::uint32_t word) {
    return code.load(code.emit(spv::Op::OpAccessChain,
                               e_.pointer_type(spv::StorageClass::StorageBuffer, e_.uint_type()),
                               {ref(header_), ref(e_.constant(0)), ref(e_.constant(word))}));
  };
  const Id me = code.load(e_.built_in(spv::BuiltIn::LocalInvocationIndex, e_.uint_type()));
  const Id across = header(FindingsLayout::grid_x);
  const Id group = code.group_position(across, header(FindingsLayout::grid_y));
  const Id first = code.word(spv::Op::OpIMul, group, e_.constant(options_.invocations));
  code.store(who_,
             code.word(spv::Op::OpIAdd, code.word(spv::Op::OpIAdd, first, me), e_.constant(1)));
  if (options_.subgroups_shared || options_.subgroups_buffers || options_.subgroups_images) {
    e_.capability(spv::Capability::GroupNonUniform);
    const Id size = code.load(e_.built_in(spv::BuiltIn::SubgroupSize, e_.uint_type()));
    code.store(lane_shift_, code.emit(spv::Op::OpExtInst, e_.uint_type(),
                                      {ref(e_.glsl()), literal(75) /* FindUMsb */, ref(size)}));
  }
  if (plan_.guesses.subgroup != 0) {
    look_at_subgroup(code, me);
  }
  if (plan_.room_words > 0) {
    const Id slot = code.word(spv::Op::OpISub, group, header(FindingsLayout::first_group));
    const Id room = code.word(
        spv::Op::OpIAdd, code.word(spv::Op::OpIMul, slot, e_.constant(number(plan_.room_words))),
        e_.constant(number(plan_.cell_words)));
    code.store(room_, room);
    const Stamp none{e_.constant(0), e_.constant(0)};
    code.count(me, e_.constant(number(plan_.room_words)), e_.constant(options_.invocations),
               [&](Id word) { put(code, code.word(spv::Op::OpIAdd, room, word), none); });
    order_memory(code);
    const Id workgroup = e_.constant(number(spv::Scope::Workgroup));
    const Id mask = e_.constant(number(spv::MemorySemanticsMask::AcquireRelease) |
                                number(spv::MemorySemanticsMask::WorkgroupMemory));
    code.emit(spv::Op::OpControlBarrier, {ref(workgroup), ref(workgroup), ref(mask)});
    order_memory(code);
  }
  code.finish();
  begin_ = code.id();
}

void OrderRuntime::look_at_subgroup(Code& code, Id me) {
  e_.capability(spv::Capability::GroupNonUniform);
  const Id uint = e_.uint_type();
  const auto told = [&](spv::BuiltIn kind) { return code.load(e_.built_in(kind, uint)); };
  const Id size = e_.constant(plan_.guesses.subgroup);
  const Id first = code.word(spv::Op::OpIMul, told(spv::BuiltIn::SubgroupId), size);
  const Id place = code.word(spv::Op::OpIAdd, first, told(spv::BuiltIn::SubgroupLocalInvocationId));
  const Id count = e_.constant(options_.invocations / plan_.guesses.subgroup);
  Id belied = code.test(spv::Op::OpINotEqual, place, me);
  belied =
      or_(code, belied, code.test(spv::Op::OpINotEqual, told(spv::BuiltIn::SubgroupSize), size));
  belied =
      or_(code, belied, code.test(spv::Op::OpINotEqual, told(spv::BuiltIn::NumSubgroups), count));
  code.when(belied, [&] { (void)this->count(code, e_.constant(OrderLayout::belied), 1); });
}

// One event more, for all memories, where a condition holds.
void OrderRuntime::tick(Code& code, Id condition) {
  const Id now = code.load(time_buffer_);
  const Id events =
      code.word(spv::Op::OpBitwiseAnd,
                code.word(spv::Op::OpShiftRightLogical, now, e_.constant(OrderStamp::event_shift)),
                e_.constant(OrderStamp::most_events));
  const Id zero = e_.constant(0);
  const Id full = code.test(spv::Op::OpIEqual, events, e_.constant(OrderStamp::most_events));
  overflows(code, and_(code, condition, full));
  const Id step = code.choose(and_(code, condition, not_(code, full)),
                              e_.constant(1U << OrderStamp::event_shift), zero);
  for (const Id time : {time_shared_, time_buffer_, time_image_}) {
    code.store(time, code.word(spv::Op::OpIAdd, code.load(time), step));
  }
}

// Told at the end.
void OrderRuntime::overflows(Code& code, Id condition) {
  code.store(overflowed_, code.choose(condition, e_.constant(1), code.load(overflowed_)));
}

Id OrderRuntime::next_phase(MemoryClass memory) {
  const auto [entry, fresh] = next_phase_.try_emplace(memory, 0);
  if (!fresh) {
    return entry->second;
  }
  Code code(e_, "tilescope_next_phase", e_.void_type(), {});
  const Id now = code.load(time(memory));
  const Id phase =
      code.word(spv::Op::OpShiftRightLogical, now, e_.constant(OrderStamp::phase_shift));
  const Id full = code.test(spv::Op::OpIEqual, phase, e_.constant(OrderStamp::most_phases));
  overflows(code, full);
  code.store(time(memory), code.choose(full, now,
                                       code.word(spv::Op::OpIAdd, now,
                                                 e_.constant(1U << OrderStamp::phase_shift))));
  code.finish();
  entry->second = code.id();
  return entry->second;
}

// The first invocation speaks for its workgroup.
Id OrderRuntime::ticket() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_ticket", e_.void_type(), {uint});
  const Id me = code.load(e_.built_in(spv::BuiltIn::LocalInvocationIndex, uint));
  code.when(code.test(spv::Op::OpIEqual, me, e_.constant(0)), [&] {
    const Id drawn = code.parameter(0);
    const Id below = code.test(spv::Op::OpULessThan, drawn, e_.constant(plan_.layout.tickets));
    const Id place = code.choose(below, drawn, e_.constant(0));
    const Id word = at(code, code.word(spv::Op::OpShiftRightLogical, place, e_.constant(5)),
                       plan_.layout.drawn());
    const Id bit = code.word(spv::Op::OpShiftLeftLogical, e_.constant(1),
                             code.word(spv::Op::OpBitwiseAnd, place, e_.constant(31)));
    const Id own = code.choose(below, bit, e_.constant(0));
    const Id before =
        code.emit(spv::Op::OpAtomicOr, uint,
                  {ref(ledger(code, word)), ref(scope()), ref(e_.constant(0)), ref(own)});
    const Id again = code.test(spv::Op::OpINotEqual, code.word(spv::Op::OpBitwiseAnd, before, own),
                               e_.constant(0));
    code.when(or_(code, again, not_(code, below)),
              [&] { (void)count(code, e_.constant(OrderLayout::belied), 1); });
  });
  code.finish();
  return code.id();
}

// What is seldom told goes into the ledger in a loop, which costs nearly nothing where nobody
// tells.
void OrderRuntime::store_words(Code& code, Id first, const std::vector<Id>& words, OnlyOne one) {
  const auto put_word = [&](std::uint32_t n) {
    code.store(ledger(code, at(code, first, n)), words[n]);
  };
  if (!options_.compact) {
    const auto all = [&] {
      for (std::uint32_t n = 0; n < words.size(); ++n) {
        put_word(n);
      }
    };
    if (one.condition == 0) {
      all();
    } else {
      code.when(one.condition, [&] { put_word(one.word); });
      code.when(not_(code, one.condition), all);
    }
    return;
  }
  Id from = e_.constant(0);
  Id end = e_.constant(number(words.size()));
  if (one.condition != 0) {
    from = code.choose(one.condition, e_.constant(one.word), from);
    end = code.choose(one.condition, e_.constant(one.word + 1), end);
  }
  code.count(from, end, e_.constant(1), [&](Id n) {
    Id word = words.front();
    for (std::uint32_t k = 1; k < words.size(); ++k) {
      word = code.choose(code.test(spv::Op::OpIEqual, n, e_.constant(k)), words[k], word);
    }
    code.store(ledger(code, code.word(spv::Op::OpIAdd, first, n)), word);
  });
}

}  // namespace spirv

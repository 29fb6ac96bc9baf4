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
  write_tick();
  if (plan.events) {
    ticket_ = e_.private_word("tilescope_ticket");
    last_site_ = e_.private_word("tilescope_last_site");
    last_cell_ = e_.private_word("tilescope_last_cell");
    last_value_ = e_.private_word("tilescope_last_value");
    last_event_ = e_.private_word("tilescope_last_event");
    fence_pending_ = e_.private_word("tilescope_fence_pending");
    fence_shared_ = e_.private_word("tilescope_fence_shared");
    fence_buffer_ = e_.private_word("tilescope_fence_buffer");
    fence_image_ = e_.private_word("tilescope_fence_image");
    noted_ = e_.private_word("tilescope_noted");
    write_flush();
    write_announce();
    write_happened();
    write_fence();
  }
  write_begin();
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

void OrderRuntime::mark(Code& code, std::uint32_t word, std::uint32_t bits) {
  (void)code.emit(spv::Op::OpAtomicOr, e_.uint_type(),
                  {ref(ledger(code, e_.constant(word))), ref(scope()), ref(e_.constant(0)),
                   ref(e_.constant(bits))});
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
void OrderRuntime::order_memory(Code& code) {
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
  code.emit(spv::Op::OpMemoryBarrier, {ref(scope()), ref(e_.constant(mask))});
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

// One event more, for all memories.
void OrderRuntime::write_tick() {
  Code code(e_, "tilescope_tick", e_.void_type(), {});
  const Id now = code.load(time_buffer_);
  const Id events =
      code.word(spv::Op::OpBitwiseAnd,
                code.word(spv::Op::OpShiftRightLogical, now, e_.constant(OrderStamp::event_shift)),
                e_.constant(OrderStamp::most_events));
  const Id full = code.test(spv::Op::OpIEqual, events, e_.constant(OrderStamp::most_events));
  code.when(full, [&] { mark(code, OrderLayout::overflowed, 1); });
  code.when(not_(code, full), [&] {
    for (const Id time : {time_shared_, time_buffer_, time_image_}) {
      code.store(time, code.word(spv::Op::OpIAdd, code.load(time),
                                 e_.constant(1U << OrderStamp::event_shift)));
    }
  });
  code.finish();
  tick_ = code.id();
}

void OrderRuntime::tick(Code& code) {
  (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(tick_)});
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
  code.when(full, [&] { mark(code, OrderLayout::overflowed, 1); });
  code.store(time(memory), code.choose(full, now,
                                       code.word(spv::Op::OpIAdd, now,
                                                 e_.constant(1U << OrderStamp::phase_shift))));
  code.finish();
  entry->second = code.id();
  return entry->second;
}

// Of an atomic that writes, before it does: whoever reads what it wrote finds it begun.
void OrderRuntime::write_announce() {
  Code code(e_, "tilescope_announce", e_.void_type(), {});
  (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(flush_)});
  const Id none = code.test(spv::Op::OpIEqual, code.load(ticket_), e_.constant(0));
  code.when(none, [&] {
    const Id event = count(code, e_.constant(OrderLayout::events), 1);
    code.store(ticket_, code.word(spv::Op::OpIAdd, event, e_.constant(1)));
  });
  order_memory(code);
  code.finish();
  announce_ = code.id();
}

// The words of an event, where there is room for it.
void OrderRuntime::log(Code& code, Id site, Id cell, Id read, Id written, Id wrote,
                       const Times& times) {
  const Id zero = e_.constant(0);
  const Id none = code.test(spv::Op::OpIEqual, code.load(ticket_), zero);
  code.when(none, [&] {
    const Id event = count(code, e_.constant(OrderLayout::events), 1);
    code.store(ticket_, code.word(spv::Op::OpIAdd, event, e_.constant(1)));
  });
  const Id event = code.word(spv::Op::OpISub, code.load(ticket_), e_.constant(1));
  code.store(ticket_, zero);
  code.store(last_event_, event);
  code.store(noted_, zero);
  const Id room = code.test(spv::Op::OpULessThan, event, e_.constant(plan_.layout.events_kept));
  code.when(room, [&] {
    const Id offset = code.word(spv::Op::OpIMul, event, e_.constant(OrderLayout::event_words));
    const Id first = code.word(spv::Op::OpIAdd, offset, e_.constant(plan_.layout.event(0)));
    const Id shifted = code.word(spv::Op::OpIMul, site, e_.constant(2));
    const Id kind =
        code.word(spv::Op::OpIAdd, shifted, code.word(spv::Op::OpIAdd, wrote, e_.constant(1)));
    const Id begun =
        code.emit(spv::Op::OpAtomicLoad, e_.uint_type(),
                  {ref(ledger(code, e_.constant(OrderLayout::events))), ref(scope()), ref(zero)});
    const std::array words{kind, code.load(who_), times.shared, times.buffer, cell,
                           read, written,         begun,        times.image};
    for (std::uint32_t n = 0; n < words.size(); ++n) {
      code.store(ledger(code, at(code, first, n)), words[n]);
    }
  });
  tick(code);
}

void OrderRuntime::write_happened() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_happened", e_.void_type(), std::vector<Id>(5, uint));
  const Id zero = e_.constant(0);
  order_memory(code);
  const Id wrote = code.test(spv::Op::OpINotEqual, code.parameter(4), zero);
  const auto last = [&](Id variable, Id value) {
    return code.test(spv::Op::OpIEqual, code.load(variable), value);
  };
  const Id site = code.word(spv::Op::OpIAdd, code.parameter(0), e_.constant(1));
  // Read again with the same answer: the event before is this one too.
  const Id known =
      and_(code, and_(code, last(last_site_, site), last(last_cell_, code.parameter(1))),
           and_(code, last(last_value_, code.parameter(2)), not_(code, wrote)));
  code.when(known, [&] {
    const Id event = code.load(last_event_);
    const Id room = code.test(spv::Op::OpULessThan, event, e_.constant(plan_.layout.events_kept));
    code.when(room, [&] {
      const Id offset = code.word(spv::Op::OpIMul, event, e_.constant(OrderLayout::event_words));
      const Id begun =
          code.emit(spv::Op::OpAtomicLoad, uint,
                    {ref(ledger(code, e_.constant(OrderLayout::events))), ref(scope()), ref(zero)});
      code.store(
          ledger(code, code.word(spv::Op::OpIAdd, offset, e_.constant(plan_.layout.event(0) + 7))),
          begun);
    });
  });
  code.when(not_(code, known), [&] {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(flush_)});
    log(code, code.parameter(0), code.parameter(1), code.parameter(2), code.parameter(3),
        code.parameter(4),
        {code.load(time_shared_), code.load(time_buffer_), code.load(time_image_)});
    code.store(last_site_, code.choose(wrote, zero, site));
    code.store(last_cell_, code.parameter(1));
    code.store(last_value_, code.parameter(2));
  });
  order_memory(code);
  code.finish();
  happened_ = code.id();
}

// The fence that stands between what was and what comes.
void OrderRuntime::write_flush() {
  Code code(e_, "tilescope_flush", e_.void_type(), {});
  const Id zero = e_.constant(0);
  const Id pending = code.load(fence_pending_);
  code.when(code.test(spv::Op::OpINotEqual, pending, zero), [&] {
    const Id ticket = code.load(ticket_);
    code.store(ticket_, zero);
    const Id site = code.word(spv::Op::OpISub, pending, e_.constant(1));
    log(code, site, zero, zero, zero, e_.constant(1),
        {code.load(fence_shared_), code.load(fence_buffer_), code.load(fence_image_)});
    code.store(ticket_, ticket);
    code.store(fence_pending_, zero);
    code.store(last_site_, zero);
  });
  code.finish();
  flush_ = code.id();
}

// Of several with nothing in between the last stands for all; what nothing follows orders nothing.
// Who has noted nothing since the last event has nothing that others would have to see in order.
void OrderRuntime::write_fence() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_fence", e_.void_type(), {uint});
  const Id noted = code.test(spv::Op::OpINotEqual, code.load(noted_), e_.constant(0));
  // But what was done before it may be waited for by others.
  code.when(noted,
            [&] { (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(flush_)}); });
  code.store(fence_pending_, code.word(spv::Op::OpIAdd, code.parameter(0), e_.constant(1)));
  code.store(fence_shared_, code.load(time_shared_));
  code.store(fence_buffer_, code.load(time_buffer_));
  code.store(fence_image_, code.load(time_image_));
  code.when(noted, [&] {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(flush_)});
    order_memory(code);
  });
  code.finish();
  fence_ = code.id();
}

}  // namespace spirv

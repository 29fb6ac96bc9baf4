// Events of synchronization: atomics and fences, and in which order they were begun. A fence's
// place among others is its invocation's own number, so that it may be written down later than it
// was.
#include <array>

#include "spirv/probes/order/order_runtime.h"

namespace spirv {
namespace {

constexpr std::uint32_t no_event = 0xFFFFFFFF;
constexpr std::uint32_t seen_word = 7;  // of an event: OrderLayout::event

}  // namespace

OrderRuntime::Times OrderRuntime::now(Code& code) {
  return {code.load(time_shared_), code.load(time_buffer_), code.load(time_image_)};
}

OrderRuntime::Times OrderRuntime::then(Code& code) {
  return {code.load(fence_shared_), code.load(fence_buffer_), code.load(fence_image_)};
}

// Is a fence pending that something stands before or behind?
Id OrderRuntime::stands(Code& code) {
  const Id zero = e_.constant(0);
  return and_(code, code.test(spv::Op::OpINotEqual, code.load(fence_pending_), zero),
              code.test(spv::Op::OpINotEqual, code.load(fence_counted_), zero));
}

// Whoever goes on behind a fence makes it an event.
void OrderRuntime::fence_stands(Code& code) {
  const Id zero = e_.constant(0);
  const Id counts = and_(code, code.test(spv::Op::OpINotEqual, code.load(fence_pending_), zero),
                         code.test(spv::Op::OpIEqual, code.load(fence_counted_), zero));
  tick(code, counts);
  code.store(fence_counted_, code.choose(counts, e_.constant(1), code.load(fence_counted_)));
}

// An event: (1 + site · 2 + whether it wrote; cell; value read; value written; events begun when it
// was done; the three times; which event, or none yet; whether it was written down before, and was
// done again). Leaves which it was.
void OrderRuntime::write_log() {
  Code code(e_, "tilescope_log", e_.void_type(), std::vector<Id>(10, e_.uint_type()));
  const auto argument = [&](std::uint32_t n) { return code.parameter(n); };
  code.store(last_event_, argument(8));
  code.when(code.test(spv::Op::OpIEqual, argument(8), e_.constant(no_event)),
            [&] { code.store(last_event_, count(code, e_.constant(OrderLayout::events), 1)); });
  const Id event = code.load(last_event_);
  const Id again = code.test(spv::Op::OpINotEqual, argument(9), e_.constant(0));
  code.when(code.test(spv::Op::OpULessThan, event, e_.constant(plan_.layout.events_kept)), [&] {
    const Id offset = code.word(spv::Op::OpIMul, event, e_.constant(OrderLayout::event_words));
    const Id first = code.word(spv::Op::OpIAdd, offset, e_.constant(plan_.layout.event(0)));
    store_words(code, first,
                {argument(0), code.load(who_), argument(5), argument(6), argument(1), argument(2),
                 argument(3), argument(4), argument(7)},
                {again, seen_word});
  });
  code.finish();
  log_ = code.id();
}

void OrderRuntime::log_fence(Code& code) {
  const Id zero = e_.constant(0);
  const Times times = then(code);
  (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                  {ref(log_), ref(kind_of_fence(code)), ref(zero), ref(zero), ref(zero), ref(zero),
                   ref(times.shared), ref(times.buffer), ref(times.image),
                   ref(e_.constant(no_event)), ref(zero)});
}

Id OrderRuntime::kind_of_fence(Code& code) {
  // 1 + site is what is pending.
  return code.word(spv::Op::OpIMul, code.load(fence_pending_), e_.constant(2));
}

// What gave a value is done before what follows: the value is waited for, and no compiler moves the
// two past each other. A barrier for all of memory would cost several times the kernel that is
// checked, where workgroups wait for one another; the kernel's own are there all the same, and
// notes wait for what they displaced (once_entered()).
void OrderRuntime::settle(Code& code, Id value) {
  if (options_.fences_yield) {
    return;
  }
  const Id rare = code.test(spv::Op::OpIEqual, value, e_.constant(0x5EED1E55));
  code.when(rare, [&] { code.store(ledger(code, e_.constant(OrderLayout::waited)), value); });
  order_memory(code, spv::Scope::Workgroup);
}

// Of an atomic that writes, before it does: whoever reads what it wrote finds it begun.
void OrderRuntime::write_announce() {
  Code code(e_, "tilescope_announce", e_.void_type(), {});
  const Id none = code.test(spv::Op::OpIEqual, code.load(ticket_), e_.constant(0));
  code.when(none, [&] {
    const Id event = count(code, e_.constant(OrderLayout::events), 1);
    code.store(ticket_, code.word(spv::Op::OpIAdd, event, e_.constant(1)));
    settle(code, event);
  });
  code.finish();
  announce_ = code.id();
}

// Read again with the same answer: the event before is this one too. Else the fence that stands
// between comes first.
void OrderRuntime::write_happened() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_happened", e_.void_type(), std::vector<Id>(5, uint));
  const Id zero = e_.constant(0);
  const Id one = e_.constant(1);
  settle(code, code.parameter(2));
  const Id seen = events_begun(code);
  const Id wrote = code.test(spv::Op::OpINotEqual, code.parameter(4), zero);
  const auto last = [&](Id variable, Id value) {
    return code.test(spv::Op::OpIEqual, code.load(variable), value);
  };
  const Id site = code.word(spv::Op::OpIAdd, code.parameter(0), one);
  const Id same =
      and_(code, and_(code, last(last_site_, site), last(last_cell_, code.parameter(1))),
           and_(code, last(last_value_, code.parameter(2)), not_(code, wrote)));
  const Id known = and_(code, same, not_(code, stands(code)));
  const Id pending = code.test(spv::Op::OpINotEqual, code.load(fence_pending_), zero);
  const Id fence = and_(code, pending, not_(code, known));
  code.count(code.choose(fence, zero, one), e_.constant(2), one, [&](Id turn) {
    const Id own = code.test(spv::Op::OpINotEqual, turn, zero);
    const auto either = [&](Id mine, Id of_fence) { return code.choose(own, mine, of_fence); };
    const Id kind =
        code.word(spv::Op::OpIAdd, code.parameter(4),
                  code.word(spv::Op::OpIAdd,
                            code.word(spv::Op::OpIMul, code.parameter(0), e_.constant(2)), one));
    const Times mine = now(code);
    const Times fences = then(code);
    const Id begun = code.word(spv::Op::OpISub, code.load(ticket_), one);  // 0: none
    const Id event = code.choose(known, code.load(last_event_), begun);
    (void)code.emit(
        spv::Op::OpFunctionCall, e_.void_type(),
        {ref(log_), ref(either(kind, kind_of_fence(code))), ref(either(code.parameter(1), zero)),
         ref(either(code.parameter(2), zero)), ref(either(code.parameter(3), zero)), ref(seen),
         ref(either(mine.shared, fences.shared)), ref(either(mine.buffer, fences.buffer)),
         ref(either(mine.image, fences.image)), ref(either(event, e_.constant(no_event))),
         ref(code.choose(and_(code, own, known), one, zero))});
    const Id counted = and_(code, not_(code, own),
                            code.test(spv::Op::OpINotEqual, code.load(fence_counted_), zero));
    tick(code, not_(code, or_(code, counted, known)));
  });
  const auto unless_known = [&](Id variable) {
    code.store(variable, code.choose(known, code.load(variable), zero));
  };
  for (const Id variable : {ticket_, noted_, fence_pending_, fence_counted_}) {
    unless_known(variable);
  }
  code.store(last_site_, code.choose(wrote, zero, site));
  code.store(last_cell_, code.parameter(1));
  code.store(last_value_, code.parameter(2));
  code.finish();
  happened_ = code.id();
}

// How many events have begun, once what was done is done.
Id OrderRuntime::events_begun(Code& code) {
  const Id events = e_.constant(OrderLayout::events);
  if (options_.fences_yield) {
    return count(code, events, 0);
  }
  return code.emit(spv::Op::OpAtomicLoad, e_.uint_type(),
                   {ref(ledger(code, events)), ref(scope()), ref(e_.constant(0))});
}

// The last of several fences without an access in between replaces those that order no more than it
// does; a fence that nothing follows orders nothing. An invocation that noted nothing since its
// last event has nothing that others must see in order, but others may wait for what it did before.
void OrderRuntime::write_fence() {
  const Id zero = e_.constant(0);
  Code code(e_, "tilescope_fence", e_.void_type(), {e_.uint_type(), e_.uint_type()});
  const Id more =
      code.word(spv::Op::OpBitwiseAnd, code.load(fence_reach_),
                code.word(spv::Op::OpBitwiseXor, code.parameter(1), e_.constant(0xFFFFFFFF)));
  code.when(code.test(spv::Op::OpINotEqual, more, zero), [&] { fence_stands(code); });
  code.store(fence_reach_, code.parameter(1));
  const Id behind = code.load(noted_);
  code.when(stands(code), [&] { log_fence(code); });
  code.store(fence_pending_, code.word(spv::Op::OpIAdd, code.parameter(0), e_.constant(1)));
  code.store(fence_counted_, behind);
  const Times times = now(code);
  code.store(fence_shared_, times.shared);
  code.store(fence_buffer_, times.buffer);
  code.store(fence_image_, times.image);
  const Id noted = code.test(spv::Op::OpINotEqual, behind, zero);
  tick(code, noted);
  code.store(noted_, zero);
  code.store(last_site_, code.choose(noted, zero, code.load(last_site_)));
  code.finish();
  fence_ = code.id();
}

void OrderRuntime::write_end() {
  Code code(e_, "tilescope_order_end", e_.void_type(), {});
  if (plan_.events) {
    code.when(stands(code), [&] { log_fence(code); });
  }
  const Id overflowed = code.load(overflowed_);
  code.when(code.test(spv::Op::OpINotEqual, overflowed, e_.constant(0)), [&] {
    (void)code.emit(spv::Op::OpAtomicOr, e_.uint_type(),
                    {ref(ledger(code, e_.constant(OrderLayout::overflowed))), ref(scope()),
                     ref(e_.constant(0)), ref(overflowed)});
  });
  code.finish();
  end_ = code.id();
}

}  // namespace spirv

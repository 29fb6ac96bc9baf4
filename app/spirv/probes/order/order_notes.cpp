// Notes on accesses to memory that is followed, and what two of them that meet are told of.
#include "spirv/probes/order/order_runtime.h"
#include "spirv/probes/race/race_words.h"
#include "spirv/probes/race/shadow.h"

namespace spirv {
namespace {

constexpr std::array kinds{OrderKind::read, OrderKind::atomic, OrderKind::atomic_load};

// Do two kinds conflict, where neither is atomic at a scope too narrow?
bool conflict(OrderKind a, OrderKind b) {
  const auto writes = [](OrderKind k) { return k == OrderKind::write || k == OrderKind::atomic; };
  const auto atomic = [](OrderKind k) {
    return k == OrderKind::atomic || k == OrderKind::atomic_load;
  };
  return (writes(a) || writes(b)) && !(atomic(a) && atomic(b));
}

bool is_atomic_kind(OrderKind k) {
  return k == OrderKind::atomic || k == OrderKind::atomic_load;
}

}  // namespace

// Adds to the pair's tally, and keeps an example.
void OrderRuntime::record(Code& code, std::uint32_t memory, const Stamp& before,
                          const Stamp& mine) {
  mark_cell(code, memory);
  const auto site = [&](Id low) {
    return code.word(spv::Op::OpBitwiseAnd, low, e_.constant(OrderStamp::site_mask));
  };
  const Id row = code.word(spv::Op::OpIMul, site(before.low), e_.constant(plan_.layout.sites));
  const Id pair = code.word(spv::Op::OpIAdd, row, site(mine.low));
  const Id offset = code.word(spv::Op::OpIMul, pair, e_.constant(OrderLayout::pair_words));
  const Id base = code.word(spv::Op::OpIAdd, offset, e_.constant(plan_.layout.pair(0, 0)));
  const auto field = [&](std::uint32_t n) { return at(code, base, n); };
  const Id old = count(code, base, 1);
  (void)code.emit(
      spv::Op::OpAtomicOr, e_.uint_type(),
      {ref(ledger(code, field(1))), ref(scope()), ref(e_.constant(0)), ref(code.parameter(4))});
  code.when(code.test(spv::Op::OpULessThan, old, e_.constant(OrderLayout::examples)), [&] {
    const Id slot = code.word(spv::Op::OpIMul, old, e_.constant(OrderLayout::example_words));
    const Id first = code.word(spv::Op::OpIAdd, field(2), slot);
    store_words(code, first, {before.high, before.low, mine.high, mine.low, code.parameter(3)});
  });
  for (const Id high : {before.high, mine.high}) {
    const Id group = group_of(code, high);
    const Id word = code.word(spv::Op::OpIAdd, e_.constant(plan_.layout.racing()),
                              code.word(spv::Op::OpShiftRightLogical, group, e_.constant(5)));
    const Id bit = code.word(spv::Op::OpShiftLeftLogical, e_.constant(1),
                             code.word(spv::Op::OpBitwiseAnd, group, e_.constant(31)));
    (void)code.emit(spv::Op::OpAtomicOr, e_.uint_type(),
                    {ref(ledger(code, word)), ref(scope()), ref(e_.constant(0)), ref(bit)});
  }
}

void OrderRuntime::mark_cell(Code& code, std::uint32_t memory) {
  if (plan_.memories[memory].memory == MemoryClass::shared) {
    return;
  }
  const Id cell = code.parameter(3);
  const Id differ =
      code.test(spv::Op::OpINotEqual, code.parameter(4), e_.constant(OrderLayout::equal));
  code.when(differ, [&] {
    const Id word = code.word(spv::Op::OpShiftRightLogical, cell, e_.constant(5));
    const Id bit = code.word(spv::Op::OpShiftLeftLogical, e_.constant(1),
                             code.word(spv::Op::OpBitwiseAnd, cell, e_.constant(31)));
    const std::uint32_t first = plan_.layout.racing_cells() + plan_.memories[memory].racing;
    (void)code.emit(
        spv::Op::OpAtomicOr, e_.uint_type(),
        {ref(ledger(code, at(code, word, first))), ref(scope()), ref(e_.constant(0)), ref(bit)});
  });
}

// What was handed on decides, once all of it is known.
void OrderRuntime::ask(Code& code, std::uint32_t memory, const Stamp& before, const Stamp& mine) {
  const Id slot = count(code, e_.constant(OrderLayout::asked), 1);
  const Id room = code.test(spv::Op::OpULessThan, slot, e_.constant(plan_.layout.candidates));
  code.when(room, [&] {
    const Id offset = code.word(spv::Op::OpIMul, slot, e_.constant(OrderLayout::candidate_words));
    const Id first = code.word(spv::Op::OpIAdd, offset, e_.constant(plan_.layout.candidate(0)));
    const Id flags = code.word(spv::Op::OpBitwiseOr, e_.constant(memory * 4), code.parameter(4));
    store_words(code, first,
                {before.high, before.low, mine.high, mine.low, code.parameter(3), flags});
  });
}

Id OrderRuntime::meet(std::uint32_t memory, bool narrow) {
  const auto [entry, fresh] = meet_.try_emplace(std::pair(memory, narrow), 0);
  if (fresh) {
    entry->second = write_meet(memory, narrow);
  }
  return entry->second;
}

// (other's high and low word, own low word, cell, flags of the values)
Id OrderRuntime::write_meet(std::uint32_t memory, bool narrow) {
  Code code(e_, "tilescope_meet", e_.void_type(), std::vector<Id>(5, e_.uint_type()));
  const Stamp before{code.parameter(0), code.parameter(1)};
  const Stamp mine{code.load(who_), code.parameter(2)};
  const Id same_group =
      code.test(spv::Op::OpIEqual, group_of(code, before.high), group_of(code, mine.high));
  Id unordered = or_(code, not_(code, same_group), same_phase(code, before.low, mine.low));
  if (narrow) {
    // Both are atomic: only those that a scope leaves out of the other's take notice.
    const Id bits = code.word(spv::Op::OpBitwiseOr, before.low, mine.low);
    const auto has = [&](std::uint32_t bit) {
      return code.test(spv::Op::OpINotEqual,
                       code.word(spv::Op::OpBitwiseAnd, bits, e_.constant(bit)), e_.constant(0));
    };
    const Id apart = and_(code, has(OrderStamp::group_atomic | OrderStamp::subgroup_atomic),
                          not_(code, same_group));
    unordered = apart;
  }
  const MemoryClass about = plan_.memories[memory].memory;
  if (options_.private_accesses && !narrow && about != MemoryClass::shared) {
    for (const Id low : {before.low, mine.low}) {
      const Id mark = e_.constant(OrderStamp::unordered);
      unordered =
          or_(code, unordered,
              code.test(spv::Op::OpIEqual, code.word(spv::Op::OpBitwiseAnd, low, mark), mark));
    }
  }
  const bool lanes = about == MemoryClass::shared   ? options_.subgroups_shared
                     : about == MemoryClass::buffer ? options_.subgroups_buffers
                                                    : options_.subgroups_images;
  if (lanes) {
    const auto subgroup = [&](Id high) {
      const Id index = code.word(spv::Op::OpUMod, code.word(spv::Op::OpISub, high, e_.constant(1)),
                                 e_.constant(options_.invocations));
      return code.word(spv::Op::OpShiftRightLogical, index, code.load(lane_shift_));
    };
    const Id together = and_(
        code, same_group, code.test(spv::Op::OpIEqual, subgroup(before.high), subgroup(mine.high)));
    code.when(and_(code, unordered, together),
              [&] { (void)count(code, e_.constant(OrderLayout::together), 1); });
    unordered = and_(code, unordered, not_(code, together));
  }
  code.when(unordered, [&] {
    if (followed(memory)) {
      ask(code, memory, before, mine);
    } else {
      record(code, memory, before, mine);
    }
  });
  code.finish();
  return code.id();
}

void OrderRuntime::call_meet(Code& code, std::uint32_t memory, bool narrow, const Stamp& before,
                             const Stamp& mine, Id flags) {
  const Id somebody = code.test(spv::Op::OpINotEqual, before.high, e_.constant(0));
  const Id other = code.test(spv::Op::OpINotEqual, before.high, mine.high);
  const Id function = meet(memory, narrow);
  code.when(and_(code, somebody, other), [&] {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                    {ref(function), ref(before.high), ref(before.low), ref(mine.low),
                     ref(code.load(meeting_cell_)), ref(flags)});
  });
}

// The last, the last that another workgroup's followed, the last that another's of the own
// workgroup followed in its phase.
Id OrderRuntime::enter(Code& code, std::uint32_t memory, Id base, std::uint32_t slot,
                       const Stamp& mine) {
  const Id zero = e_.constant(0);
  const Id displaced = code.local();
  code.store(displaced, zero);
  const Stamp last = look(code, at(code, base, slot));
  const auto when_ = [&](Id low) {
    return code.word(spv::Op::OpShiftRightLogical, low, e_.constant(OrderStamp::event_shift));
  };
  Id own = and_(code, code.test(spv::Op::OpIEqual, last.high, mine.high),
                code.test(spv::Op::OpIEqual, when_(last.low), when_(mine.low)));
  if (options_.private_accesses) {
    const auto kind = [&](Id low) {
      return code.word(spv::Op::OpBitwiseAnd, low, e_.constant(OrderStamp::unordered));
    };
    own = and_(code, own, code.test(spv::Op::OpIEqual, kind(last.low), kind(mine.low)));
  }
  Id settled = own;
  if (!followed(memory)) {
    // Whoever writes meets one of two already, who else comes.
    const Stamp far = look(code, at(code, base, slot + 1));
    const Stamp near = look(code, at(code, base, slot + 2));
    const auto there = [&](const Stamp& s) {
      return code.test(spv::Op::OpINotEqual, s.high, zero);
    };
    const auto together = [&](const Stamp& a, const Stamp& b) {
      return code.test(spv::Op::OpIEqual, group_of(code, a.high), group_of(code, b.high));
    };
    const Id groups =
        and_(code, and_(code, there(last), there(far)), not_(code, together(last, far)));
    const Id apart = and_(code, and_(code, there(last), there(near)),
                          code.test(spv::Op::OpINotEqual, last.high, near.high));
    const Id here = and_(
        code, and_(code, together(last, mine), together(near, mine)),
        and_(code, same_phase(code, last.low, mine.low), same_phase(code, near.low, mine.low)));
    settled = or_(code, settled, or_(code, groups, and_(code, apart, here)));
  }
  code.when(not_(code, settled), [&] {
    const Stamp before = swap(code, at(code, base, slot), mine);
    code.store(displaced, before.high);
    const Id other = and_(code, code.test(spv::Op::OpINotEqual, before.high, zero),
                          code.test(spv::Op::OpINotEqual, before.high, mine.high));
    code.when(other, [&] {
      const Id same_group =
          code.test(spv::Op::OpIEqual, group_of(code, before.high), group_of(code, mine.high));
      code.when(not_(code, same_group), [&] { put(code, at(code, base, slot + 1), before); });
      code.when(and_(code, same_group, same_phase(code, before.low, mine.low)),
                [&] { put(code, at(code, base, slot + 2), before); });
    });
  });
  return code.load(displaced);
}

// Two that come at once must not both look before the other's stamp is there: where to look waits
// for what the own one displaced, which is nobody's name.
Id OrderRuntime::once_entered(Code& code, Id base, Id displaced) {
  if (options_.fences_yield) {
    return base;  // a processor's exchange is done before what follows
  }
  const Id nobody = code.test(spv::Op::OpIEqual, displaced, e_.constant(0xFFFFFFFF));
  return code.word(spv::Op::OpIAdd, base, code.choose(nobody, e_.constant(1), e_.constant(0)));
}

Id OrderRuntime::note(std::uint32_t memory, OrderKind kind) {
  const auto [entry, fresh] = note_.try_emplace(std::pair(memory, kind), 0);
  if (fresh) {
    entry->second = write_note(memory, kind);
  }
  return entry->second;
}

Id OrderRuntime::note_many(std::uint32_t memory, OrderKind kind) {
  const auto [entry, fresh] = note_many_.try_emplace(std::pair(memory, kind), 0);
  if (!fresh) {
    return entry->second;
  }
  const Id one = note(memory, kind);
  Code code(e_, "tilescope_note_many", e_.void_type(), std::vector<Id>(4, e_.uint_type()));
  const Id end = code.word(spv::Op::OpIAdd, code.parameter(0), code.parameter(1));
  code.count(code.parameter(0), end, e_.constant(1), [&](Id cell) {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                    {ref(one), ref(cell), ref(code.parameter(2)), ref(code.parameter(3))});
  });
  code.finish();
  entry->second = code.id();
  return entry->second;
}

// What a write's value is to the one before it. Two that come at once may leave their stamps in one
// order and their values in the other: then the later stamp finds no value yet and takes it for an
// equal one, and the later value, which is not of whom its stamp found, tells where they differ.
Id OrderRuntime::compare_values(Code& code, std::uint32_t memory, Id stamps, const Stamp& before,
                                const Stamp& mine) {
  const Id zero = e_.constant(0);
  const Id equal_word = e_.constant(OrderLayout::equal);
  const auto is_other = [&](const Stamp& s) {
    return and_(code, code.test(spv::Op::OpINotEqual, s.high, zero),
                code.test(spv::Op::OpINotEqual, s.high, mine.high));
  };
  const Stamp value = swap(code, at(code, stamps, 1), {mine.high, code.parameter(2)});
  const Id one = code.test(spv::Op::OpINotEqual, value.low, e_.constant(empty_word - 1));
  const Id equal = and_(code, one, code.test(spv::Op::OpIEqual, value.low, code.parameter(2)));
  const Id behind = is_other(before);
  const Id other = is_other(value);
  const Id crossed = code.test(spv::Op::OpINotEqual, value.high, before.high);
  code.when(and_(code, and_(code, other, crossed), not_(code, equal)), [&] {
    call_meet(code, memory, false, look(code, stamps), mine, e_.constant(OrderLayout::differed));
  });
  const Id told = code.choose(equal, equal_word, e_.constant(OrderLayout::differed));
  return code.choose(other, told, code.choose(behind, equal_word, zero));
}

Id OrderRuntime::write_note(std::uint32_t memory, OrderKind kind) {
  const OrderMemory& m = plan_.memories[memory];
  if (meeting_cell_ == 0) {
    meeting_cell_ = e_.private_word("tilescope_meeting_cell");
  }
  for (const bool narrow : {false, true}) {
    (void)meet(memory, narrow && m.narrow);  // written before this function is
  }
  Code code(e_, "tilescope_note", e_.void_type(), std::vector<Id>(3, e_.uint_type()));
  const Id zero = e_.constant(0);
  Id inside = code.test(spv::Op::OpULessThan, code.parameter(0), e_.constant(number(m.cells)));
  if (m.cells < m.all) {
    const Id beyond =
        code.test(spv::Op::OpULessThan, code.parameter(0), e_.constant(number(m.all)));
    code.when(and_(code, not_(code, inside), beyond),
              [&] { (void)count(code, e_.constant(OrderLayout::beyond), 1); });
  }
  if (options_.muted != 0) {
    inside = and_(code, inside, code.test(spv::Op::OpIEqual, code.load(options_.muted), zero));
  }
  code.when(inside, [&] {
    const Id offset = code.word(spv::Op::OpIMul, code.parameter(0), e_.constant(m.words));
    Id base = at(code, offset, number(m.first));
    if (m.memory == MemoryClass::shared) {
      base = code.word(spv::Op::OpIAdd, base, code.load(room_));
    }
    code.store(meeting_cell_, code.parameter(0));
    if (plan_.events) {
      fence_stands(code);
      code.store(noted_, e_.constant(1));
    }
    const Id low = code.word(spv::Op::OpBitwiseOr, code.load(time(m.memory)), code.parameter(1));
    const Stamp mine{code.load(who_), low};
    const auto slot = [&](OrderKind k) { return m.slot[static_cast<std::size_t>(k)]; };
    const bool in_turn = options_.compact && !m.narrow;
    Stamp met{zero, zero};
    Id met_flags = zero;
    if (kind == OrderKind::write) {
      const Id stamps = at(code, base, *slot(kind));
      const Stamp before = swap(code, stamps, mine);
      const Id flags = m.values ? compare_values(code, memory, stamps, before, mine) : zero;
      met = before;
      met_flags = flags;
      base = once_entered(code, base, before.high);
      if (!in_turn) {
        call_meet(code, memory, false, before, mine, flags);
      }
    } else {
      base = once_entered(code, base, enter(code, memory, base, *slot(kind), mine));
    }
    if (in_turn) {
      meet_words(code, memory, kind, base, mine, met, met_flags);
    } else {
      meet_kinds(code, memory, kind, base, mine);
    }
  });
  code.finish();
  return code.id();
}

void OrderRuntime::meet_kinds(Code& code, std::uint32_t memory, OrderKind kind, Id base,
                              const Stamp& mine) {
  const OrderMemory& m = plan_.memories[memory];
  std::vector<std::pair<Stamp, bool>> found;  // all are there before one is met: a single wait
  const auto look_at = [&](OrderKind other, bool narrow) {
    const auto& slot = m.slot[static_cast<std::size_t>(other)];
    const std::uint32_t words = other == OrderKind::write ? 1 : 3;
    for (std::uint32_t n = 0; n < words && slot; ++n) {
      found.emplace_back(look(code, at(code, base, *slot + n)), narrow);
    }
  };
  if (kind != OrderKind::write) {
    look_at(OrderKind::write, false);
  }
  for (const OrderKind other : kinds) {
    if (conflict(kind, other)) {
      look_at(other, false);
    } else if (m.narrow && is_atomic_kind(kind) && is_atomic_kind(other) &&
               (kind == OrderKind::atomic || other == OrderKind::atomic)) {
      look_at(other, true);
    }
  }
  for (const auto& [stamp, narrow] : found) {
    call_meet(code, memory, narrow, stamp, mine, e_.constant(0));
  }
  // What a write comes behind, or is told of, later ones need not look at.
  const Id zero = e_.constant(0);
  for (const OrderKind other : kinds) {
    const auto& slot = m.slot[static_cast<std::size_t>(other)];
    for (std::uint32_t n = 0; n < 3 && kind == OrderKind::write && followed(memory) && slot; ++n) {
      put(code, at(code, base, *slot + n), {zero, zero});
    }
  }
}

// The same by one look in a loop over the words that conflict; what a write found in its own comes
// first.
void OrderRuntime::meet_words(Code& code, std::uint32_t memory, OrderKind kind, Id base,
                              const Stamp& mine, const Stamp& before, Id flags) {
  const OrderMemory& m = plan_.memories[memory];
  const Id zero = e_.constant(0);
  std::vector<std::uint32_t> words;
  const auto& written = m.slot[static_cast<std::size_t>(OrderKind::write)];
  if (kind == OrderKind::write || written) {
    words.push_back(written.value_or(0));
  }
  for (const OrderKind other : kinds) {
    const auto& slot = m.slot[static_cast<std::size_t>(other)];
    for (std::uint32_t n = 0; n < 3 && slot && conflict(kind, other); ++n) {
      words.push_back(*slot + n);
    }
  }
  if (words.empty()) {
    return;
  }
  code.count(zero, e_.constant(number(words.size())), e_.constant(1), [&](Id turn) {
    Id word = e_.constant(words.front());
    for (std::uint32_t k = 1; k < words.size(); ++k) {
      word = code.choose(code.test(spv::Op::OpIEqual, turn, e_.constant(k)), e_.constant(words[k]),
                         word);
    }
    const Id place = code.word(spv::Op::OpIAdd, base, word);
    Stamp found = look(code, place);
    Id told = zero;
    if (kind == OrderKind::write) {
      const Id own = code.test(spv::Op::OpIEqual, turn, zero);
      found = {code.choose(own, before.high, found.high), code.choose(own, before.low, found.low)};
      told = code.choose(own, flags, zero);
      if (followed(memory)) {
        code.when(not_(code, own), [&] { put(code, place, {zero, zero}); });
      }
    }
    call_meet(code, memory, false, found, mine, told);
  });
}

}  // namespace spirv

// Notes on accesses: the functions that the kernel calls where it touches shared memory.
#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"

namespace spirv {

Id RaceRuntime::same_subgroup(Code& code, Id a, Id b) {
  const Id shift = code.load(lane_shift_);
  return code.test(spv::Op::OpIEqual, code.word(spv::Op::OpShiftRightLogical, a, shift),
                   code.word(spv::Op::OpShiftRightLogical, b, shift));
}

// The word after `who` came, and whether it tells of `who` already. With subgroups the second
// smallest is the smallest of another subgroup than the smallest's: within a subgroup lane words
// decide.
Id RaceRuntime::joined(Code& code, Id word, Id who, Id& already) {
  const Id sixteen = e_.constant(16);
  const Id low_mask = e_.constant(0xFFFF);
  const Id first = code.word(spv::Op::OpShiftRightLogical, word, sixteen);
  const Id second = code.word(spv::Op::OpBitwiseAnd, word, low_mask);
  const Id shifted = code.word(spv::Op::OpShiftLeftLogical, who, sixteen);
  const Id high = code.word(spv::Op::OpBitwiseAnd, word, e_.constant(0xFFFF0000));
  Id demoted = code.word(spv::Op::OpBitwiseOr, shifted, first);
  const Id appended = code.word(spv::Op::OpBitwiseOr, high, who);
  const Id smaller = code.test(spv::Op::OpULessThan, who, first);
  const Id not_second = code.test(spv::Op::OpUGreaterThanEqual, who, second);
  Id known = code.test(spv::Op::OpIEqual, who, first);
  if (options_.subgroups) {
    const Id together = same_subgroup(code, who, first);
    const Id kept = code.word(spv::Op::OpBitwiseOr, shifted, second);
    demoted = code.choose(together, kept, demoted);
    const Id not_smaller = code.test(spv::Op::OpUGreaterThanEqual, who, first);
    known = code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(together), ref(not_smaller)});
  }
  already = code.emit(spv::Op::OpLogicalOr, e_.bool_type(), {ref(known), ref(not_second)});
  return code.choose(smaller, demoted, appended);
}

void RaceRuntime::unless_settled(Code& code, Id who, const std::function<void()>& body) {
  code.when(code.test(spv::Op::OpINotEqual, who, e_.constant(no_invocation)), body);
}

// Writes down who came.
void RaceRuntime::write_enter() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_enter", e_.void_type(), {uint, uint});
  const Id pointer = word_pointer(code, code.parameter(0));
  const Id seen = code.local();
  code.store(seen, options_.compact ? e_.constant(empty_word) : load_word(code, code.parameter(0)));
  code.repeat([&] {
    const Id before = code.load(seen);
    Id known = 0;
    const Id after = joined(code, before, code.parameter(1), known);
    // What is known already is exchanged for itself.
    const Id old = exchange(code, pointer, before, code.choose(known, before, after));
    code.store(seen, old);
    return code.test(spv::Op::OpINotEqual, old, before);
  });
  code.finish();
  enter_ = code.id();
}

void RaceRuntime::write_touch() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch", e_.void_type(), {uint, uint});
  const Id who = code.parameter(1);
  const auto enter = [&] {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                    {ref(enter_), ref(code.parameter(0)), ref(who)});
  };
  unless_settled(code, who, [&] {
    if (options_.compact) {
      enter();
      return;
    }
    Id already = 0;
    (void)joined(code, load_word(code, code.parameter(0)), who, already);
    code.when(code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(already)}), enter);
  });
  code.finish();
  touch_ = code.id();
}

// All words are looked at before the first is waited for.
Id RaceRuntime::touch_few(std::uint32_t words) {
  Id& made = touch_few_[words];
  if (made != 0) {
    return made;
  }
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch_few", e_.void_type(), {uint, uint});
  const Id who = code.parameter(1);
  unless_settled(code, who, [&] {
    std::vector<Id> places;
    std::vector<Id> seen;
    for (std::uint32_t n = 0; n < words; ++n) {
      places.push_back(code.word(spv::Op::OpIAdd, code.parameter(0), e_.constant(n)));
      seen.push_back(load_word(code, places.back()));
    }
    Id all = 0;
    for (const Id word : seen) {
      Id already = 0;
      (void)joined(code, word, who, already);
      all = all == 0 ? already
                     : code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(all), ref(already)});
    }
    code.when(code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(all)}), [&] {
      for (const Id place : places) {
        (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                        {ref(enter_), ref(place), ref(who)});
      }
    });
  });
  code.finish();
  made = code.id();
  return made;
}

void RaceRuntime::write_touch_many() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch_many", e_.void_type(), {uint, uint, uint});
  const Id end = code.word(spv::Op::OpIAdd, code.parameter(0), code.parameter(1));
  code.count(code.parameter(0), end, e_.constant(1), [&](Id index) {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                    {ref(touch_), ref(index), ref(code.parameter(2))});
  });
  code.finish();
  touch_many_ = code.id();
}

void RaceRuntime::write_touch_own() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch_own", e_.void_type(), {uint, uint, uint});
  const Id shifted = code.word(spv::Op::OpShiftLeftLogical, code.parameter(2), e_.constant(16));
  const Id word = code.word(spv::Op::OpBitwiseOr, shifted, e_.constant(no_invocation));
  const Id end = code.word(spv::Op::OpIAdd, code.parameter(0), code.parameter(1));
  code.count(code.parameter(0), end, e_.constant(1),
             [&](Id index) { store_word(code, index, word); });
  code.finish();
  touch_own_ = code.id();
}

// A value word: empty, the hash of the one value written, or 0xFFFFFFFE when there were several.
void RaceRuntime::write_touch_value() {
  if (options_.compact) {
    write_touch_value_compact();
    return;
  }
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch_value", e_.void_type(), {uint, uint, uint});
  unless_settled(code, code.parameter(2), [&] {
    const Id empty = e_.constant(empty_word);
    const Id old = exchange(code, word_pointer(code, code.parameter(0)), empty, code.parameter(1));
    const Id set = code.test(spv::Op::OpINotEqual, old, empty);
    const Id other = code.test(spv::Op::OpINotEqual, old, code.parameter(1));
    code.when(code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(set), ref(other)}), [&] {
      (void)atomic(code, spv::Op::OpAtomicExchange, word_pointer(code, code.parameter(0)),
                   e_.constant(empty_word - 1), false);
    });
  });
  code.finish();
  touch_value_ = code.id();
}

// The same in one loop around one exchange.
void RaceRuntime::write_touch_value_compact() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch_value", e_.void_type(), {uint, uint, uint});
  const Id seen = code.local();
  unless_settled(code, code.parameter(2), [&] {
    const Id empty = e_.constant(empty_word);
    const Id pointer = word_pointer(code, code.parameter(0));
    code.store(seen, empty);
    code.repeat([&] {
      const Id before = code.load(seen);
      const Id same = code.test(spv::Op::OpIEqual, before, code.parameter(1));
      const Id none = code.test(spv::Op::OpIEqual, before, empty);
      const Id one = code.emit(spv::Op::OpLogicalOr, e_.bool_type(), {ref(same), ref(none)});
      const Id after = code.choose(one, code.parameter(1), e_.constant(empty_word - 1));
      const Id old = exchange(code, pointer, before, after);
      code.store(seen, old);
      return code.test(spv::Op::OpINotEqual, old, before);
    });
  });
  code.finish();
  touch_value_ = code.id();
}

// A lane word: how many subgroup barriers, and the two smallest lanes since the last one.
void RaceRuntime::write_touch_lane() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch_lane", e_.void_type(), {uint, uint});
  unless_settled(code, code.parameter(1), [&] {
    const Id size = code.word(spv::Op::OpShiftLeftLogical, e_.constant(1), code.load(lane_shift_));
    const Id mask = code.word(spv::Op::OpISub, size, e_.constant(1));
    const Id lane = code.word(spv::Op::OpBitwiseAnd, code.parameter(1), mask);
    const Id stamp =
        code.word(spv::Op::OpShiftLeftLogical, code.load(lane_phase_), e_.constant(16));
    const Id alone = code.word(spv::Op::OpBitwiseOr,
                               code.word(spv::Op::OpBitwiseOr, stamp, e_.constant(no_lane)),
                               code.word(spv::Op::OpShiftLeftLogical, lane, e_.constant(8)));
    const Id pointer = word_pointer(code, code.parameter(0));
    const Id seen = code.local();
    code.store(seen, load_word(code, code.parameter(0)));
    code.repeat([&] {
      const Id before = code.load(seen);
      const Id high = code.word(spv::Op::OpBitwiseAnd, before, e_.constant(0xFFFF0000));
      const Id now = code.test(spv::Op::OpIEqual, high, stamp);
      const Id first = code.word(spv::Op::OpBitwiseAnd,
                                 code.word(spv::Op::OpShiftRightLogical, before, e_.constant(8)),
                                 e_.constant(0xFF));
      const Id second = code.word(spv::Op::OpBitwiseAnd, before, e_.constant(0xFF));
      const Id promoted =
          code.word(spv::Op::OpBitwiseOr, code.word(spv::Op::OpBitwiseOr, stamp, first),
                    code.word(spv::Op::OpShiftLeftLogical, lane, e_.constant(8)));
      const Id appended =
          code.word(spv::Op::OpBitwiseOr,
                    code.word(spv::Op::OpBitwiseAnd, before, e_.constant(0xFFFFFF00)), lane);
      const Id is_first = code.test(spv::Op::OpIEqual, lane, first);
      const Id is_late = code.test(spv::Op::OpUGreaterThanEqual, lane, second);
      Id merged = code.choose(code.test(spv::Op::OpULessThan, lane, first), promoted, appended);
      merged = code.choose(
          code.emit(spv::Op::OpLogicalOr, e_.bool_type(), {ref(is_first), ref(is_late)}), before,
          merged);
      const Id old = exchange(code, pointer, before, code.choose(now, merged, alone));
      code.store(seen, old);
      return code.test(spv::Op::OpINotEqual, old, before);
    });
  });
  code.finish();
  touch_lane_ = code.id();
}

}  // namespace spirv

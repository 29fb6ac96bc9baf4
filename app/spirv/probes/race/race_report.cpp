// Reports at the kernel's end, from the workgroup's tallies to the buffer of findings.
#include <array>

#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"

namespace spirv {

void RaceRuntime::report_pair(Code& code, Id pair, Id tally) {
  const auto shadow_field = [&](std::uint32_t n) {
    return load_word(code, code.word(spv::Op::OpIAdd, tally, e_.constant(n)));
  };
  const Id count = shadow_field(0);
  code.when(code.test(spv::Op::OpINotEqual, count, e_.constant(0)), [&] {
    const Id group = group_position(code);
    const Id offset = code.word(spv::Op::OpIMul, pair, e_.constant(FindingsLayout::pair_words));
    const Id base = code.word(spv::Op::OpIAdd, offset, e_.constant(findings_layout_.pair(0)));
    const auto at = [&](std::uint32_t n) {
      return findings_pointer(code, code.word(spv::Op::OpIAdd, base, e_.constant(n)));
    };
    (void)atomic(code, spv::Op::OpAtomicIAdd, at(0), count, true);
    (void)atomic(code, spv::Op::OpAtomicOr, at(1), shadow_field(1), true);
    const Id priority = code.word(spv::Op::OpISub, e_.constant(0xFFFFFFFF), group);
    const Id best = atomic(code, spv::Op::OpAtomicUMax, at(2), priority, true);
    code.when(code.test(spv::Op::OpULessThan, best, priority), [&] {
      const Id slot = atomic(code, spv::Op::OpAtomicIAdd, at(3), e_.constant(1), true);
      const Id free = code.test(spv::Op::OpULessThan, slot, e_.constant(FindingsLayout::examples));
      code.when(free, [&] {
        const Id start = code.word(spv::Op::OpIAdd, base,
                                   code.word(spv::Op::OpIAdd, e_.constant(4),
                                             code.word(spv::Op::OpIMul, slot, e_.constant(4))));
        const std::vector<Id> words{group, shadow_field(2), shadow_field(3), shadow_field(4)};
        for (std::uint32_t n = 0; n < words.size(); ++n) {
          const Id place = code.word(spv::Op::OpIAdd, start, e_.constant(n));
          code.emit(spv::Op::OpStore, {ref(findings_pointer(code, place)), ref(words[n])});
        }
      });
    });
    const Id word = code.word(spv::Op::OpIAdd, e_.constant(findings_layout_.groups()),
                              code.word(spv::Op::OpShiftRightLogical, group, e_.constant(5)));
    const Id bit = code.word(spv::Op::OpShiftLeftLogical, e_.constant(1),
                             code.word(spv::Op::OpBitwiseAnd, group, e_.constant(31)));
    (void)atomic(code, spv::Op::OpAtomicOr, findings_pointer(code, word), bit, true);
  });
}

// Counts the invocation, and stores its report if it is the first one.
void RaceRuntime::tell(Code& code, Id base, Id word, Id group) {
  const Id before =
      atomic(code, spv::Op::OpAtomicIAdd, findings_pointer(code, base), e_.constant(1), true);
  code.when(code.test(spv::Op::OpIEqual, before, e_.constant(0)), [&] {
    const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
    const std::array<Id, FindingsLayout::example_words - 1> values{word, me, group};
    const auto at = [&](Id field) {
      return findings_pointer(code, code.word(spv::Op::OpIAdd, base, field));
    };
    if (told_array_ == 0) {
      for (std::uint32_t n = 0; n < values.size(); ++n) {
        code.store(at(e_.constant(n + 1)), values[n]);
      }
      return;
    }
    code.count(e_.constant(1), e_.constant(4), e_.constant(1), [&](Id field) {
      const auto is = [&](std::uint32_t value) {
        return code.test(spv::Op::OpIEqual, field, e_.constant(value));
      };
      code.store(at(field), code.choose(is(1), word, code.choose(is(2), me, group)));
    });
  });
}

// There are two examples: the first invocation of all, which depends on the order in which the
// device runs workgroups, and the first one of the launch's first workgroup, which is in every
// launch.
void RaceRuntime::tell_examples(Code& code, Id base, Id word) {
  code.when(code.test(spv::Op::OpINotEqual, word, e_.constant(0)), [&] {
    const Id group = group_position(code);
    tell(code, base, word, group);
    code.when(code.test(spv::Op::OpIEqual, group, e_.constant(0)), [&] {
      const Id own = e_.constant(FindingsLayout::example_words);
      tell(code, code.word(spv::Op::OpIAdd, base, own), word, group);
    });
  });
}

void RaceRuntime::report_told(Code& code) {
  if (told_array_ != 0) {
    report_told_compact(code);
    return;
  }
  for (std::uint32_t n = 0; n < told_.size(); ++n) {
    tell_examples(code, e_.constant(findings_layout_.tell(n)), code.load(told_[n]));
  }
}

void RaceRuntime::report_told_compact(Code& code) {
  code.count(e_.constant(0), e_.constant(findings_layout_.told), e_.constant(1), [&](Id n) {
    const Id pointer = e_.pointer_type(spv::StorageClass::Private, e_.uint_type());
    const Id word =
        code.load(code.emit(spv::Op::OpAccessChain, pointer, {ref(told_array_), ref(n)}));
    const Id offset = code.word(spv::Op::OpIMul, n, e_.constant(FindingsLayout::tell_words));
    const Id base = code.word(spv::Op::OpIAdd, offset, e_.constant(findings_layout_.tell(0)));
    tell_examples(code, base, word);
  });
}

// What was there when the invocation began is not written again: after the first workgroups nothing
// is. Of those a subgroup's write once, as atomics on one word wait for each other.
void RaceRuntime::flush_marks(Code& code) {
  const Id subgroup = e_.constant(number(spv::Scope::Subgroup));
  const Id device =
      e_.constant(number(e_.vulkan_memory_model() ? spv::Scope::QueueFamily : spv::Scope::Device));
  for (std::uint32_t word = 0; word < marks_.size(); ++word) {
    const Id mine = code.load(marks_[word]);
    const Id at = findings_pointer(code, e_.constant(findings_layout_.mark(word)));
    const auto add_what_lacks = [&](Id there, const std::function<void()>& add) {
      const Id missing = code.emit(spv::Op::OpNot, e_.uint_type(), {ref(there)});
      const Id news = code.word(spv::Op::OpBitwiseAnd, mine, missing);
      code.when(code.test(spv::Op::OpINotEqual, news, e_.constant(0)), add);
    };
    const auto add_mine = [&] { (void)atomic(code, spv::Op::OpAtomicOr, at, mine, true); };
    add_what_lacks(code.load(marked_[word]), [&] {
      code.when(code.emit(spv::Op::OpGroupNonUniformElect, e_.bool_type(), {ref(subgroup)}),
                add_mine);
      add_what_lacks(code.emit(spv::Op::OpAtomicLoad, e_.uint_type(),
                               {ref(at), ref(device), ref(e_.constant(0))}),
                     add_mine);
    });
  }
}

// A device that ends loops after so many turns together (llvmpipe: 65535) leaves every later loop
// after its first turn. This one has as many as the header says, which no compiler knows.
void RaceRuntime::when_loops_turn(Code& code, const std::function<void()>& body) {
  if (!options_.tries_loops) {
    body();
    return;
  }
  const Id turns = code.load(findings_pointer(code, e_.constant(FindingsLayout::turns)));
  const Id turned = code.local();
  code.store(turned, e_.constant(0));
  code.repeat([&] {
    const Id next = code.word(spv::Op::OpIAdd, code.load(turned), e_.constant(1));
    code.store(turned, next);
    return code.test(spv::Op::OpULessThan, next, turns);
  });
  const Id all = code.test(spv::Op::OpIEqual, code.load(turned), turns);
  code.when(code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(all)}), [&] {
    (void)atomic(code, spv::Op::OpAtomicIAdd,
                 findings_pointer(code, e_.constant(FindingsLayout::stuck)), e_.constant(1), true);
  });
  code.when(all, body);
}

// What an invocation has kept to itself.
void RaceRuntime::report_own(Code& code) {
  flush_marks(code);
  report_told(code);
  if (findings_layout_.loops > 0) {
    const Id cut = code.load(bad_loop_);
    code.when(code.test(spv::Op::OpINotEqual, cut, e_.constant(0)), [&] {
      const Id at = code.word(spv::Op::OpIAdd, cut, e_.constant(findings_layout_.loop(0) - 1));
      (void)atomic(code, spv::Op::OpAtomicIAdd, findings_pointer(code, at), e_.constant(1), true);
    });
  }
}

void RaceRuntime::write_end(const std::vector<Noted>& last) {
  std::vector<Id> scans;
  for (const Noted& sites : last) {
    scans.push_back(scan(sites));
  }
  Code code(e_, "tilescope_end", e_.void_type(), {});
  if (beyond_ == 0) {
    report_own(code);
  } else {
    code.when(code.test(spv::Op::OpIEqual, code.load(beyond_), e_.constant(0)),
              [&] { report_own(code); });
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(rendezvous_)});
  }
  if (words_ != 0) {
    if (options_.subgroups) {
      const Id full =
          code.test(spv::Op::OpIEqual, code.load(lane_phase_), e_.constant(last_lane_phase));
      code.when(full, [&] {
        (void)atomic(code, spv::Op::OpAtomicOr,
                     findings_pointer(code, e_.constant(FindingsLayout::overflowed)),
                     e_.constant(1), true);
      });
    }
    code.emit(spv::Op::OpControlBarrier, barrier());
    for (const Id scan : scans) {
      (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(scan)});
    }
    code.emit(spv::Op::OpControlBarrier, barrier());
    const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
    const auto pairs = number(open_.size());
    when_loops_turn(code, [&] {
      code.count(me, e_.constant(pairs), e_.constant(options_.invocations), [&](Id pair) {
        const Id offset = code.word(spv::Op::OpIMul, pair, e_.constant(5));
        report_pair(code, pair, code.word(spv::Op::OpIAdd, offset, e_.constant(shadow_.tally(0))));
      });
    });
  } else if (options_.tries_loops) {
    when_loops_turn(code, [] {});
  }
  code.finish();
  end_ = code.id();
}

}  // namespace spirv

// Reports at the kernel's end, from the workgroup's tallies to the buffer of findings.
#include "spirv/probes/race_runtime.h"
#include "spirv/probes/race_words.h"

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

void RaceRuntime::write_end() {
  Code code(e_, "tilescope_end", e_.void_type(), {});
  const auto report_private = [&](Id variable, std::uint32_t first) {
    const Id seen = code.load(variable);
    code.when(code.test(spv::Op::OpINotEqual, seen, e_.constant(0)), [&] {
      const Id at = code.word(spv::Op::OpIAdd, seen, e_.constant(first - 1));
      (void)atomic(code, spv::Op::OpAtomicIAdd, findings_pointer(code, at), e_.constant(1), true);
    });
  };
  if (findings_layout_.indices > 0) {
    report_private(bad_index_, findings_layout_.index(0));
  }
  if (findings_layout_.loops > 0) {
    report_private(bad_loop_, findings_layout_.loop(0));
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
    for (const Id scan : scan_) {
      if (scan != 0) {
        (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(scan)});
      }
    }
    code.emit(spv::Op::OpControlBarrier, barrier());
    const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
    const auto pairs = number(proofs_.open().size());
    code.count(me, e_.constant(pairs), e_.constant(options_.invocations), [&](Id pair) {
      const Id offset = code.word(spv::Op::OpIMul, pair, e_.constant(5));
      report_pair(code, pair, code.word(spv::Op::OpIAdd, offset, e_.constant(shadow_.tally(0))));
    });
  }
  code.finish();
  end_ = code.id();
}

}  // namespace spirv

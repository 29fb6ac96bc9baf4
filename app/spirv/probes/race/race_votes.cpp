// Votes: at a branch that barriers depend on and that only data decides, the workgroup compares
// what each invocation came with, and all go the way of the smallest. No barrier is then ever met
// by some invocations alone, whatever the device would do with that; who would have gone elsewhere
// is counted.
#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"

namespace spirv {

Id RaceRuntime::vote_pointer(Code& code, Id index) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::Workgroup, e_.uint_type()),
                   {ref(votes_), ref(index)});
}

// One barrier a vote, and three pairs of words in turn: the pair of the vote before is read by all
// before this vote's barrier, and is cleared behind it, before the next vote's, for the one after.
void RaceRuntime::write_agree() {
  const Id uint = e_.uint_type();
  votes_ = e_.shared_words("tilescope_votes", 6);
  vote_turn_ = e_.private_word("tilescope_vote_turn");
  Code code(e_, "tilescope_agree", uint, {uint, uint});
  const Id value = code.parameter(0);
  const Id turn = code.load(vote_turn_);
  const Id smallest = code.word(spv::Op::OpIMul, turn, e_.constant(2));
  const Id largest = code.word(spv::Op::OpIAdd, smallest, e_.constant(1));
  (void)atomic(code, spv::Op::OpAtomicUMin, vote_pointer(code, smallest), value, false);
  (void)atomic(code, spv::Op::OpAtomicUMax, vote_pointer(code, largest), value, false);
  code.emit(spv::Op::OpControlBarrier, barrier());
  const Id low = load_shared(code, vote_pointer(code, smallest));
  const Id high = load_shared(code, vote_pointer(code, largest));
  const Id first = code.test(spv::Op::OpIEqual, turn, e_.constant(0));
  const Id last = code.test(spv::Op::OpIEqual, turn, e_.constant(2));
  const Id before =
      code.choose(first, e_.constant(2), code.word(spv::Op::OpISub, turn, e_.constant(1)));
  const Id after =
      code.choose(last, e_.constant(0), code.word(spv::Op::OpIAdd, turn, e_.constant(1)));
  code.store(vote_turn_, after);
  const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
  code.when(code.test(spv::Op::OpIEqual, me, e_.constant(0)), [&] {
    const Id old = code.word(spv::Op::OpIMul, before, e_.constant(2));
    store_shared(code, vote_pointer(code, old), e_.constant(0xFFFFFFFF));
    const Id other = code.word(spv::Op::OpIAdd, old, e_.constant(1));
    store_shared(code, vote_pointer(code, other), e_.constant(0));
  });
  const Id apart = code.test(spv::Op::OpINotEqual, low, high);
  const Id elsewhere = code.test(spv::Op::OpINotEqual, low, value);
  code.when(code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(apart), ref(elsewhere)}), [&] {
    const Id at =
        code.word(spv::Op::OpIAdd, code.parameter(1), e_.constant(findings_layout_.vote(0)));
    (void)atomic(code, spv::Op::OpAtomicIAdd, findings_pointer(code, at), e_.constant(1), true);
  });
  code.emit(spv::Op::OpReturnValue, {ref(low)});
  code.finish();
  agree_ = code.id();
}

}  // namespace spirv

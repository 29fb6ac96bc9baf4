// Votes: whether all invocations of a workgroup come to the same barriers, where the text does not
// say so.
//
// At a branch that such barriers depend on, the workgroup compares what each invocation came with.
// Where they agree it stays together. Where they do not it has parted: each invocation goes its own
// way, without votes. One that comes to a barrier then has come there without the others. It is
// counted, and goes on without waiting, so that no barrier is ever met by a part of a workgroup,
// whatever the device would do with that; what it does from there on is not noted. Behind the
// branch, where all ways have met again, the workgroup is together if nobody was counted. Else it
// is not looked at any more.
//
// Assumed: branches that parting_branches() does not name are taken alike by all that come to them
// together, so that a workgroup that has not parted comes to each vote whole.
#include <string>

#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"

namespace spirv {
namespace {

// In the place of a branch's number: the workgroup is not looked at any more.
constexpr std::uint32_t given_up = 0xFFFFFFFF;

}  // namespace

Id RaceRuntime::vote_pointer(Code& code, Id index) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::Workgroup, e_.uint_type()),
                   {ref(votes_), ref(index)});
}

// One barrier a vote, and three pairs of words in turn: the pair of the vote before is read by all
// before this vote's barrier, and is cleared behind it, before the next vote's, for the one after.
void RaceRuntime::write_agree() {
  const Id uint = e_.uint_type();
  const Id zero = e_.constant(0);
  votes_ = e_.shared_words("tilescope_votes", vote_words);
  vote_turn_ = e_.private_word("tilescope_vote_turn");
  Code code(e_, "tilescope_agree", e_.void_type(), {uint, uint});
  code.when(code.test(spv::Op::OpIEqual, code.load(parted_), zero), [&] {
    const Id value = code.parameter(0);
    const Id turn = code.load(vote_turn_);
    const Id smallest = code.word(spv::Op::OpIMul, turn, e_.constant(2));
    const Id largest = code.word(spv::Op::OpIAdd, smallest, e_.constant(1));
    (void)atomic(code, spv::Op::OpAtomicUMin, vote_pointer(code, smallest), value, false);
    (void)atomic(code, spv::Op::OpAtomicUMax, vote_pointer(code, largest), value, false);
    code.emit(spv::Op::OpControlBarrier, barrier());
    const Id low = load_shared(code, vote_pointer(code, smallest));
    const Id high = load_shared(code, vote_pointer(code, largest));
    const Id first = code.test(spv::Op::OpIEqual, turn, zero);
    const Id last = code.test(spv::Op::OpIEqual, turn, e_.constant(2));
    const Id before =
        code.choose(first, e_.constant(2), code.word(spv::Op::OpISub, turn, e_.constant(1)));
    const Id after = code.choose(last, zero, code.word(spv::Op::OpIAdd, turn, e_.constant(1)));
    code.store(vote_turn_, after);
    const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
    code.when(code.test(spv::Op::OpIEqual, me, zero), [&] {
      const Id old = code.word(spv::Op::OpIMul, before, e_.constant(2));
      store_shared(code, vote_pointer(code, old), e_.constant(0xFFFFFFFF));
      const Id other = code.word(spv::Op::OpIAdd, old, e_.constant(1));
      store_shared(code, vote_pointer(code, other), zero);
    });
    const Id apart = code.test(spv::Op::OpINotEqual, low, high);
    const Id branch = code.word(spv::Op::OpIAdd, code.parameter(1), e_.constant(1));
    code.store(parted_, code.choose(apart, branch, zero));
  });
  code.finish();
  agree_ = code.id();
}

// Waits for all invocations of the workgroup, which may have parted before. llvmpipe goes through
// both sides of every branch, with lanes switched off: a barrier lets other subgroups go on even if
// no lane is there, and once a subgroup has ended, all end at their next barrier. After a parting
// subgroups have been through different numbers of barriers, so that one barrier does not bring
// them together. They go on in turn, the first one first: what it sees of the arrivals holds for
// all of this turn, and they leave the loop in the same turn.
void RaceRuntime::write_rendezvous() {
  arrivals_ = e_.private_word("tilescope_arrivals");
  Code code(e_, "tilescope_rendezvous", e_.void_type(), {});
  if (!options_.all_branches) {
    code.emit(spv::Op::OpControlBarrier, barrier());
  } else {
    const Id zero = e_.constant(0);
    const Id all =
        code.word(spv::Op::OpIAdd, code.load(arrivals_), e_.constant(options_.invocations));
    code.store(arrivals_, all);
    const Id arrived = vote_pointer(code, e_.constant(vote_arrived));
    (void)atomic(code, spv::Op::OpAtomicIAdd, arrived, e_.constant(1), false);
    const Id first =
        code.test(spv::Op::OpIEqual, load_built_in(code, spv::BuiltIn::LocalInvocationIndex), zero);
    const Id seen = vote_pointer(code, e_.constant(vote_seen));
    code.repeat([&] {
      code.emit(spv::Op::OpControlBarrier, barrier());
      code.when(first, [&] {
        store_shared(code, seen, atomic(code, spv::Op::OpAtomicOr, arrived, zero, false));
      });
      return code.test(spv::Op::OpULessThan, load_shared(code, seen), all);
    });
  }
  code.finish();
  rendezvous_ = code.id();
}

// To be called once by an invocation: from then on nothing that it does is noted.
void RaceRuntime::write_leave() {
  Code code(e_, "tilescope_leave", e_.void_type(), {});
  report_own(code);
  for (const Id who : who_at_) {
    if (who != 0) {
      code.store(who, e_.constant(no_invocation));
    }
  }
  code.store(beyond_, e_.constant(1));
  code.finish();
  leave_ = code.id();
}

Id RaceRuntime::pass(std::uint32_t barrier, const std::vector<Instruction>& through) {
  const Id zero = e_.constant(0);
  Code code(e_, "tilescope_pass_" + std::to_string(barrier), e_.void_type(), {});
  const Id together = code.test(spv::Op::OpIEqual, code.load(parted_), zero);
  code.when(together, [&] {
    for (const Instruction& i : through) {
      code.append(i);
    }
  });
  // given_up is above all numbers of branches.
  const Id branch = code.word(spv::Op::OpISub, code.load(parted_), e_.constant(1));
  const Id apart = code.test(spv::Op::OpULessThan, branch, e_.constant(findings_layout_.votes));
  code.when(apart, [&] {
    const Id row = code.word(spv::Op::OpIMul, branch, e_.constant(findings_layout_.barriers));
    const Id at = code.word(spv::Op::OpIAdd, row, e_.constant(findings_layout_.vote(0, barrier)));
    (void)atomic(code, spv::Op::OpAtomicIAdd, findings_pointer(code, at), e_.constant(1), true);
    code.when(code.test(spv::Op::OpIEqual, code.load(beyond_), zero), [&] {
      (void)atomic(code, spv::Op::OpAtomicOr, vote_pointer(code, e_.constant(vote_apart)),
                   e_.constant(1), false);
      (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(leave_)});
    });
  });
  code.finish();
  return code.id();
}

void RaceRuntime::write_rejoin() {
  const Id zero = e_.constant(0);
  Code code(e_, "tilescope_rejoin", e_.void_type(), {e_.uint_type()});
  const Id branch = code.word(spv::Op::OpIAdd, code.parameter(0), e_.constant(1));
  code.when(code.test(spv::Op::OpIEqual, code.load(parted_), branch), [&] {
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(rendezvous_)});
    const Id someone = load_shared(code, vote_pointer(code, e_.constant(vote_apart)));
    const Id together = code.test(spv::Op::OpIEqual, someone, zero);
    code.store(parted_, code.choose(together, zero, e_.constant(given_up)));
    const Id here = code.test(spv::Op::OpIEqual, code.load(beyond_), zero);
    const Id apart = code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(together)});
    code.when(code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(apart), ref(here)}),
              [&] { (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(), {ref(leave_)}); });
  });
  code.finish();
  rejoin_ = code.id();
}

}  // namespace spirv

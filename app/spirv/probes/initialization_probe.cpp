#include "spirv/probes/initialization_probe.h"

#include <algorithm>
#include <map>

#include "spirv/probes/race/race_words.h"

namespace spirv {
namespace {

std::uint32_t words_of(std::uint64_t bits) {
  return static_cast<std::uint32_t>((bits + 31) / 32);
}

}  // namespace

InitializationProbe::InitializationProbe(const Initialization& analysis, std::uint64_t room)
    : analysis_(analysis) {
  if (std::uint64_t{words_of(analysis.shared_bits())} * 4 > room) {
    no_room_ = "initialization of shared memory: none is left for its bits";
  }
  for (std::size_t n = 0; n < analysis.all().size(); ++n) {
    const FollowedAccess& access = analysis.all()[n];
    if (access.reads && !access.proven && followed(analysis.variables()[access.variable])) {
      checked_.push_back({access.at, access.variable});
      reads_.push_back(n);
    }
  }
}

bool InitializationProbe::followed(const FollowedVariable& variable) const {
  return variable.open && (variable.shared ? no_room_.empty() : variable.cells() <= 32);
}

std::uint64_t InitializationProbe::shared_bytes() const {
  return no_room_.empty() ? std::uint64_t{words_of(analysis_.shared_bits())} * 4 : 0;
}

InitializationProbe::Bits InitializationProbe::make_bits(Emitter& emitter, bool compact) const {
  const Id uint = emitter.uint_type();
  Bits bits;
  bits.words = emitter.shared_words("tilescope_written", words_of(analysis_.shared_bits()));
  const auto word = [&](Code& code) {
    const Id at = code.word(spv::Op::OpShiftRightLogical, code.parameter(0), emitter.constant(5));
    return code.emit(spv::Op::OpAccessChain,
                     emitter.pointer_type(spv::StorageClass::Workgroup, uint),
                     {ref(bits.words), ref(at)});
  };
  const auto bit = [&](Code& code) {
    return code.word(spv::Op::OpShiftLeftLogical, emitter.constant(1),
                     code.word(spv::Op::OpBitwiseAnd, code.parameter(0), emitter.constant(31)));
  };
  const Id workgroup = emitter.constant(number(spv::Scope::Workgroup));
  const Id relaxed = emitter.constant(0);
  const auto load = [&](Code& code, Id pointer) {
    return code.emit(spv::Op::OpAtomicLoad, uint, {ref(pointer), ref(workgroup), ref(relaxed)});
  };
  Code set(emitter, "tilescope_set_written", emitter.void_type(), {uint});
  const Id pointer = word(set);
  const Id mask = bit(set);
  const auto add = [&] {
    (void)set.emit(spv::Op::OpAtomicOr, uint,
                   {ref(pointer), ref(workgroup), ref(relaxed), ref(mask)});
  };
  if (compact) {
    add();
  } else {
    const Id old = load(set, pointer);
    set.when(set.test(spv::Op::OpIEqual, set.word(spv::Op::OpBitwiseAnd, old, mask), relaxed), add);
  }
  set.finish();
  bits.set = set.id();
  Code test(emitter, "tilescope_test_written", uint, {uint});
  const Id there = test.word(spv::Op::OpBitwiseAnd, load(test, word(test)), bit(test));
  const Id none = test.test(spv::Op::OpIEqual, there, relaxed);
  const Id told = test.word(spv::Op::OpIAdd, test.parameter(0), emitter.constant(1));
  test.emit(spv::Op::OpReturnValue, {ref(test.choose(none, told, relaxed))});
  test.finish();
  bits.test = test.id();
  return bits;
}

// A word of bits for a variable of an invocation: 1 + the cell where its bit is not set, else 0.
Id InitializationProbe::test_own(Emitter& emitter, Insertions& code, std::vector<Instruction>& at,
                                 Id word, Id cell) const {
  const Id uint = emitter.uint_type();
  const Id zero = emitter.constant(0);
  const Id one = emitter.constant(1);
  const Id bit = code.emit(at, spv::Op::OpShiftLeftLogical, uint, {ref(one), ref(cell)});
  const Id old = code.emit(at, spv::Op::OpLoad, uint, {ref(word)});
  const Id there = code.emit(at, spv::Op::OpBitwiseAnd, uint, {ref(old), ref(bit)});
  const Id none = code.emit(at, spv::Op::OpIEqual, emitter.bool_type(), {ref(there), ref(zero)});
  const Id told = code.emit(at, spv::Op::OpIAdd, uint, {ref(cell), ref(one)});
  return code.emit(at, spv::Op::OpSelect, uint, {ref(none), ref(told), ref(zero)});
}

void InitializationProbe::set_own(Emitter& emitter, Insertions& code, std::vector<Instruction>& at,
                                  Id word, Id cell) const {
  const Id uint = emitter.uint_type();
  const Id bit =
      code.emit(at, spv::Op::OpShiftLeftLogical, uint, {ref(emitter.constant(1)), ref(cell)});
  const Id old = code.emit(at, spv::Op::OpLoad, uint, {ref(word)});
  const Id now = code.emit(at, spv::Op::OpBitwiseOr, uint, {ref(old), ref(bit)});
  at.push_back({spv::Op::OpStore, 0, 0, {ref(word), ref(now)}, {}});
}

Id InitializationProbe::start(Emitter& emitter, const Bits& bits, std::uint32_t invocations,
                              const std::vector<Operand>& barrier) const {
  const Id uint = emitter.uint_type();
  Code code(emitter, "tilescope_unwritten", emitter.void_type(), {});
  const Id me = code.load(emitter.built_in(spv::BuiltIn::LocalInvocationIndex, uint));
  code.count(me, emitter.constant(words_of(analysis_.shared_bits())), emitter.constant(invocations),
             [&](Id index) {
               const Id pointer = code.emit(
                   spv::Op::OpAccessChain, emitter.pointer_type(spv::StorageClass::Workgroup, uint),
                   {ref(bits.words), ref(index)});
               code.emit(spv::Op::OpAtomicStore,
                         {ref(pointer), ref(emitter.constant(number(spv::Scope::Workgroup))),
                          ref(emitter.constant(0)), ref(emitter.constant(0))});
             });
  code.emit(spv::Op::OpControlBarrier, barrier);
  code.finish();
  return code.id();
}

void InitializationProbe::write(const Program& program, Emitter& emitter, Insertions& code,
                                const BoundsProbe& bounds, const std::vector<Id>& told,
                                const std::vector<Operand>& barrier, bool compact) {
  const auto checks = [&](bool shared) {
    return std::ranges::any_of(checked_, [&](const CheckedRead& read) {
      return analysis_.variables()[read.variable].shared == shared;
    });
  };
  const Bits shared = checks(true) ? make_bits(emitter, compact) : Bits{};
  std::map<std::uint32_t, Id> own;  // words, by variable
  for (const CheckedRead& read : checked_) {
    if (!analysis_.variables()[read.variable].shared) {
      own[read.variable] =
          emitter.private_word("tilescope_written_" + std::to_string(read.variable));
    }
  }
  const Id uint = emitter.uint_type();
  if (shared.words != 0) {
    std::size_t first = 0;
    while (program.function.blocks.front().body[first].op == spv::Op::OpVariable) {
      ++first;
    }
    code.call(code.before({0, first}), start(emitter, shared, program.invocations(), barrier), {});
  }
  for (std::size_t n = 0; n < analysis_.all().size(); ++n) {
    const FollowedAccess& access = analysis_.all()[n];
    const FollowedVariable& variable = analysis_.variables()[access.variable];
    const auto read = std::ranges::find(reads_, n);
    if (!followed(variable) || (!access.writes && read == reads_.end())) {
      continue;
    }
    std::vector<Instruction>& at = code.before(access.place);
    Id cell = emitter.constant(
        static_cast<std::uint32_t>(variable.first_bit + access.offset / variable.cell_scalars));
    for (const IndexTerm& term : access.terms) {
      const KeptIndex* kept = bounds.kept(term.link);
      Id part = kept != nullptr ? kept->index : code.as_word(at, term.index);
      const Id stride =
          emitter.constant(static_cast<std::uint32_t>(term.stride / variable.cell_scalars));
      part = code.emit(at, spv::Op::OpIMul, uint, {ref(part), ref(stride)});
      cell = code.emit(at, spv::Op::OpIAdd, uint, {ref(cell), ref(part)});
    }
    const auto cells = static_cast<std::uint32_t>(access.width / variable.cell_scalars);
    for (std::uint32_t k = 0; k < cells; ++k) {
      const Id one =
          k == 0 ? cell
                 : code.emit(at, spv::Op::OpIAdd, uint, {ref(cell), ref(emitter.constant(k))});
      if (read != reads_.end()) {
        const Id word = told[static_cast<std::size_t>(read - reads_.begin())];
        const Id found =
            variable.shared
                ? code.emit(at, spv::Op::OpFunctionCall, uint, {ref(shared.test), ref(one)})
                : test_own(emitter, code, at, own.at(access.variable), one);
        const Id old = code.emit(at, spv::Op::OpLoad, uint, {ref(word)});
        const Id some = code.emit(at, spv::Op::OpINotEqual, emitter.bool_type(),
                                  {ref(found), ref(emitter.constant(0))});
        const Id now = code.emit(at, spv::Op::OpSelect, uint, {ref(some), ref(found), ref(old)});
        at.push_back({spv::Op::OpStore, 0, 0, {ref(word), ref(now)}, {}});
      }
      if (access.writes) {
        if (variable.shared) {
          code.call(at, shared.set, {one});
        } else {
          set_own(emitter, code, at, own.at(access.variable), one);
        }
      }
    }
  }
}

}  // namespace spirv

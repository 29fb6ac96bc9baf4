#include "spirv/probes/initialization_probe.h"

#include <algorithm>
#include <map>

#include "spirv/probes/race/race_words.h"

namespace spirv {
namespace {

constexpr std::size_t most_stores = 128;  // of bits of what is never read, at a workgroup's start

std::uint32_t words_of(std::uint64_t bits) {
  return static_cast<std::uint32_t>((bits + 31) / 32);
}

}  // namespace

InitializationProbe::InitializationProbe(const Initialization& analysis, std::uint64_t room)
    : analysis_(analysis) {
  if (std::uint64_t{words_of(analysis.shared_bits())} * 4 + 4 > room) {
    no_room_ = "initialization of shared memory, because no shared memory is left for the check";
  }
  for (std::size_t n = 0; n < analysis.all().size(); ++n) {
    const FollowedAccess& access = analysis.all()[n];
    if (access.reads && !access.proven && followed(analysis.variables()[access.variable])) {
      checked_.push_back({access.at, access.variable, access.place.first});
      reads_.push_back(n);
    }
  }
  count_cells();
}

void InitializationProbe::count_cells() {
  std::vector<bool> read(analysis_.shared_bits());
  for (const std::size_t n : reads_) {
    const FollowedAccess& access = analysis_.all()[n];
    const FollowedVariable& variable = analysis_.variables()[access.variable];
    if (!variable.shared) {
      continue;
    }
    const auto cells = analysis_.may_touch(access);
    if (!cells) {
      return;
    }
    for (const std::uint64_t cell : *cells) {
      if (cell < variable.cells()) {
        read[variable.first_bit + cell] = true;
      }
    }
  }
  std::vector<std::uint32_t> others(words_of(read.size()));
  for (std::size_t cell = 0; cell < others.size() * 32; ++cell) {
    const bool counts = cell < read.size() && read[cell];
    others[cell / 32] |= counts ? 0U : std::uint32_t{1} << (cell % 32);
  }
  const auto stores = others.size() - static_cast<std::size_t>(std::ranges::count(others, 0U));
  if (stores <= most_stores) {
    cells_left_ = static_cast<std::uint32_t>(std::ranges::count(read, true));
    never_read_ = std::move(others);
  }
}

bool InitializationProbe::followed(const FollowedVariable& variable) const {
  return variable.open && (variable.shared ? no_room_.empty() : variable.cells() <= 32);
}

std::uint64_t InitializationProbe::shared_bytes() const {
  return no_room_.empty() ? std::uint64_t{words_of(analysis_.shared_bits())} * 4 + 4 : 0;
}

Id InitializationProbe::left_pointer(Emitter& emitter, Code& code, const Bits& bits) {
  return code.emit(spv::Op::OpAccessChain,
                   emitter.pointer_type(spv::StorageClass::Workgroup, emitter.uint_type()),
                   {ref(bits.left), ref(emitter.constant(0))});
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
  if (!compact && cells_left_ > 0) {
    bits.left = emitter.shared_words("tilescope_unwritten_cells", 1);
    bits.all = emitter.private_word("tilescope_all_written");
  }
  Code set(emitter, "tilescope_set_written", emitter.void_type(), {uint});
  const Id pointer = word(set);
  const Id mask = bit(set);
  const auto add = [&] {
    const Id before = set.emit(spv::Op::OpAtomicOr, uint,
                               {ref(pointer), ref(workgroup), ref(relaxed), ref(mask)});
    if (bits.left == 0) {
      return;
    }
    const Id old = set.word(spv::Op::OpBitwiseAnd, before, mask);
    set.when(set.test(spv::Op::OpIEqual, old, relaxed), [&] {
      (void)set.emit(spv::Op::OpAtomicISub, uint,
                     {ref(left_pointer(emitter, set, bits)), ref(workgroup), ref(relaxed),
                      ref(emitter.constant(1))});
    });
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
  const auto store = [&](Id pointer, Id value) {
    code.emit(spv::Op::OpAtomicStore,
              {ref(pointer), ref(emitter.constant(number(spv::Scope::Workgroup))),
               ref(emitter.constant(0)), ref(value)});
  };
  const auto word = [&](Id index) {
    return code.emit(spv::Op::OpAccessChain,
                     emitter.pointer_type(spv::StorageClass::Workgroup, uint),
                     {ref(bits.words), ref(index)});
  };
  const auto when_mine = [&](std::uint32_t index, const std::function<void()>& then) {
    code.when(code.test(spv::Op::OpIEqual, me, emitter.constant(index % invocations)), then);
  };
  code.count(me, emitter.constant(words_of(analysis_.shared_bits())), emitter.constant(invocations),
             [&](Id index) { store(word(index), emitter.constant(0)); });
  if (bits.left != 0) {
    for (std::uint32_t n = 0; n < never_read_.size(); ++n) {
      if (never_read_[n] != 0) {
        when_mine(n, [&] { store(word(emitter.constant(n)), emitter.constant(never_read_[n])); });
      }
    }
    when_mine(0, [&] { store(left_pointer(emitter, code, bits), emitter.constant(cells_left_)); });
  }
  code.emit(spv::Op::OpControlBarrier, barrier);
  code.finish();
  return code.id();
}

Id InitializationProbe::cell_of(Emitter& emitter, const FollowedAccess& access,
                                const std::vector<Id>& parts, const Emit& emit) const {
  const FollowedVariable& variable = analysis_.variables()[access.variable];
  Id cell = emitter.constant(
      static_cast<std::uint32_t>(variable.first_bit + access.offset / variable.cell_scalars));
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const auto stride = static_cast<std::uint32_t>(access.terms[n].stride / variable.cell_scalars);
    const Id part = emit(spv::Op::OpIMul, {ref(parts[n]), ref(emitter.constant(stride))});
    cell = emit(spv::Op::OpIAdd, {ref(cell), ref(part)});
  }
  return cell;
}

// A function of the access's indices that looks for as long as anything is left to be written.
Id InitializationProbe::look(Emitter& emitter, const Bits& bits, const FollowedAccess& access,
                             Id told) const {
  const Id uint = emitter.uint_type();
  const Id zero = emitter.constant(0);
  Code code(emitter, "tilescope_look", emitter.void_type(),
            std::vector<Id>(access.terms.size(), uint));
  std::vector<Id> parts;
  for (std::size_t n = 0; n < access.terms.size(); ++n) {
    parts.push_back(code.parameter(n));
  }
  const auto emit = [&](spv::Op op, const std::vector<Operand>& operands) {
    return code.emit(op, uint, operands);
  };
  code.when(code.test(spv::Op::OpIEqual, code.load(bits.all), zero), [&] {
    const Id first = cell_of(emitter, access, parts, emit);
    const FollowedVariable& variable = analysis_.variables()[access.variable];
    for (std::uint32_t k = 0; k < access.width / variable.cell_scalars; ++k) {
      const Id cell = code.word(spv::Op::OpIAdd, first, emitter.constant(k));
      if (told != 0) {
        const Id found = emit(spv::Op::OpFunctionCall, {ref(bits.test), ref(cell)});
        const Id some = code.test(spv::Op::OpINotEqual, found, zero);
        code.store(told, code.choose(some, found, code.load(told)));
      }
      if (access.writes) {
        (void)code.emit(spv::Op::OpFunctionCall, emitter.void_type(), {ref(bits.set), ref(cell)});
      }
    }
    const Id left = emit(spv::Op::OpAtomicLoad,
                         {ref(left_pointer(emitter, code, bits)),
                          ref(emitter.constant(number(spv::Scope::Workgroup))), ref(zero)});
    code.store(bits.all,
               code.choose(code.test(spv::Op::OpIEqual, left, zero), emitter.constant(1), zero));
  });
  code.finish();
  return code.id();
}

// In the kernel's own code. `own` is the word of an invocation's variable, 0 for shared ones.
void InitializationProbe::look_here(Emitter& emitter, Insertions& code,
                                    const FollowedAccess& access, const std::vector<Id>& parts,
                                    const Bits& shared, Id own, Id told) const {
  std::vector<Instruction>& at = code.before(access.place);
  const Id uint = emitter.uint_type();
  const Id first =
      cell_of(emitter, access, parts, [&](spv::Op op, const std::vector<Operand>& operands) {
        return code.emit(at, op, uint, operands);
      });
  const FollowedVariable& variable = analysis_.variables()[access.variable];
  for (std::uint32_t k = 0; k < access.width / variable.cell_scalars; ++k) {
    const Id cell =
        k == 0 ? first
               : code.emit(at, spv::Op::OpIAdd, uint, {ref(first), ref(emitter.constant(k))});
    if (told != 0) {
      const Id found =
          own == 0 ? code.emit(at, spv::Op::OpFunctionCall, uint, {ref(shared.test), ref(cell)})
                   : test_own(emitter, code, at, own, cell);
      const Id old = code.emit(at, spv::Op::OpLoad, uint, {ref(told)});
      const Id some = code.emit(at, spv::Op::OpINotEqual, emitter.bool_type(),
                                {ref(found), ref(emitter.constant(0))});
      const Id now = code.emit(at, spv::Op::OpSelect, uint, {ref(some), ref(found), ref(old)});
      at.push_back({spv::Op::OpStore, 0, 0, {ref(told), ref(now)}, {}});
    }
    if (access.writes && own == 0) {
      code.call(at, shared.set, {cell});
    } else if (access.writes) {
      set_own(emitter, code, at, own, cell);
    }
  }
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
    const Id word =
        read == reads_.end() ? 0 : told[static_cast<std::size_t>(read - reads_.begin())];
    std::vector<Instruction>& at = code.before(access.place);
    std::vector<Id> parts;
    for (const IndexTerm& term : access.terms) {
      const KeptIndex* kept = bounds.kept(term.link);
      parts.push_back(kept != nullptr ? kept->index : code.as_word(at, term.index));
    }
    if (variable.shared && shared.left != 0) {
      code.call(at, look(emitter, shared, access, word), parts);
    } else {
      look_here(emitter, code, access, parts, shared, variable.shared ? 0 : own.at(access.variable),
                word);
    }
  }
}

}  // namespace spirv

#include "spirv/race_runtime.h"

#include <algorithm>
#include <map>

namespace spirv {
namespace {

std::uint32_t number(auto value) {
  return static_cast<std::uint32_t>(value);
}

// A lane word: phase, two smallest lanes.
constexpr std::uint32_t no_lane = 0xFF;
constexpr std::uint32_t last_lane_phase = 0xFFFE;

}  // namespace

RaceRuntime::RaceRuntime(Emitter& emitter, const Sites& sites, const Proofs& proofs,
                         const ShadowLayout& shadow, const FindingsLayout& findings,
                         RaceRuntimeOptions options)
    : e_(emitter),
      sites_(sites),
      proofs_(proofs),
      shadow_(shadow),
      findings_layout_(findings),
      options_(options),
      who_at_(sites.all().size()),
      scan_(sites.variables().size()),
      settle_(sites.variables().size()) {
  findings_ = e_.buffer_of_words("tilescope_findings", options.set, options.findings_binding);
  bad_index_ = e_.private_word("tilescope_bad_index");
  bad_loop_ = e_.private_word("tilescope_bad_loop");
  who_ = e_.private_word("tilescope_who");
  const bool checks = !proofs.open().empty();
  if (checks) {
    words_ = options.shadow_in_buffer
                 ? e_.buffer_of_words("tilescope_shadow", options.set, options.shadow_binding)
                 : e_.shared_words("tilescope_shadow", number(shadow.words()));
    base_ = options.shadow_in_buffer ? e_.private_word("tilescope_base") : 0;
    lane_phase_ = options.subgroups ? e_.private_word("tilescope_phase") : 0;
    lane_shift_ = options.subgroups ? e_.private_word("tilescope_lane_shift") : 0;
    write_touch();
    write_touch_many();
    write_touch_own();
    write_touch_value();
    write_record();
    if (options.subgroups) {
      write_touch_lane();
      write_meet_lane();
    }
    for (std::uint32_t v = 0; v < sites.variables().size(); ++v) {
      if (!shadow.pairs(v).empty()) {
        for (const std::uint32_t site : shadow.tracked(v)) {
          who_at_[site] = e_.private_word("tilescope_who_" + std::to_string(site));
        }
        write_scan(v);
        write_settle(v);
      }
    }
  }
  write_begin();
  write_end();
}

Id RaceRuntime::word_pointer(Code& code, Id index) {
  const Id uint = e_.uint_type();
  if (!options_.shadow_in_buffer) {
    return code.emit(spv::Op::OpAccessChain, e_.pointer_type(spv::StorageClass::Workgroup, uint),
                     {ref(words_), ref(index)});
  }
  const Id at = code.word(spv::Op::OpIAdd, code.load(base_), index);
  return code.emit(spv::Op::OpAccessChain, e_.pointer_type(spv::StorageClass::StorageBuffer, uint),
                   {ref(words_), ref(e_.constant(0)), ref(at)});
}

Id RaceRuntime::findings_pointer(Code& code, Id index) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::StorageBuffer, e_.uint_type()),
                   {ref(findings_), ref(e_.constant(0)), ref(index)});
}

Id RaceRuntime::load_word(Code& code, Id index) {
  std::vector<Operand> operands{ref(word_pointer(code, index))};
  if (e_.vulkan_memory_model()) {
    operands.push_back(literal(number(spv::MemoryAccessMask::MakePointerVisible) |
                               number(spv::MemoryAccessMask::NonPrivatePointer)));
    operands.push_back(ref(e_.constant(number(spv::Scope::Workgroup))));
  }
  return code.emit(spv::Op::OpLoad, e_.uint_type(), operands);
}

void RaceRuntime::store_word(Code& code, Id index, Id value) {
  std::vector<Operand> operands{ref(word_pointer(code, index)), ref(value)};
  if (e_.vulkan_memory_model()) {
    operands.push_back(literal(number(spv::MemoryAccessMask::MakePointerAvailable) |
                               number(spv::MemoryAccessMask::NonPrivatePointer)));
    operands.push_back(ref(e_.constant(number(spv::Scope::Workgroup))));
  }
  code.emit(spv::Op::OpStore, operands);
}

Id RaceRuntime::exchange(Code& code, Id pointer, Id expected, Id desired) {
  const Id relaxed = e_.constant(0);
  return code.emit(spv::Op::OpAtomicCompareExchange, e_.uint_type(),
                   {ref(pointer), ref(e_.constant(number(spv::Scope::Workgroup))), ref(relaxed),
                    ref(relaxed), ref(desired), ref(expected)});
}

Id RaceRuntime::atomic(Code& code, spv::Op op, Id pointer, Id value, bool in_findings) {
  const spv::Scope wide = e_.vulkan_memory_model() ? spv::Scope::QueueFamily : spv::Scope::Device;
  const spv::Scope scope = in_findings ? wide : spv::Scope::Workgroup;
  return code.emit(
      op, e_.uint_type(),
      {ref(pointer), ref(e_.constant(number(scope))), ref(e_.constant(0)), ref(value)});
}

Id RaceRuntime::load_built_in(Code& code, spv::BuiltIn built_in) {
  return code.load(e_.built_in(built_in, e_.uint_type()));
}

std::vector<Operand> RaceRuntime::barrier() {
  std::uint32_t mask = number(spv::MemorySemanticsMask::AcquireRelease) |
                       number(spv::MemorySemanticsMask::WorkgroupMemory);
  if (options_.shadow_in_buffer) {
    mask |= number(spv::MemorySemanticsMask::UniformMemory);
  }
  if (e_.vulkan_memory_model()) {
    mask |= number(spv::MemorySemanticsMask::MakeAvailable) |
            number(spv::MemorySemanticsMask::MakeVisible);
  }
  const Id workgroup = e_.constant(number(spv::Scope::Workgroup));
  return {ref(workgroup), ref(workgroup), ref(e_.constant(mask))};
}

// The position of the workgroup in the whole launch, x fastest.
Id RaceRuntime::group_position(Code& code) {
  const Id uint = e_.uint_type();
  const Id vector = e_.vector_type(uint, 3);
  const Id group =
      code.emit(spv::Op::OpLoad, vector, {ref(e_.built_in(spv::BuiltIn::WorkgroupId, vector))});
  const auto part = [&](std::uint32_t d) {
    return code.emit(spv::Op::OpCompositeExtract, uint, {ref(group), literal(d)});
  };
  const auto header = [&](std::uint32_t word) {
    return code.load(findings_pointer(code, e_.constant(word)));
  };
  const Id plane = code.word(spv::Op::OpIMul, part(2), header(FindingsLayout::grid_y));
  const Id row = code.word(spv::Op::OpIAdd, part(1), plane);
  const Id rows = code.word(spv::Op::OpIMul, row, header(FindingsLayout::grid_x));
  return code.word(spv::Op::OpIAdd, part(0), rows);
}

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

void RaceRuntime::write_touch() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_touch", e_.void_type(), {uint, uint});
  const Id who = code.parameter(1);
  const Id seen = code.local();
  unless_settled(code, who, [&] {
    const Id first_look = load_word(code, code.parameter(0));
    code.store(seen, first_look);
    Id already = 0;
    (void)joined(code, first_look, who, already);
    const Id news = code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(already)});
    code.when(news, [&] {
      const Id pointer = word_pointer(code, code.parameter(0));
      code.repeat([&] {
        const Id before = code.load(seen);
        Id known = 0;
        const Id after = joined(code, before, who, known);
        // What is known already is exchanged for itself.
        const Id old = exchange(code, pointer, before, code.choose(known, before, after));
        code.store(seen, old);
        return code.test(spv::Op::OpINotEqual, old, before);
      });
    });
  });
  code.finish();
  touch_ = code.id();
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

void RaceRuntime::write_record() {
  const Id uint = e_.uint_type();
  // (pair, cell, first's word, second's word, whether values differ)
  Code code(e_, "tilescope_record", e_.void_type(), {uint, uint, uint, uint, uint});
  const Id offset = code.word(spv::Op::OpIMul, code.parameter(0), e_.constant(5));
  const Id tally = code.word(spv::Op::OpIAdd, offset, e_.constant(shadow_.tally(0)));
  const auto field = [&](std::uint32_t n) {
    return code.word(spv::Op::OpIAdd, tally, e_.constant(n));
  };
  const Id before =
      atomic(code, spv::Op::OpAtomicIAdd, word_pointer(code, tally), e_.constant(1), false);
  (void)atomic(code, spv::Op::OpAtomicOr, word_pointer(code, field(1)), code.parameter(4), false);
  code.when(code.test(spv::Op::OpIEqual, before, e_.constant(0)), [&] {
    for (std::uint32_t n = 1; n <= 3; ++n) {
      store_word(code, field(1 + n), code.parameter(n));
    }
  });
  code.finish();
  record_ = code.id();
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

// Another lane of the own subgroup at the other site since the last subgroup barrier.
void RaceRuntime::write_meet_lane() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_meet_lane", e_.void_type(), std::vector<Id>(7, uint));
  const Id differ = code.local();
  unless_settled(code, code.parameter(3), [&] {
    const Id who = code.parameter(3);
    const Id size = code.word(spv::Op::OpShiftLeftLogical, e_.constant(1), code.load(lane_shift_));
    const Id mask = code.word(spv::Op::OpISub, size, e_.constant(1));
    const Id lane = code.word(spv::Op::OpBitwiseAnd, who, mask);
    const Id relaxed = e_.constant(0);
    // Ordered behind the own note: of two that meet, one at least sees the other.
    const Id word =
        atomic(code, spv::Op::OpAtomicOr, word_pointer(code, code.parameter(1)), relaxed, false);
    const Id stamp = code.word(spv::Op::OpShiftRightLogical, word, e_.constant(16));
    const Id first =
        code.word(spv::Op::OpBitwiseAnd,
                  code.word(spv::Op::OpShiftRightLogical, word, e_.constant(8)), e_.constant(0xFF));
    const Id second = code.word(spv::Op::OpBitwiseAnd, word, e_.constant(0xFF));
    const Id other = code.choose(code.test(spv::Op::OpINotEqual, first, lane), first, second);
    const Id now = code.test(spv::Op::OpIEqual, stamp, code.load(lane_phase_));
    const Id there = code.test(spv::Op::OpINotEqual, other, e_.constant(no_lane));
    code.when(code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(now), ref(there)}), [&] {
      const Id base = code.word(spv::Op::OpISub, who, lane);
      const auto alone = [&](Id id) {
        return code.word(spv::Op::OpBitwiseOr,
                         code.word(spv::Op::OpShiftLeftLogical, id, e_.constant(16)),
                         e_.constant(no_invocation));
      };
      const Id mine = alone(who);
      const Id theirs = alone(code.word(spv::Op::OpIAdd, base, other));
      const Id swapped = code.test(spv::Op::OpINotEqual, code.parameter(4), relaxed);
      code.store(differ, e_.constant(1));
      code.when(code.test(spv::Op::OpINotEqual, code.parameter(5), e_.constant(no_values)), [&] {
        // Of two that meet, the later one sees both values.
        const auto value = [&](std::uint32_t parameter) {
          return atomic(code, spv::Op::OpAtomicOr, word_pointer(code, code.parameter(parameter)),
                        relaxed, false);
        };
        code.store(differ, values_differ(code, value(5), value(6)));
      });
      (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                      {ref(record_), ref(code.parameter(0)), ref(code.parameter(2)),
                       ref(code.choose(swapped, theirs, mine)),
                       ref(code.choose(swapped, mine, theirs)), ref(code.load(differ))});
    });
  });
  code.finish();
  meet_lane_ = code.id();
}

// 1 unless both value words hold the same one value.
Id RaceRuntime::values_differ(Code& code, Id a, Id b) {
  const Id one_value = code.test(spv::Op::OpINotEqual, a, e_.constant(empty_word - 1));
  const Id same = code.emit(spv::Op::OpLogicalAnd, e_.bool_type(),
                            {ref(code.test(spv::Op::OpIEqual, a, b)), ref(one_value)});
  return code.choose(same, e_.constant(0), e_.constant(1));
}

void RaceRuntime::compare(Code& code, std::uint32_t pair, Id cell, const std::vector<Id>& words) {
  const SitePair& sites = proofs_.open()[pair];
  const auto& tracked = shadow_.tracked(sites_.all()[sites.first].variable);
  const auto word_of = [&](std::uint32_t site) {
    return words[static_cast<std::size_t>(std::ranges::find(tracked, site) - tracked.begin())];
  };
  const Id a = word_of(sites.first);
  const Id b = word_of(sites.second);
  const Id low = e_.constant(0xFFFF);
  const Id b_single = code.test(spv::Op::OpIEqual, code.word(spv::Op::OpBitwiseAnd, b, low), low);
  Id conflict = 0;
  if (sites.first == sites.second) {
    conflict = code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(b_single)});
  } else {
    // Both came, and not both only the same one.
    const Id empty = e_.constant(empty_word);
    const Id both = code.emit(spv::Op::OpLogicalAnd, e_.bool_type(),
                              {ref(code.test(spv::Op::OpINotEqual, a, empty)),
                               ref(code.test(spv::Op::OpINotEqual, b, empty))});
    Id equal = code.test(spv::Op::OpIEqual, a, b);
    if (options_.subgroups) {
      const Id sixteen = e_.constant(16);
      equal = same_subgroup(code, code.word(spv::Op::OpShiftRightLogical, a, sixteen),
                            code.word(spv::Op::OpShiftRightLogical, b, sixteen));
      const Id a_single =
          code.test(spv::Op::OpIEqual, code.word(spv::Op::OpBitwiseAnd, a, low), low);
      equal = code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(equal), ref(a_single)});
    }
    const Id alone = code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(equal), ref(b_single)});
    const Id not_alone = code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(alone)});
    conflict = code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(both), ref(not_alone)});
  }
  code.when(conflict, [&] {
    Id differ = e_.constant(1);
    if (sites.hazard == Hazard::write_after_write) {
      const auto value = [&](std::uint32_t site) {
        return load_word(code,
                         code.word(spv::Op::OpIAdd, cell, e_.constant(*shadow_.values(site))));
      };
      const Id first = value(sites.first);
      differ = values_differ(code, first, value(sites.second));
    }
    (void)code.emit(spv::Op::OpFunctionCall, e_.void_type(),
                    {ref(record_), ref(e_.constant(pair)), ref(cell), ref(a), ref(b), ref(differ)});
  });
}

void RaceRuntime::write_scan(std::uint32_t variable) {
  Code code(e_, "tilescope_scan_" + sites_.variables()[variable].name, e_.void_type(), {});
  const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
  const Id cells = e_.constant(number(sites_.variables()[variable].cells()));
  code.count(me, cells, e_.constant(options_.invocations), [&](Id cell) {
    const auto at = [&](std::uint32_t column) {
      return code.word(spv::Op::OpIAdd, cell, e_.constant(column));
    };
    std::vector<Id> words;
    for (const std::uint32_t site : shadow_.tracked(variable)) {
      words.push_back(load_word(code, at(shadow_.invocations(site))));
    }
    for (const std::uint32_t pair : shadow_.pairs(variable)) {
      compare(code, pair, cell, words);
    }
    for (const std::uint32_t site : shadow_.tracked(variable)) {
      store_word(code, at(shadow_.invocations(site)), e_.constant(empty_word));
      if (const auto values = shadow_.values(site)) {
        store_word(code, at(*values), e_.constant(empty_word));
      }
      if (const auto lanes = shadow_.lanes(site)) {
        store_word(code, at(*lanes), e_.constant(empty_word));
      }
    }
  });
  code.finish();
  scan_[variable] = code.id();
}

void RaceRuntime::write_settle(std::uint32_t variable) {
  Code code(e_, "tilescope_settle_" + sites_.variables()[variable].name, e_.void_type(), {});
  std::map<std::uint32_t, Id> found;  // by pair
  for (const std::uint32_t pair : shadow_.pairs(variable)) {
    const Id count = load_word(code, e_.constant(shadow_.tally(pair)));
    found[pair] = code.test(spv::Op::OpINotEqual, count, e_.constant(0));
  }
  for (const std::uint32_t site : shadow_.tracked(variable)) {
    Id all = 0;
    for (const auto& [pair, hit] : found) {
      const SitePair& sites = proofs_.open()[pair];
      if (sites.first == site || sites.second == site) {
        all =
            all == 0 ? hit : code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(all), ref(hit)});
      }
    }
    code.store(who_at_[site],
               code.choose(all, e_.constant(no_invocation), code.load(who_at_[site])));
  }
  code.finish();
  settle_[variable] = code.id();
}

void RaceRuntime::write_begin() {
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_begin", e_.void_type(), {});
  const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
  if (words_ == 0) {
    code.store(who_, me);
    code.finish();
    begin_ = code.id();
    return;
  }
  if (options_.subgroups) {
    const Id size = load_built_in(code, spv::BuiltIn::SubgroupSize);
    const Id shift = code.emit(spv::Op::OpExtInst, uint,
                               {ref(e_.glsl()), literal(75) /* FindUMsb */, ref(size)});
    code.store(lane_shift_, shift);
    const Id first = code.word(spv::Op::OpShiftLeftLogical,
                               load_built_in(code, spv::BuiltIn::SubgroupId), shift);
    const Id name = code.word(spv::Op::OpIAdd, first,
                              load_built_in(code, spv::BuiltIn::SubgroupLocalInvocationId));
    code.store(who_, name);
    const Id inside = code.test(spv::Op::OpULessThan, name, e_.constant(findings_layout_.lane_ids));
    code.when(inside, [&] {
      const Id at = code.word(spv::Op::OpIAdd, name, e_.constant(findings_layout_.lane_id(0)));
      code.emit(spv::Op::OpStore, {ref(findings_pointer(code, at)), ref(me)});
    });
  } else {
    code.store(who_, me);
  }
  for (const Id who : who_at_) {
    if (who != 0) {
      code.store(who, code.load(who_));
    }
  }
  if (options_.shadow_in_buffer) {
    const Id first = code.load(findings_pointer(code, e_.constant(FindingsLayout::first_group)));
    const Id slot = code.word(spv::Op::OpISub, group_position(code), first);
    code.store(base_, code.word(spv::Op::OpIMul, slot, e_.constant(number(shadow_.words()))));
  }
  code.count(
      me, e_.constant(number(shadow_.words())), e_.constant(options_.invocations), [&](Id index) {
        const Id cells = code.test(spv::Op::OpULessThan, index, e_.constant(shadow_.cell_words()));
        store_word(code, index, code.choose(cells, e_.constant(empty_word), e_.constant(0)));
      });
  code.emit(spv::Op::OpControlBarrier, barrier());
  code.finish();
  begin_ = code.id();
}

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

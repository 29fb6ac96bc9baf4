// Comparisons of the notes: at barriers between all invocations of a cell, at accesses between the
// lanes of a subgroup.
#include <algorithm>
#include <map>

#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"

namespace spirv {

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
  const Id differed =
      atomic(code, spv::Op::OpAtomicOr, word_pointer(code, field(1)), code.parameter(4), false);
  if (options_.compact) {
    const Id zero = e_.constant(0);
    const Id first = code.test(spv::Op::OpIEqual, before, zero);
    const Id equal = code.test(spv::Op::OpIEqual, differed, zero);
    const Id more = code.choose(equal, code.parameter(4), zero);
    (void)atomic(code, spv::Op::OpAtomicIAdd, word_pointer(code, e_.constant(shadow_.news())),
                 code.choose(first, e_.constant(1), more), false);
  }
  code.when(code.test(spv::Op::OpIEqual, before, e_.constant(0)), [&] {
    if (options_.compact) {
      code.count(e_.constant(1), e_.constant(4), e_.constant(1), [&](Id n) {
        const auto is = [&](std::uint32_t value) {
          return code.test(spv::Op::OpIEqual, n, e_.constant(value));
        };
        const Id value = code.choose(is(1), code.parameter(1),
                                     code.choose(is(2), code.parameter(2), code.parameter(3)));
        store_word(code, code.word(spv::Op::OpIAdd, field(1), n), value);
      });
      return;
    }
    for (std::uint32_t n = 1; n <= 3; ++n) {
      store_word(code, field(1 + n), code.parameter(n));
    }
  });
  code.finish();
  record_ = code.id();
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

Id RaceRuntime::met_itself(Code& code, Id word) {
  const Id low = e_.constant(0xFFFF);
  return code.test(spv::Op::OpINotEqual, code.word(spv::Op::OpBitwiseAnd, word, low), low);
}

// Both came, and not both only the same one.
Id RaceRuntime::met_another(Code& code, Id a, Id b) {
  const auto both = [&](Id left, Id right) {
    return code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(left), ref(right)});
  };
  const Id empty = e_.constant(empty_word);
  const Id came =
      both(code.test(spv::Op::OpINotEqual, a, empty), code.test(spv::Op::OpINotEqual, b, empty));
  Id several = met_itself(code, b);
  Id equal = code.test(spv::Op::OpIEqual, a, b);
  if (options_.subgroups) {
    const Id sixteen = e_.constant(16);
    equal = same_subgroup(code, code.word(spv::Op::OpShiftRightLogical, a, sixteen),
                          code.word(spv::Op::OpShiftRightLogical, b, sixteen));
    several =
        code.emit(spv::Op::OpLogicalOr, e_.bool_type(), {ref(several), ref(met_itself(code, a))});
  }
  const Id apart = code.emit(spv::Op::OpLogicalNot, e_.bool_type(), {ref(equal)});
  return both(came, code.emit(spv::Op::OpLogicalOr, e_.bool_type(), {ref(apart), ref(several)}));
}

void RaceRuntime::compare(Code& code, std::uint32_t pair, Id cell,
                          const std::map<std::uint32_t, Id>& words) {
  const SitePair& sites = open_[pair];
  const Id a = words.at(sites.first);
  const Id b = words.at(sites.second);
  const Id conflict = sites.first == sites.second ? met_itself(code, b) : met_another(code, a, b);
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

std::vector<std::uint32_t> RaceRuntime::pairs_among(const Noted& sites) const {
  std::vector<std::uint32_t> pairs;
  const auto noted = [&](std::uint32_t site) { return std::ranges::binary_search(sites, site); };
  for (const std::uint32_t pair : shadow_.pairs(sites_.all()[sites.front()].variable)) {
    const SitePair& p = open_[pair];
    if (noted(p.first) && noted(p.second)) {
      pairs.push_back(pair);
    }
  }
  return pairs;
}

std::vector<std::uint32_t> RaceRuntime::pairs_with_any(const Noted& sites) const {
  std::vector<std::uint32_t> pairs;
  const auto noted = [&](std::uint32_t site) { return std::ranges::binary_search(sites, site); };
  for (const std::uint32_t pair : shadow_.pairs(sites_.all()[sites.front()].variable)) {
    if (noted(open_[pair].first) || noted(open_[pair].second)) {
      pairs.push_back(pair);
    }
  }
  return pairs;
}

Id RaceRuntime::scan(const Noted& sites) {
  const auto [entry, fresh] = scan_.try_emplace(sites, 0);
  if (fresh) {
    entry->second = write_scan(sites, "tilescope_scan_" + std::to_string(scan_.size()));
  }
  return entry->second;
}

Id RaceRuntime::settle(const Noted& sites) {
  const auto [entry, fresh] = settle_.try_emplace(sites, 0);
  if (fresh) {
    entry->second = write_settle(sites, "tilescope_settle_" + std::to_string(settle_.size()));
  }
  return entry->second;
}

Id RaceRuntime::write_scan(const Noted& sites, const std::string& name) {
  Code code(e_, name, e_.void_type(), {});
  const std::uint32_t variable = sites_.all()[sites.front()].variable;
  const Id me = load_built_in(code, spv::BuiltIn::LocalInvocationIndex);
  const Id cells = e_.constant(number(sites_.variables()[variable].cells()));
  code.count(me, cells, e_.constant(options_.invocations), [&](Id cell) {
    if (options_.compact) {
      scan_pairs(code, sites, cell);
      clear_columns(code, sites, cell);
      return;
    }
    const auto at = [&](std::uint32_t column) {
      return code.word(spv::Op::OpIAdd, cell, e_.constant(column));
    };
    std::map<std::uint32_t, Id> words;
    for (const std::uint32_t site : sites) {
      words[site] = load_word(code, at(shadow_.invocations(site)));
    }
    for (const std::uint32_t pair : pairs_among(sites)) {
      compare(code, pair, cell, words);
    }
    for (const std::uint32_t site : sites) {
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
  return code.id();
}

Id RaceRuntime::write_settle(const Noted& sites, const std::string& name) {
  if (options_.compact) {
    return write_settle_compact(sites, name);
  }
  Code code(e_, name, e_.void_type(), {});
  std::map<std::uint32_t, Id> found;  // by pair
  for (const std::uint32_t pair : pairs_with_any(sites)) {
    const SitePair& p = open_[pair];
    const Id count = load_word(code, e_.constant(shadow_.tally(pair)));
    found[pair] = code.test(spv::Op::OpINotEqual, count, e_.constant(0));
    if (p.hazard == Hazard::write_after_write) {
      // Equal so far; a later phase may write different values.
      const Id differ = load_word(code, e_.constant(shadow_.tally(pair) + 1));
      found[pair] = code.test(spv::Op::OpINotEqual, differ, e_.constant(0));
    }
  }
  for (const std::uint32_t site : sites) {
    Id all = 0;
    for (const auto& [pair, hit] : found) {
      const SitePair& p = open_[pair];
      if (p.first == site || p.second == site) {
        all =
            all == 0 ? hit : code.emit(spv::Op::OpLogicalAnd, e_.bool_type(), {ref(all), ref(hit)});
      }
    }
    code.store(who_at_[site],
               code.choose(all, e_.constant(no_invocation), code.load(who_at_[site])));
  }
  code.finish();
  return code.id();
}

}  // namespace spirv

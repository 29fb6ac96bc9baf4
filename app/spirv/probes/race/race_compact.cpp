// Comparisons in little code: loops over the pairs and sites of a phase, each access to the shadow
// written once, where race_comparison.cpp has a copy for each.
#include <algorithm>
#include <array>

#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"

namespace spirv {

Id RaceRuntime::pick(Code& code, Id index, const std::vector<std::uint32_t>& table) {
  const std::uint32_t step = table.size() > 1 ? table[1] - table[0] : 0;
  bool even = true;
  for (std::size_t n = 1; n < table.size(); ++n) {
    even = even && table[n] - table[n - 1] == step;
  }
  if (even && step == 0) {
    return e_.constant(table.front());
  }
  if (even) {
    const Id offset = code.word(spv::Op::OpIMul, index, e_.constant(step));
    return code.word(spv::Op::OpIAdd, offset, e_.constant(table.front()));
  }
  Id found = e_.constant(table.back());
  for (std::size_t n = table.size() - 1; n-- > 0;) {
    const Id here = code.test(spv::Op::OpIEqual, index, e_.constant(number(n)));
    found = code.choose(here, e_.constant(table[n]), found);
  }
  return found;
}

void RaceRuntime::each(Code& code, std::size_t count, const std::function<void(Id)>& body) {
  if (count == 1) {
    body(e_.constant(0));
  } else if (count > 1) {
    code.count(e_.constant(0), e_.constant(number(count)), e_.constant(1), body);
  }
}

void RaceRuntime::scan_pairs(Code& code, const Noted& sites, Id cell) {
  std::vector<std::uint32_t> numbers = pairs_among(sites);
  std::array<std::vector<std::uint32_t>, 2> columns;
  std::array<std::vector<std::uint32_t>, 2> values;
  std::vector<std::uint32_t> writes;
  for (const std::uint32_t pair : numbers) {
    const SitePair& p = open_[pair];
    const bool both = p.hazard == Hazard::write_after_write;
    writes.push_back(both ? 1 : 0);
    for (const std::size_t k : {0U, 1U}) {
      const std::uint32_t site = k == 0 ? p.first : p.second;
      columns[k].push_back(shadow_.invocations(site));
      values[k].push_back(both ? *shadow_.values(site) : shadow_.untouched());
    }
  }
  const bool any_writes = std::ranges::find(writes, 1U) != writes.end();
  const Id differ = any_writes ? code.local() : 0;
  each(code, numbers.size(), [&](Id n) {
    const auto word = [&](const std::vector<std::uint32_t>& table) {
      return load_word(code, code.word(spv::Op::OpIAdd, cell, pick(code, n, table)));
    };
    const Id first = pick(code, n, columns[0]);
    const Id second = pick(code, n, columns[1]);
    const Id a = word(columns[0]);
    const Id b = word(columns[1]);
    const Id one_site = code.test(spv::Op::OpIEqual, first, second);
    const Id meet =
        code.emit(spv::Op::OpSelect, e_.bool_type(),
                  {ref(one_site), ref(met_itself(code, b)), ref(met_another(code, a, b))});
    code.when(meet, [&] {
      if (any_writes) {
        code.store(differ, e_.constant(1));
        const Id written = pick(code, n, writes);
        code.when(code.test(spv::Op::OpINotEqual, written, e_.constant(0)), [&] {
          const Id left = word(values[0]);
          code.store(differ, values_differ(code, left, word(values[1])));
        });
      }
      const Id differs = any_writes ? code.load(differ) : e_.constant(1);
      (void)code.emit(
          spv::Op::OpFunctionCall, e_.void_type(),
          {ref(record_), ref(pick(code, n, numbers)), ref(cell), ref(a), ref(b), ref(differs)});
    });
  });
}

void RaceRuntime::clear_columns(Code& code, const Noted& sites, Id cell) {
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t site : sites) {
    columns.push_back(shadow_.invocations(site));
    for (const auto& more : {shadow_.values(site), shadow_.lanes(site)}) {
      if (more) {
        columns.push_back(*more);
      }
    }
  }
  std::ranges::sort(columns);
  each(code, columns.size(), [&](Id n) {
    store_word(code, code.word(spv::Op::OpIAdd, cell, pick(code, n, columns)),
               e_.constant(empty_word));
  });
}

// Where nothing was found since the last time, nothing more is settled: its loops would count among
// the turns that the device grants.
Id RaceRuntime::write_settle_compact(const Noted& sites, const std::string& name) {
  Code code(e_, name, e_.void_type(), {});
  const Id seen = e_.private_word(name + "_seen");
  const Id news = load_word(code, e_.constant(shadow_.news()));
  code.when(code.test(spv::Op::OpINotEqual, news, code.load(seen)), [&] {
    code.store(seen, news);
    settle_all(code, sites);
  });
  code.finish();
  return code.id();
}

// Which sites have a pair that was not found yet: a bit each, 32 of them at a time.
void RaceRuntime::settle_all(Code& code, const Noted& sites) {
  constexpr std::size_t at_once = 32;
  const std::vector<std::uint32_t> numbers = pairs_with_any(sites);
  for (std::size_t first = 0; first < sites.size(); first += at_once) {
    const std::size_t end = std::min(first + at_once, sites.size());
    std::vector<std::uint32_t> tallies;
    std::vector<std::uint32_t> bits;
    for (const std::uint32_t pair : numbers) {
      const SitePair& p = open_[pair];
      std::uint32_t mask = 0;
      for (std::size_t s = first; s < end; ++s) {
        mask |= p.first == sites[s] || p.second == sites[s] ? 1U << (s - first) : 0;
      }
      // Equal so far; a later phase may write different values.
      const bool writes = p.hazard == Hazard::write_after_write;
      if (mask != 0) {
        tallies.push_back(shadow_.tally(pair) + (writes ? 1 : 0));
        bits.push_back(mask);
      }
    }
    const Id open = code.local();
    code.store(open, e_.constant(0));
    each(code, tallies.size(), [&](Id n) {
      const Id tally = load_word(code, pick(code, n, tallies));
      const Id none = code.test(spv::Op::OpIEqual, tally, e_.constant(0));
      const Id more = code.choose(none, pick(code, n, bits), e_.constant(0));
      code.store(open, code.word(spv::Op::OpBitwiseOr, code.load(open), more));
    });
    const Id left = code.load(open);
    for (std::size_t s = first; s < end; ++s) {
      const Id bit = code.word(spv::Op::OpBitwiseAnd, left, e_.constant(1U << (s - first)));
      const Id settled = code.test(spv::Op::OpIEqual, bit, e_.constant(0));
      const Id who = who_at_[sites[s]];
      code.store(who, code.choose(settled, e_.constant(no_invocation), code.load(who)));
    }
  }
}

}  // namespace spirv

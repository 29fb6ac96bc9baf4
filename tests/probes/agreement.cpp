#include "probes/agreement.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/trace_races.h"
#include "lab/probe/trace.h"
#include "lab/ready/specimen.h"
#include "spirv/analysis/flow/witness.h"
#include "spirv/analysis/memory/initialization.h"

namespace test {
namespace {

using Side = std::pair<std::uint32_t, std::string>;  // line, access
struct Pair {
  std::string variable;
  Side first, second;  // ordered
  auto operator<=>(const Pair&) const = default;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}: {} in line {} and {} in line {}", variable, first.second, first.first,
                       second.second, second.first);
  }
};
struct Raced {
  bool same_value = true;
  std::uint64_t count = 0;
  std::map<std::uint32_t, bool> phases;
};
using Races = std::map<Pair, Raced>;

Pair pair_of(const std::string& variable, Side a, Side b) {
  return {variable, std::min(a, b), std::max(a, b)};
}

Races found_by_check(const core::CheckReport& report) {
  Races races;
  for (const core::Finding& f : with_consequences(report.findings)) {
    if (f.kind == core::FindingKind::race && f.memory == core::Memory::shared) {
      Raced& raced = races[pair_of(f.variable, {f.first.line, core::to_string(f.first.access)},
                                   {f.second.line, core::to_string(f.second.access)})];
      raced.same_value = raced.same_value && f.same_value;
      raced.count += f.count;
    }
  }
  return races;
}

// An access of scalars of several kinds is several sites in the trace, all of one moment, and one
// in the check: the first of them, by site.
std::vector<std::uint32_t> accesses_of(const core::Trace& trace) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first;  // invocation, moment
  for (const core::TracedAccess& a : trace.accesses) {
    std::uint32_t& site = first.try_emplace({a.invocation, a.moment}, a.site).first->second;
    site = std::min(site, a.site);
  }
  std::vector<std::uint32_t> of(trace.sites.size());
  for (const core::TracedAccess& a : trace.accesses) {
    of[a.site] = first.at({a.invocation, a.moment});
  }
  return of;
}

// The trace's cells are scalars, the check's the largest pieces that all accesses take whole.
std::vector<core::LoggedAccess> coarse_log(const core::Trace& trace, const spirv::Sites& sites) {
  auto log = core::shared_log(trace);
  const std::vector<std::uint32_t> accesses = accesses_of(trace);
  for (core::LoggedAccess& a : log) {
    a.site = accesses[a.site];
    const core::TracedVariable& v = trace.variables[a.variable];
    const auto cells = std::ranges::find(sites.variables(), v.name, &spirv::SharedCells::name);
    a.cell = static_cast<std::uint32_t>(a.cell / (v.bytes / cells->scalars) / cells->cell_scalars);
  }
  return log;
}

Races found_by_oracle(const core::Trace& trace, const std::vector<core::LoggedAccess>& log) {
  Races races;
  for (const core::LoggedRace& race : core::find_races(log)) {
    const core::TracedSite& a = trace.sites[race.site_a];
    const core::TracedSite& b = trace.sites[race.site_b];
    Raced& raced =
        races[pair_of(trace.variables[a.variable].name, {a.at.line, core::to_string(a.access)},
                      {b.at.line, core::to_string(b.access)})];
    raced.same_value = raced.same_value && race.same_value;
    raced.count += race.count;
  }
  return races;
}

// Whether values are equal is judged at a site as a whole. In a subgroup, writes that are apart by
// a barrier do not race: there it may be judged too hard, or not.
bool values_are_clear(const std::vector<core::LoggedAccess>& log) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>,
           core::LoggedAccess>
      first;
  return std::ranges::all_of(log, [&](const core::LoggedAccess& a) {
    const auto& before = first.try_emplace({a.phase, a.variable, a.cell, a.site}, a).first->second;
    return !a.writes || before.value == a.value || before.subgroup_phase == a.subgroup_phase;
  });
}

// Phases in which a race was met, by the log: counts are told of the first alone.
bool in_one_phase(const std::vector<core::LoggedAccess>& log) {
  std::map<std::uint32_t, std::vector<core::LoggedAccess>> phases;
  for (const core::LoggedAccess& a : log) {
    phases[a.phase].push_back(a);
  }
  return std::ranges::count_if(phases, [](const auto& phase) {
           return !core::find_races(phase.second).empty();
         }) <= 1;
}

// Within a subgroup a race is counted whenever two lanes meet.
bool has_subgroup_barrier(const spirv::Program& program) {
  return std::ranges::any_of(program.function.blocks, [&](const spirv::Block& block) {
    return std::ranges::any_of(block.body, [&](const spirv::Instruction& i) {
      return spirv::is_subgroup_barrier(program.constants, i);
    });
  });
}

// Proofs that the trace contradicts: pairs of accesses that it saw race and that no open pair
// stands for.
std::string contradicted_proofs(const Races& oracle, const spirv::Examination& x) {
  std::set<Pair> open;
  const auto side = [&](std::uint32_t number) {
    const spirv::Site& site = x.sites.all()[number];
    return Side{site.at.line, site.atomic ? "atomic" : site.writes ? "write" : "read"};
  };
  for (const spirv::SitePair& pair : x.proofs.open()) {
    const std::uint32_t variable = x.sites.all()[pair.first].variable;
    open.insert(pair_of(x.sites.variables()[variable].name, side(pair.first), side(pair.second)));
  }
  std::string text;
  for (const auto& [pair, raced] : oracle) {
    if (!open.contains(pair)) {
      text += "proven, but the trace has " + pair.text() + "\n";
    }
  }
  return text;
}

// An index that was proven to be inside and was not: the trace left its accesses out, and said so.
std::string contradicted_bounds(const core::Trace& trace, spirv::Examination& x) {
  std::set<std::pair<std::uint32_t, std::string>> checked;  // lines with an index not proven
  std::set<std::pair<std::uint32_t, std::string>> all;
  for (const spirv::Site& site : x.sites.all()) {
    const std::pair place(site.at.line, x.sites.variables()[site.variable].name);
    all.insert(place);
    if (!std::ranges::all_of(site.terms, [&](const spirv::IndexTerm& term) {
          return x.proofs.in_bounds(site, term);
        })) {
      checked.insert(place);
    }
  }
  std::string text;
  for (const auto& place : all) {
    const auto& [line, name] = place;
    const std::string start = fmt::format("line {}: ", line);
    const std::string end = fmt::format(" outside {} are not shown", name);
    const bool left_out = std::ranges::any_of(trace.incomplete, [&](const std::string& why) {
      return why.starts_with(start) && why.ends_with(end);
    });
    if (left_out && !checked.contains(place)) {
      text += fmt::format("proven inside, but in line {} the trace is outside of {}\n", line, name);
    }
  }
  return text;
}

// Reads of shared memory that were proven to be behind a write, and that the trace saw before any
// other's in an earlier phase and before their own invocation's.
std::string contradicted_writes(const core::Trace& trace, const spirv::Examination& x) {
  const spirv::Bounds bounds(x.program);
  const spirv::Initialization analysis(x.program, bounds.intervals());
  std::map<std::pair<std::uint32_t, std::string>, bool> proven;  // lines, all of whose reads are
  for (const spirv::FollowedAccess& access : analysis.all()) {
    const spirv::FollowedVariable& variable = analysis.variables()[access.variable];
    if (access.reads && variable.shared) {
      bool& all = proven.try_emplace({access.at.line, variable.name}, true).first->second;
      all = all && access.proven;
    }
  }
  using Cell = std::pair<std::uint32_t, std::uint64_t>;
  std::map<Cell, std::uint32_t> first;                          // phase
  std::map<std::pair<Cell, std::uint32_t>, std::uint32_t> own;  // moment, by invocation
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedSite& site = trace.sites[a.site];
    if (site.writes) {
      const Cell cell(site.variable, a.offset);
      std::uint32_t& phase = first.try_emplace(cell, a.phase).first->second;
      phase = std::min(phase, a.phase);
      std::uint32_t& moment = own.try_emplace({cell, a.invocation}, a.moment).first->second;
      moment = std::min(moment, a.moment);
    }
  }
  std::set<std::string> wrong;
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedSite& site = trace.sites[a.site];
    const auto found = proven.find({site.at.line, trace.variables[site.variable].name});
    if (site.writes || found == proven.end() || !found->second) {
      continue;
    }
    const Cell cell(site.variable, a.offset);
    const auto before = first.find(cell);
    const auto mine = own.find({cell, a.invocation});
    if ((before == first.end() || before->second >= a.phase) &&
        (mine == own.end() || mine->second >= a.moment)) {
      wrong.insert(fmt::format("proven to be written, but the trace has line {} read {} before\n",
                               site.at.line, trace.variables[site.variable].name));
    }
  }
  return fmt::format("{}", fmt::join(wrong, ""));
}

// Lines of which the text tells that they run, and that the trace has no access of, and the other
// way round.
std::string contradicted_witness(const core::Trace& trace, const spirv::Examination& x) {
  const spirv::Bounds bounds(x.program);
  const std::vector<bool> runs = spirv::surely_run(x.program, {0, 0, 0});
  std::set<std::pair<std::uint32_t, std::string>> traced;
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedSite& site = trace.sites[a.site];
    traced.insert({site.at.line, trace.variables[site.variable].name});
  }
  std::string text;
  for (const spirv::Site& site : x.sites.all()) {
    const std::string& name = x.sites.variables()[site.variable].name;
    const bool left_out = std::ranges::any_of(trace.incomplete, [&](const std::string& why) {
      return why.starts_with(fmt::format("line {}: ", site.at.line));
    });
    const bool came = traced.contains({site.at.line, name});
    const bool alone = std::ranges::count_if(x.sites.all(), [&](const spirv::Site& other) {
                         return other.at.line == site.at.line && other.variable == site.variable;
                       }) == 1;
    if (came && alone && !bounds.intervals().may_run(site.block)) {
      text +=
          fmt::format("said never to run, but the trace has {} in line {}\n", name, site.at.line);
    }
    if (runs[site.block] && !left_out && !came) {
      text += fmt::format("said to run, but the trace has no access to {} in line {}\n", name,
                          site.at.line);
    }
  }
  return text;
}

// Neither atomics that hand memory on or are some subgroup's alone, nor blocks that share bytes.
bool oracle_knows(const spirv::Examination& x) {
  return x.proofs.handed_over().empty() &&
         std::ranges::none_of(x.sites.all(), &spirv::Site::narrow) &&
         std::ranges::none_of(x.sites.variables(), &spirv::SharedCells::in_bytes);
}

struct Comparable {
  bool counts = false;
  bool values = false;
};

std::string difference(const Races& check, const Races& oracle, Comparable comparable) {
  std::string text;
  for (const auto& [pair, raced] : oracle) {
    const auto found = check.find(pair);
    if (found == check.end()) {
      text += "the check misses " + pair.text() + "\n";
      continue;
    }
    if (comparable.values && found->second.same_value != raced.same_value) {
      text += fmt::format("{}: same values? check {}, oracle {}\n", pair.text(),
                          found->second.same_value, raced.same_value);
    }
    if (comparable.counts && found->second.count != raced.count) {
      text += fmt::format("{}: cells: check {}, oracle {}\n", pair.text(), found->second.count,
                          raced.count);
    }
  }
  for (const auto& [pair, raced] : check) {
    if (!oracle.contains(pair)) {
      text += "the check reports " + pair.text() + "\n";
    }
  }
  return text;
}

}  // namespace

std::vector<core::Finding> with_consequences(const std::vector<core::Finding>& findings) {
  std::vector<core::Finding> all;
  for (const core::Finding& f : findings) {
    all.push_back(f);
    all.insert(all.end(), f.consequences.begin(), f.consequences.end());
  }
  return all;
}

Agreement compare(gpu::Device& device, const std::shared_ptr<lab::Specimen>& specimen) {
  const auto report = lab::check(device, lab::alone(specimen), {.tiles = 1});
  if (!report) {
    return {.difference = "", .refused = report.error().message};
  }
  if (std::ranges::any_of(report->incomplete, [](const std::string& why) {
        return why.contains("the same subgroup and lane");
      })) {
    return {.beyond = "subgroups are not told apart on this device"};
  }
  if (std::ranges::any_of(report->incomplete, [](const std::string& why) {
        return why.contains("ends all loops of an invocation");
      })) {
    return {.beyond = "this device ended its loops"};
  }
  if (!oracle_knows(**specimen->examination())) {
    return {.beyond = "the oracle knows barriers alone, of variables alone"};
  }
  const auto trace = lab::trace_workgroup(device, *specimen, {});
  if (!trace) {
    return {.difference = "", .refused = trace.error().message};
  }
  if (trace->lost > 0) {
    return {.difference = "", .refused = "the trace is not complete"};
  }
  spirv::Examination& examined = **specimen->examination();
  const auto& sites = examined.sites;
  // Cells can be counted alike where all scalars of a variable have one size.
  const auto even = [&](const spirv::SharedCells& cells) {
    const auto v = std::ranges::find(trace->variables, cells.name, &core::TracedVariable::name);
    return v != trace->variables.end() && v->bytes == cells.scalars * v->scalar_bytes;
  };
  const bool subgroups = has_subgroup_barrier(examined.program);
  const bool counted = std::ranges::all_of(sites.variables(), even) && !subgroups;
  const auto log = core::shared_log(*trace);
  Races oracle = found_by_oracle(*trace, log);
  if (counted) {
    for (const auto& [pair, raced] : found_by_oracle(*trace, coarse_log(*trace, sites))) {
      oracle[pair].count = raced.count;
    }
  }
  return {
      .difference = difference(found_by_check(*report), oracle,
                               {counted && in_one_phase(log), values_are_clear(log)}) +
                    contradicted_proofs(oracle, examined) + contradicted_bounds(*trace, examined) +
                    contradicted_writes(*trace, examined) + contradicted_witness(*trace, examined),
      .refused = "",
      .races = oracle.size()};
}

}  // namespace test

#include "core/report/trace_races.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace core {
namespace {

// FNV-1a's step (Fowler, Noll, Vo): both halves of a value in one word.
std::uint32_t folded(std::uint64_t value) {
  const auto high = static_cast<std::uint32_t>(value >> 32U);
  return static_cast<std::uint32_t>(value) ^ (high * 16777619U);
}

LoggedAccess logged(const Trace& trace, const TracedAccess& a) {
  const TracedSite& site = trace.sites[a.site];
  return {.invocation = a.invocation,
          .subgroup = a.invocation < trace.subgroup.size() ? trace.subgroup[a.invocation] : 0,
          .phase = a.phase,
          .subgroup_phase = a.subgroup_phase,
          .site = a.site,
          .variable = site.variable,
          .cell = static_cast<std::uint32_t>(a.offset),
          .value = folded(a.value),
          .writes = site.writes,
          .atomic = site.access == Access::atomic};
}

bool is_shared(const Trace& trace, const TracedAccess& a) {
  return trace.variables[trace.sites[a.site].variable].memory == MemoryKind::shared;
}

}  // namespace

std::vector<LoggedAccess> shared_log(const Trace& trace) {
  std::vector<LoggedAccess> log;
  for (const TracedAccess& a : trace.accesses) {
    if (is_shared(trace, a)) {
      log.push_back(logged(trace, a));
    }
  }
  return log;
}

std::vector<LoggedRace> find_races(const Trace& trace) {
  return find_races(shared_log(trace));
}

std::vector<RacingCell> racing_cells(const Trace& trace) {
  // By phase, variable and offset: places in the trace.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::vector<std::uint64_t>>
      cells;
  for (std::uint64_t n = 0; n < trace.accesses.size(); ++n) {
    const TracedAccess& a = trace.accesses[n];
    if (is_shared(trace, a)) {
      cells[{a.phase, trace.sites[a.site].variable, a.offset}].push_back(n);
    }
  }
  std::vector<RacingCell> racing;
  for (const auto& [place, accesses] : cells) {
    std::vector<LoggedAccess> log;
    std::ranges::transform(accesses, std::back_inserter(log),
                           [&](std::uint64_t n) { return logged(trace, trace.accesses[n]); });
    const auto races = find_races(log);
    if (races.empty()) {
      continue;
    }
    const auto at = [&](const LoggedAccess& wanted) {
      return accesses[static_cast<std::size_t>(std::ranges::find(log, wanted) - log.begin())];
    };
    racing.push_back({std::get<1>(place), std::get<2>(place), std::get<0>(place),
                      at(races.front().a), at(races.front().b)});
  }
  return racing;
}

}  // namespace core

#include "core/report/races.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace core {
namespace {

auto place(const LoggedAccess& a) {
  return std::tuple(a.phase, a.variable, a.cell);
}

auto order(const LoggedAccess& a) {
  return std::tuple(a.phase, a.variable, a.cell, a.site, a.invocation, a.subgroup_phase, a.value,
                    a.writes, a.atomic);
}

bool conflict(const LoggedAccess& a, const LoggedAccess& b) {
  if (a.invocation == b.invocation || (!a.writes && !b.writes) || (a.atomic && b.atomic)) {
    return false;
  }
  return a.subgroup != b.subgroup || a.subgroup_phase == b.subgroup_phase;
}

// Values written at one place through one site.
struct Written {
  std::uint32_t value = 0;
  bool several = false;
};

using SitePair = std::pair<std::uint32_t, std::uint32_t>;

struct Meeting {
  LoggedAccess a, b;
};

// All conflicts among the accesses to one cell in one phase. One of two that conflict writes.
std::map<SitePair, Meeting> meetings(std::span<const LoggedAccess> accesses) {
  const auto key = [](const Meeting& m) {
    return std::tuple(m.a.invocation, m.b.invocation, order(m.a), order(m.b));
  };
  std::map<SitePair, Meeting> found;
  for (const LoggedAccess& writer : accesses) {
    if (!writer.writes) {
      continue;
    }
    for (const LoggedAccess& other : accesses) {
      if (!conflict(writer, other)) {
        continue;
      }
      const auto place = [](const LoggedAccess& a) { return std::pair(a.site, a.invocation); };
      const bool first = place(writer) < place(other);
      const Meeting meeting = first ? Meeting{writer, other} : Meeting{other, writer};
      const auto [entry, fresh] = found.try_emplace({meeting.a.site, meeting.b.site}, meeting);
      if (!fresh && key(meeting) < key(entry->second)) {
        entry->second = meeting;
      }
    }
  }
  return found;
}

std::map<std::uint32_t, Written> values(std::span<const LoggedAccess> accesses) {
  std::map<std::uint32_t, Written> written;
  for (const LoggedAccess& a : accesses) {
    if (a.writes) {
      Written& w = written.try_emplace(a.site, Written{a.value, a.atomic}).first->second;
      w.several = w.several || w.value != a.value;
    }
  }
  return written;
}

// Repeated accesses say nothing new, and would make comparing all with all slow.
void drop_repeats(std::vector<LoggedAccess>& log) {
  std::ranges::sort(log, {}, order);
  const auto rest = std::ranges::unique(log, {}, order);
  log.erase(rest.begin(), rest.end());
}

}  // namespace

std::vector<LoggedRace> find_races(std::span<const LoggedAccess> log) {
  std::vector<LoggedAccess> sorted(log.begin(), log.end());
  drop_repeats(sorted);
  std::map<SitePair, LoggedRace> races;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::find_if(
        first, sorted.end(), [&](const LoggedAccess& a) { return place(a) != place(*first); });
    const std::span<const LoggedAccess> here(first, last);
    const auto written = values(here);
    for (const auto& [sites, meeting] : meetings(here)) {
      LoggedRace race{sites.first, sites.second, 0, true, meeting.a, meeting.b};
      LoggedRace& total = races.try_emplace(sites, race).first->second;
      ++total.count;
      const auto a = written.find(sites.first);
      const auto b = written.find(sites.second);
      total.same_value = total.same_value && meeting.a.writes && meeting.b.writes &&
                         !a->second.several && !b->second.several &&
                         a->second.value == b->second.value;
    }
    first = last;
  }
  std::vector<LoggedRace> result;
  for (const auto& [sites, race] : races) {
    result.push_back(race);
  }
  return result;
}

}  // namespace core

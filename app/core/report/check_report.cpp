#include "core/report/check_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

namespace core {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

std::string did(const RaceSide& side) {
  const std::string verb = side.access == Access::read    ? "reads"
                           : side.access == Access::write ? "writes"
                                                          : "changes atomically";
  return "invocation " + triple(side.invocation) + " " + verb + " it at line " +
         std::to_string(side.line);
}

}  // namespace

std::string to_string(Access access) {
  switch (access) {
    case Access::write:
      return "write";
    case Access::atomic:
      return "atomic";
    case Access::read:
      break;
  }
  return "read";
}

std::string to_string(RaceHazard hazard) {
  switch (hazard) {
    case RaceHazard::write_after_read:
      return "WAR";
    case RaceHazard::write_after_write:
      return "WAW";
    case RaceHazard::read_after_write:
      break;
  }
  return "RAW";
}

std::string to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::divergent_barrier:
      return "divergent-barrier";
    case FindingKind::out_of_bounds:
      return "out-of-bounds";
    case FindingKind::unfinished_loop:
      return "unfinished-loop";
    case FindingKind::race:
      break;
  }
  return "race";
}

std::string to_string(Memory memory) {
  return memory == Memory::buffer ? "buffer" : "shared";
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::racy:
      return "racy";
    case Verdict::divergent:
      return "divergent";
    case Verdict::faulty:
      return "faulty";
    case Verdict::incomplete:
      break;
  }
  return "incomplete";
}

namespace {

std::string lines_in_words(const std::vector<std::uint32_t>& lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  }
  return text + (lines.size() == 1 ? " was" : " were") + " not executed by this launch";
}

}  // namespace

std::vector<std::uint32_t> CheckReport::lines_not_executed() const {
  std::set<std::uint32_t> ran;
  std::set<std::uint32_t> not_run;
  for (const AccessRun& site : sites) {
    (site.executed ? ran : not_run).insert(site.line);
  }
  std::vector<std::uint32_t> lines;
  std::ranges::set_difference(not_run, ran, std::back_inserter(lines));
  return lines;
}

std::string CheckReport::not_executed() const {
  const std::vector<std::uint32_t> lines = lines_not_executed();
  return lines.empty() ? "" : lines_in_words(lines);
}

void CheckReport::judge_exercise() {
  accesses_executed =
      static_cast<std::uint32_t>(std::ranges::count(sites, true, &AccessRun::executed));
  const auto none = [&](bool (*of_kind)(const AccessRun&)) {
    return std::ranges::any_of(sites, of_kind) &&
           std::ranges::none_of(
               sites, [&](const AccessRun& site) { return of_kind(site) && site.executed; });
  };
  const bool no_read = none([](const AccessRun& a) { return a.access != Access::write; });
  const bool no_write = none([](const AccessRun& a) { return a.access != Access::read; });
  if (no_read || no_write) {
    const std::string kind = accesses_executed == 0 ? "no access to"
                             : no_write             ? "no write to"
                                                    : "no read of";
    const std::string where = not_executed();
    incomplete.push_back((where.empty() ? "" : where + ": ") + kind +
                         " shared memory ran, so that nothing was checked of it; other sizes or "
                         "values may reach it");
  }
  if (verdict == Verdict::clean && !incomplete.empty()) {
    verdict = Verdict::incomplete;
  }
}

void CheckReport::add_sites(CheckReport& launch, bool again) {
  if (again) {
    // The same text once more: what one launch did not run another did.
    std::size_t at = 0;
    for (AccessRun& site : sites) {
      if (site.kernel == launch.kernel && at < launch.sites.size()) {
        site.executed = site.executed || launch.sites[at++].executed;
      }
    }
    std::erase_if(never_taken, [&](const NeverTaken& never) {
      return never.kernel == launch.kernel &&
             std::ranges::none_of(launch.never_taken, [&](NeverTaken other) {
               other.kernel = launch.kernel;
               return other == never;
             });
    });
    return;
  }
  for (AccessRun& site : launch.sites) {
    site.kernel = launch.kernel;
    sites.push_back(std::move(site));
  }
  for (NeverTaken& never : launch.never_taken) {
    never.kernel = launch.kernel;
    never_taken.push_back(std::move(never));
  }
  for (ConvergedBarrier& barrier : launch.converged) {
    barrier.kernel = launch.kernel;
    converged.push_back(std::move(barrier));
  }
}

std::span<const std::uint32_t> CheckReport::racing_on(std::size_t grid) const {
  if (racing_by_grid.empty()) {
    return racing_groups;
  }
  const auto found = racing_by_grid.find(grid);
  return found == racing_by_grid.end() ? std::span<const std::uint32_t>() : found->second;
}

void CheckReport::add(CheckReport launch, const Place& place) {
  const bool again = place.again;
  const auto rank = [](Verdict v) {
    static constexpr std::array worst{Verdict::clean, Verdict::incomplete, Verdict::faulty,
                                      Verdict::racy, Verdict::divergent};
    return std::ranges::find(worst, v) - worst.begin();
  };
  verdict = rank(launch.verdict) > rank(verdict) ? launch.verdict : verdict;
  workgroups += launch.workgroups;
  workgroups_checked += launch.workgroups_checked;
  accesses += again ? 0 : launch.accesses;
  accesses_checked += again ? 0 : launch.accesses_checked;
  accesses_proven += again ? 0 : launch.accesses_proven;
  add_sites(launch, again);
  for (const std::string& why : launch.incomplete) {
    incomplete.push_back(launch.kernel + ": " + why);
  }
  for (Finding& finding : launch.findings) {
    finding.kernel = launch.kernel;
    finding.launch = place.number;
    findings.push_back(std::move(finding));
  }
  std::vector<std::uint32_t>& racing = racing_by_grid[place.grid];
  racing.resize(std::max(racing.size(), launch.racing_groups.size()));
  for (std::size_t i = 0; i < launch.racing_groups.size(); ++i) {
    racing[i] |= launch.racing_groups[i];
  }
  plain_ms += launch.plain_ms;
  checked_ms += launch.checked_ms;
}

std::string Finding::sentence() const {
  return (kernel.empty() ? "" : kernel + ": ") + words();
}

std::string Finding::words() const {
  std::string cell = variable;
  for (const std::uint32_t i : index) {
    cell += "[" + std::to_string(i) + "]";
  }
  switch (kind) {
    case FindingKind::divergent_barrier:
      return "the barrier at line " + std::to_string(line) +
             " is not reached by all invocations alike: the condition at line " +
             std::to_string(condition_line) + (observed ? " differed" : " can differ") +
             " between them (entry point at line " + std::to_string(entry_line) + ")";
    case FindingKind::out_of_bounds:
      return "line " + std::to_string(line) + ": an index into " + variable +
             " is outside its length of " + std::to_string(limit) + " in " + std::to_string(count) +
             " invocations";
    case FindingKind::unfinished_loop:
      return "the loop at line " + std::to_string(line) + " did not finish in " +
             std::to_string(limit) + " iterations in " + std::to_string(count) + " invocations";
    case FindingKind::race:
      break;
  }
  return to_string(hazard) + " on " + cell + " in workgroup " + triple(workgroup) + ": " +
         did(first) + ", and " + did(second) + ", with no barrier between them (" +
         std::to_string(count) + " times" + (same_value ? ", always the same value)" : ")");
}

}  // namespace core

#include "core/report/check_report.h"

#include <algorithm>
#include <array>
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

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::racy:
      return "racy";
    case Verdict::divergent:
      return "divergent";
    case Verdict::incomplete:
      break;
  }
  return "incomplete";
}

void CheckReport::add(CheckReport launch, bool again) {
  const auto rank = [](Verdict v) {
    static constexpr std::array worst{Verdict::clean, Verdict::incomplete, Verdict::racy,
                                      Verdict::divergent};
    return std::ranges::find(worst, v) - worst.begin();
  };
  verdict = rank(launch.verdict) > rank(verdict) ? launch.verdict : verdict;
  workgroups += launch.workgroups;
  workgroups_checked += launch.workgroups_checked;
  accesses += again ? 0 : launch.accesses;
  accesses_checked += again ? 0 : launch.accesses_checked;
  accesses_proven += again ? 0 : launch.accesses_proven;
  for (const std::string& why : launch.incomplete) {
    incomplete.push_back(launch.kernel + ": " + why);
  }
  for (Finding& finding : launch.findings) {
    finding.kernel = launch.kernel;
    findings.push_back(std::move(finding));
  }
  racing_groups.resize(std::max(racing_groups.size(), launch.racing_groups.size()));
  for (std::size_t i = 0; i < launch.racing_groups.size(); ++i) {
    racing_groups[i] |= launch.racing_groups[i];
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
             std::to_string(condition_line) + " can differ between them (entry point at line " +
             std::to_string(entry_line) + ")";
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

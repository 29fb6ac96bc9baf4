// The oracle for storage buffers: the traces of all workgroups put together.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/probe/trace.h"
#include "probes/agreement.h"
#include "spirv/analysis/memory/buffer_proofs.h"

namespace test {
namespace {

using Side = std::pair<std::uint32_t, std::string>;    // line, access
using SidePair = std::tuple<std::string, Side, Side>;  // of a variable, the sides ordered

SidePair side_pair(const std::string& variable, const Side& a, const Side& b) {
  return {variable, std::min(a, b), std::max(a, b)};
}

std::string text_of(const SidePair& pair) {
  const auto& [variable, a, b] = pair;
  return fmt::format("{}: {} in line {} and {} in line {}\n", variable, a.second, a.first, b.second,
                     b.first);
}

// Of one place of a buffer.
struct Visit {
  std::uint32_t group = 0;
  std::uint32_t invocation = 0;
  std::uint32_t phase = 0;
  Side side;
  bool writes = false;
  auto operator<=>(const Visit&) const = default;
};

bool race(const Visit& a, const Visit& b) {
  const bool same_group = a.group == b.group;
  const bool ordered = same_group && (a.invocation == b.invocation || a.phase != b.phase);
  const bool atomic = a.side.second == "atomic" && b.side.second == "atomic";
  return !ordered && (a.writes || b.writes) && !atomic;
}

using Places = std::map<std::pair<std::string, std::uint64_t>, std::set<Visit>>;

void add(const core::Trace& trace, std::uint32_t group, bool phases, Places& places) {
  for (const core::TracedAccess& a : trace.accesses) {
    const core::TracedSite& site = trace.sites[a.site];
    const core::TracedVariable& variable = trace.variables[site.variable];
    if (variable.memory == core::MemoryKind::global) {
      places[{variable.name, a.offset}].insert({group,
                                                a.invocation,
                                                phases ? a.phase : 0,
                                                {site.at.line, core::to_string(site.access)},
                                                site.writes});
    }
  }
}

std::set<SidePair> races_of(const Places& places) {
  std::set<SidePair> found;
  for (const auto& [place, visits] : places) {
    for (auto a = visits.begin(); a != visits.end(); ++a) {
      for (auto b = std::next(a); b != visits.end(); ++b) {
        if (race(*a, *b)) {
          found.insert(side_pair(place.first, a->side, b->side));
        }
      }
    }
  }
  return found;
}

std::set<SidePair> open_pairs(const spirv::Examination& x, std::uint32_t groups) {
  const spirv::LaunchFacts launch{{groups, 1, 1}, {groups, 1, 1}, {}};
  const spirv::BufferProofs proofs(x.program, x.uniformity, x.proofs, x.buffers, launch);
  std::set<SidePair> open;
  const auto side = [&](std::uint32_t number) {
    const spirv::BufferSite& site = x.buffers.all()[number];
    return Side{site.at.line, site.atomic ? "atomic" : site.writes ? "write" : "read"};
  };
  for (const spirv::SitePair& pair : proofs.open()) {
    open.insert(side_pair(x.buffers.name_of(x.buffers.all()[pair.first]), side(pair.first),
                          side(pair.second)));
  }
  return open;
}

}  // namespace

Agreement compare_buffers(gpu::Device& device, const std::shared_ptr<lab::Specimen>& specimen,
                          bool phases) {
  const auto report = lab::check(device, lab::alone(specimen), {});
  if (!report) {
    return {.difference = "", .refused = report.error().message};
  }
  if (report->verdict == core::Verdict::incomplete) {
    return {.beyond = fmt::format("the check: {}", fmt::join(report->incomplete, "; "))};
  }
  const std::uint32_t groups = specimen->dispatch().groups.x;
  Places places;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const auto trace = lab::trace_workgroup(device, *specimen, {group, 0, 0});
    if (!trace || trace->lost > 0) {
      return {.difference = "", .refused = trace ? "incomplete" : trace.error().message};
    }
    add(*trace, group, phases, places);
  }
  const std::set<SidePair> oracle = races_of(places);
  const std::set<SidePair> open = open_pairs(**specimen->examination(), groups);
  std::set<SidePair> told;
  for (const core::Finding& f : with_consequences(report->findings)) {
    if (f.kind == core::FindingKind::race && f.memory == core::Memory::buffer) {
      told.insert(side_pair(f.variable, {f.first.line, core::to_string(f.first.access)},
                            {f.second.line, core::to_string(f.second.access)}));
    }
  }
  Agreement result{.difference = "", .refused = "", .races = oracle.size()};
  for (const SidePair& pair : told) {
    if (!oracle.contains(pair)) {
      result.difference += "the check reports " + text_of(pair);
    }
  }
  for (const SidePair& pair : oracle) {
    if (!open.contains(pair)) {
      result.difference += "proven, but the traces have " + text_of(pair);
    } else if (told.empty()) {
      result.difference += "the check misses " + text_of(pair);
    }
  }
  return result;
}

}  // namespace test

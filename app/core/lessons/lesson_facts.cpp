#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/lessons/lesson.h"
#include "core/model/occupancy.h"
#include "core/report/advice.h"
#include "core/report/banks.h"
#include "core/stream/stream.h"

namespace core {
namespace {

using Value = std::optional<std::string>;
using Array = std::optional<std::uint32_t>;  // place in Trace::variables

struct Fact {
  const char* name;
  Value (*of)(const Result& result, const std::string& array);
  enum class Takes { nothing, perhaps, array } takes = Takes::nothing;
  bool traced = false;
};

Value number(std::uint64_t value) {
  return std::to_string(value);
}

Value rounded(double value) {
  return number(static_cast<std::uint64_t>(std::llround(value)));
}

Value verdict(const Result& result, const std::string& /*array*/) {
  return result.races ? Value(to_string(result.races->verdict)) : std::nullopt;
}

Value hazards(const Result& result, const std::string& /*array*/) {
  if (!result.races) {
    return std::nullopt;
  }
  std::string text;
  for (const Hazard hazard :
       {Hazard::read_after_write, Hazard::write_after_read, Hazard::write_after_write}) {
    if (std::ranges::any_of(result.races->findings, [hazard](const Finding& f) {
          return f.kind == FindingKind::race && f.hazard == hazard;
        })) {
      text += (text.empty() ? "" : ", ") + to_string(hazard);
    }
  }
  return text.empty() ? "none" : text;
}

Value answer(const Result& result, const std::string& /*array*/) {
  return result.check.done ? Value(result.check.correct ? "right" : "wrong") : std::nullopt;
}

Value barriers(const Result& result, const std::string& /*array*/) {
  return result.facts ? number(result.facts->barriers.size()) : std::nullopt;
}

Value launches(const Result& result, const std::string& /*array*/) {
  return result.launches.empty() ? std::nullopt : number(result.launches.size());
}

Value workgroups(const Result& result, const std::string& /*array*/) {
  return number(result.tiles.group_count());
}

Value invocations(const Result& result, const std::string& /*array*/) {
  const glm::uvec3 size = result.tiles.local_size;
  return number(std::uint64_t{size.x} * size.y * size.z);
}

Value results(const Result& result, const std::string& /*array*/) {
  const glm::uvec3 size = result.tiles.covers;
  return number(std::uint64_t{size.x} * size.y * size.z);
}

Value idle(const Result& result, const std::string& /*array*/) {
  return number(result.tiles.invocations() - result.tiles.useful_invocations());
}

const KernelUse* use_of(const Result& result) {
  const Occupancy* occupancy = result.occupancy.get();
  return occupancy != nullptr && occupancy->chosen < occupancy->tiles.size() ? &occupancy->now().use
                                                                             : nullptr;
}

Value shared_bytes(const Result& result, const std::string& /*array*/) {
  const KernelUse* use = use_of(result);
  return use != nullptr ? number(use->shared_bytes) : std::nullopt;
}

// By what is declared alone: registers are a driver's affair, and lessons run on any.
std::optional<Residency> on_h200(const Result& result) {
  const KernelUse* use = use_of(result);
  DeviceInfo device;
  device.name = "NVIDIA H200";
  const auto has = multiprocessor_of(device);
  if (use == nullptr || !has) {
    return std::nullopt;
  }
  KernelUse declared = *use;
  declared.subgroup_size = 32;
  declared.registers.reset();
  return residency_of(declared, *has);
}

Value fit(const Result& result, const std::string& /*array*/) {
  const auto residency = on_h200(result);
  return residency ? number(residency->workgroups) : std::nullopt;
}

Value limit(const Result& result, const std::string& /*array*/) {
  const auto residency = on_h200(result);
  return residency ? Value(to_string(residency->limiter().resource)) : std::nullopt;
}

// Multiprocessors that an NVIDIA H200 has (NVIDIA H200 Tensor Core GPU data sheet).
constexpr std::uint32_t kOfH200 = 132;

std::optional<LaunchWaves> waves_on_h200(const Result& result) {
  const auto residency = on_h200(result);
  return residency ? launch_waves(result.tiles.group_count(), *residency, kOfH200) : std::nullopt;
}

Value waves(const Result& result, const std::string& /*array*/) {
  const auto waves = waves_on_h200(result);
  return waves ? number(waves->count) : std::nullopt;
}

Value filled(const Result& result, const std::string& /*array*/) {
  const auto waves = waves_on_h200(result);
  return waves ? rounded(100.0 * waves->filled()) : std::nullopt;
}

Value faster(const Result& result, const std::string& rival) {
  const Rung* rung = measured_rung(result, rival);
  const Spread& own = result.timing.spread;
  constexpr std::size_t kEnough = 5;  // samples
  if (rung == nullptr || own.count < kEnough) {
    return std::nullopt;
  }
  return own.p95 < rung->spread.p5 ? "faster" : own.p5 > rung->spread.p95 ? "slower" : "alike";
}

const StreamPlan* plan_of(const Result& result) {
  const StreamReport* stream = result.stream.get();
  return stream != nullptr && stream->phase == StreamPhase::done ? stream->plan.get() : nullptr;
}

Value accelerators(const Result& result, const std::string& /*array*/) {
  const StreamPlan* plan = plan_of(result);
  return plan != nullptr ? number(plan->shares.size()) : std::nullopt;
}

// Rows of A and C that the first of them has.
Value share_rows(const Result& result, const std::string& /*array*/) {
  const StreamPlan* plan = plan_of(result);
  return plan != nullptr ? number(plan->shares.front().rows.count) : std::nullopt;
}

// Of B, that the first of them has seen, in floats: all that came to it.
Value share_of_b(const Result& result, const std::string& /*array*/) {
  const StreamPlan* plan = plan_of(result);
  if (plan == nullptr) {
    return std::nullopt;
  }
  std::uint64_t columns = 0;
  for (const Stretch& panel : plan->shares.front().panels) {
    columns += panel.count;
  }
  return number(columns);
}

bool whole(const Trace* trace) {
  return trace != nullptr && trace->lost == 0 && trace->incomplete.empty();
}

Array find(const Trace& trace, const std::string& array) {
  const auto found = std::ranges::find(trace.variables, array, &TracedVariable::name);
  return found == trace.variables.end()
             ? std::nullopt
             : Array(static_cast<std::uint32_t>(found - trace.variables.begin()));
}

bool reads(const TracedSite& site) {
  return site.access != Access::write;
}

bool writes(const TracedSite& site) {
  return site.writes;
}

bool is_atomic(const TracedSite& site) {
  return site.access == Access::atomic;
}

using Kind = bool (*)(const TracedSite&);

// The accesses to an array that are of a kind, each by what `of` makes of it: how many of each.
template <class Of>
std::map<std::uint64_t, std::uint64_t> counted(const Trace& trace, std::uint32_t array, Kind kind,
                                               Of of) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const TracedAccess& access : trace.accesses) {
    const TracedSite& site = trace.sites[access.site];
    if (site.variable == array && kind(site)) {
      ++counts[of(access)];
    }
  }
  return counts;
}

std::uint64_t most(const std::map<std::uint64_t, std::uint64_t>& counts) {
  std::uint64_t most = 0;
  for (const auto& [key, count] : counts) {
    most = std::max(most, count);
  }
  return most;
}

std::uint64_t element(const TracedAccess& access) {
  return access.offset;
}

std::uint64_t invocation(const TracedAccess& access) {
  return access.invocation;
}

// Of the busiest invocation.
Value by_invocation(const Result& result, const std::string& name, Kind kind) {
  const Array array = find(*result.trace, name);
  return array ? number(most(counted(*result.trace, *array, kind, invocation))) : std::nullopt;
}

Value reads_of(const Result& result, const std::string& array) {
  return by_invocation(result, array, reads);
}

Value writes_of(const Result& result, const std::string& array) {
  return by_invocation(result, array, writes);
}

Value atomics_of(const Result& result, const std::string& name) {
  const Trace& trace = *result.trace;
  const Array array = find(trace, name);
  return array ? number(static_cast<std::uint64_t>(
                     std::ranges::count_if(trace.accesses,
                                           [&](const TracedAccess& access) {
                                             const TracedSite& site = trace.sites[access.site];
                                             return site.variable == *array && is_atomic(site);
                                           })))
               : std::nullopt;
}

Value times(const Result& result, const std::string& name) {
  const Array array = find(*result.trace, name);
  return array ? number(most(counted(*result.trace, *array, reads, element))) : std::nullopt;
}

Value elements(const Result& result, const std::string& name) {
  const Array array = find(*result.trace, name);
  return array ? number(counted(*result.trace, *array, reads, element).size()) : std::nullopt;
}

Value readers(const Result& result, const std::string& name) {
  const Array array = find(*result.trace, name);
  return array ? number(counted(*result.trace, *array, reads, invocation).size()) : std::nullopt;
}

// Scalars that the workgroup reads from a memory for each of its results.
Value a_result(const Result& result, MemoryKind memory) {
  const Trace& trace = *result.trace;
  const auto count = std::ranges::count_if(trace.accesses, [&](const TracedAccess& access) {
    const TracedSite& site = trace.sites[access.site];
    return trace.variables[site.variable].memory == memory && reads(site);
  });
  const glm::uvec3 group{trace.workgroup[0], trace.workgroup[1], trace.workgroup[2]};
  const std::uint64_t items = result.tiles.items(group).count();
  return items == 0 ? std::nullopt
                    : rounded(static_cast<double>(count) / static_cast<double>(items));
}

Value global_reads(const Result& result, const std::string& /*array*/) {
  return a_result(result, MemoryKind::global);
}

Value shared_reads(const Result& result, const std::string& /*array*/) {
  return a_result(result, MemoryKind::shared);
}

Value phases(const Result& result, const std::string& /*array*/) {
  return number(result.trace->phases.size());
}

bool is_of(const Trace& trace, const SiteInstructions& site, const std::string& array) {
  return array.empty() || trace.variables[trace.sites[site.site].variable].name == array;
}

Value ways(const Result& result, const std::string& array) {
  if (!result.banks) {
    return std::nullopt;
  }
  std::uint32_t worst = 0;
  for (const SharedSite& site : result.banks->of_32->shared) {
    if (is_of(*result.trace, site.instructions, array)) {
      worst = std::max(worst, site.worst_ways);
    }
  }
  return worst == 0 ? std::nullopt : number(worst);
}

Value sectors(const Result& result, const std::string& array) {
  if (!result.banks) {
    return std::nullopt;
  }
  const Trace& trace = *result.trace;
  const LaneReport& lanes = *result.banks->of_32;
  std::uint32_t worst = 0;
  for (const GlobalSite& site : lanes.global) {
    if (!is_of(trace, site.instructions, array)) {
      continue;
    }
    for (std::uint32_t i = site.instructions.first; i < site.instructions.last; ++i) {
      const auto accesses = lane_accesses(trace, lanes.instructions, lanes.instructions.list[i]);
      worst = std::max(worst, sector_use(accesses).sectors);
    }
  }
  return worst == 0 ? std::nullopt : number(worst);
}

Value used(const Result& result, const std::string& array) {
  if (!result.banks) {
    return std::nullopt;
  }
  std::uint64_t used = 0;
  std::uint64_t fetched = 0;
  for (const GlobalSite& site : result.banks->of_32->global) {
    if (is_of(*result.trace, site.instructions, array)) {
      used += site.used;
      fetched += site.fetched();
    }
  }
  return fetched == 0 ? std::nullopt
                      : rounded(100.0 * static_cast<double>(used) / static_cast<double>(fetched));
}

Value requests(const Result& result, const std::string& array) {
  if (!result.banks) {
    return std::nullopt;
  }
  const LaneReport& lanes = *result.banks->of_32;
  std::uint64_t count = 0;
  for (const SharedSite& site : lanes.shared) {
    count += is_of(*result.trace, site.instructions, array) ? site.instructions.count() : 0;
  }
  for (const GlobalSite& site : lanes.global) {
    count += is_of(*result.trace, site.instructions, array) ? site.instructions.count() : 0;
  }
  return count == 0 ? std::nullopt : number(count);
}

Value advised(const Result& result, const std::string& name) {
  if (!result.advice) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(result.advice->arrays, name, &ArrayAdvice::name);
  return found == result.advice->arrays.end() ? std::nullopt : Value(to_string(found->tiling));
}

constexpr std::string_view kFaster = "faster";
constexpr auto kArray = Fact::Takes::array;
constexpr std::array kFacts{
    Fact{"verdict", verdict},
    Fact{"hazards", hazards},
    Fact{"answer", answer},
    Fact{"barriers", barriers},
    Fact{"launches", launches},
    Fact{"workgroups", workgroups},
    Fact{"invocations", invocations},
    Fact{"results", results},
    Fact{"idle", idle},
    Fact{"shared-bytes", shared_bytes},
    Fact{"fit-h200", fit},
    Fact{"limit-h200", limit},
    Fact{"waves-h200", waves},
    Fact{"filled-h200", filled},
    Fact{"faster", faster, kArray},
    Fact{"accelerators", accelerators},
    Fact{"share-rows", share_rows},
    Fact{"share-columns", share_of_b},
    Fact{"phases", phases, Fact::Takes::nothing, true},
    Fact{"global-reads", global_reads, Fact::Takes::nothing, true},
    Fact{"shared-reads", shared_reads, Fact::Takes::nothing, true},
    Fact{"reads", reads_of, kArray, true},
    Fact{"writes", writes_of, kArray, true},
    Fact{"atomics", atomics_of, kArray, true},
    Fact{"times", times, kArray, true},
    Fact{"elements", elements, kArray, true},
    Fact{"readers", readers, kArray, true},
    Fact{"ways", ways, Fact::Takes::perhaps, true},
    Fact{"sectors", sectors, Fact::Takes::perhaps, true},
    Fact{"used", used, Fact::Takes::perhaps, true},
    Fact{"requests", requests, Fact::Takes::perhaps, true},
    Fact{"tiling", advised, kArray, true},
};

// "times a": the fact, and the array's name.
std::pair<const Fact*, std::string> split(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::string name = text.substr(0, space);
  const std::string array = space == std::string::npos ? "" : text.substr(space + 1);
  const auto* const found =
      std::ranges::find_if(kFacts, [&](const Fact& fact) { return name == fact.name; });
  const bool fits = found != kFacts.end() && (found->takes == Fact::Takes::perhaps ||
                                              (found->takes == kArray) == !array.empty());
  return {fits ? &*found : nullptr, array};
}

}  // namespace

std::vector<std::string> lesson_facts() {
  std::vector<std::string> names;
  for (const Fact& fact : kFacts) {
    const bool rival = std::string_view(fact.name) == kFaster;
    names.push_back(std::string(fact.name) + (fact.takes != kArray ? ""
                                              : rival              ? " VARIANT"
                                                                   : " ARRAY"));
  }
  for (const char* place :
       {"racing ARRAY", "read-by X,Y,Z ARRAY", "written-by X,Y,Z ARRAY", "bank-of I ARRAY",
        "readers-of I ARRAY", "writers-of I ARRAY", "idle-tiles", "tile-of ROW,COLUMN"}) {
    names.emplace_back(place);
  }
  return names;
}

bool is_lesson_fact(const std::string& fact) {
  return split(fact).first != nullptr || clicked_on(fact).has_value();
}

Steps lesson_needs(const std::string& fact) {
  const auto on = clicked_on(fact);
  const Fact* const found = split(fact).first;
  const bool traced =
      (found != nullptr && found->traced) || (on && on->what != ClickedOn::What::tiles);
  const bool streamed = found != nullptr && (found->of == accelerators || found->of == share_rows ||
                                             found->of == share_of_b);
  return traced ? Steps{Step::trace} : streamed ? Steps{Step::stream} : Steps{};
}

std::string lesson_rival(const std::string& fact) {
  const auto [found, rival] = split(fact);
  return found != nullptr && found->name == kFaster ? rival : std::string();
}

std::string rival_of(const LessonStep& step) {
  return step.mend ? step.against : lesson_rival(step.fact);
}

const Rung* measured_rung(const Result& result, const std::string& rival) {
  const std::size_t at = rival.find('@');
  const std::string variant = rival.substr(0, at);
  const std::string tile = at == std::string::npos ? "" : rival.substr(at + 1);
  const auto found = std::ranges::find_if(result.ladder, [&](const Rung& rung) {
    return rung.variant == variant && rung.measured && !rung.due && rung.spread.count > 0 &&
           (tile.empty() || std::to_string(rung.tile) == tile);
  });
  return found != result.ladder.end() ? &*found : nullptr;
}

std::optional<std::string> lesson_fact(const std::string& name, const Result& result) {
  const auto [fact, array] = split(name);
  if (fact == nullptr || (fact->traced && !whole(result.trace.get()))) {
    return std::nullopt;
  }
  return fact->of(result, array);
}

}  // namespace core

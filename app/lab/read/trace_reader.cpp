#include "lab/read/trace_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace lab {
namespace {

using spirv::TraceLayout;
using spirv::TraceRecord;

class TraceReader {
 public:
  TraceReader(const spirv::TraceProbe& probe, const std::vector<core::KernelBarrier>& barriers,
              const std::vector<spirv::BoundedLoop>& loops, std::span<const TracedMemory> memories,
              std::span<const std::uint32_t> words)
      : probe_(probe), barriers_(barriers), loops_(loops), memories_(memories), words_(words) {}

  core::Trace run();

 private:
  // Where an invocation stands while its records are read.
  struct Reading {
    std::uint32_t invocation = 0;
    std::uint32_t phase = 0;
    std::uint32_t subgroup_phase = 0;
    std::uint32_t moment = 0;
    struct Visits {
      std::uint32_t last = 0xFFFFFFFF;  // moment
      std::uint32_t count = 0;
    };
    std::vector<Visits> visits;  // by site
  };
  void read_variables();
  static void fill_memory(const spirv::TraceVariable& variable, std::uint64_t bytes,
                          core::TracedVariable& told);
  std::uint32_t site_in(std::uint32_t site, std::uint32_t memory);
  [[nodiscard]] core::TracedVariable variable_in(std::uint32_t variable,
                                                 std::uint32_t memory) const;
  void forget_unmet();
  [[nodiscard]] std::optional<std::uint32_t> memory_at(std::uint64_t address) const;
  void read_invocation(std::uint32_t invocation);
  void pass(Reading& reading, const TraceRecord& record);
  std::uint32_t read_access(Reading& reading, const TraceRecord& record, std::uint32_t at);
  void sort();
  void conclude();
  [[nodiscard]] std::uint32_t number_of(const core::SourcePlace& barrier) const;

  const spirv::TraceProbe& probe_;
  const std::vector<core::KernelBarrier>& barriers_;
  const std::vector<spirv::BoundedLoop>& loops_;
  std::span<const TracedMemory> memories_;
  std::span<const std::uint32_t> words_;
  core::Trace trace_;
  // Of what is found by addresses: by number in the probe, and memory.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sites_in_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> variables_in_;
  std::uint64_t made_ = 0;
  std::uint64_t read_ = 0;
  std::map<std::uint32_t, std::uint64_t> outside_;     // by site
  std::map<std::uint32_t, std::uint64_t> unfinished_;  // by loop: invocations
};

core::Trace TraceReader::run() {
  read_variables();
  trace_.sites = probe_.sites;
  trace_.incomplete = probe_.not_traced;
  trace_.phases.resize(1);
  trace_.accesses.reserve(words_.size() / 3);
  for (std::uint32_t i = 0; i < probe_.layout.invocations; ++i) {
    read_invocation(i);
  }
  forget_unmet();
  sort();
  conclude();
  return std::move(trace_);
}

void TraceReader::read_variables() {
  for (const spirv::TraceVariable& variable : probe_.variables) {
    core::TracedVariable told = variable.told;
    if (variable.block_bytes == 0 && told.binding < memories_.size()) {
      fill_memory(variable, memories_[told.binding].bytes, told);
    }
    trace_.variables.push_back(std::move(told));
  }
}

// A runtime array is as long as its memory holds.
void TraceReader::fill_memory(const spirv::TraceVariable& variable, std::uint64_t bytes,
                              core::TracedVariable& told) {
  if (variable.runtime_stride == 0) {
    return;
  }
  told.bytes = bytes - std::min(bytes, told.address);
  if (!told.dimensions.empty()) {
    told.dimensions.front() = static_cast<std::uint32_t>(told.bytes / variable.runtime_stride);
  }
}

// The site as it is in a memory, with a variable of its own there.
std::uint32_t TraceReader::site_in(std::uint32_t site, std::uint32_t memory) {
  const auto [known, fresh] =
      sites_in_.try_emplace({site, memory}, static_cast<std::uint32_t>(trace_.sites.size()));
  if (!fresh) {
    return known->second;
  }
  core::TracedSite own = probe_.sites[site];
  const auto [at, unseen] = variables_in_.try_emplace(
      {own.variable, memory}, static_cast<std::uint32_t>(trace_.variables.size()));
  if (unseen) {
    trace_.variables.push_back(variable_in(own.variable, memory));
  }
  own.variable = at->second;
  trace_.sites.push_back(own);
  return known->second;
}

core::TracedVariable TraceReader::variable_in(std::uint32_t variable, std::uint32_t memory) const {
  const spirv::TraceVariable& of = probe_.variables[variable];
  const TracedMemory& in = memories_[memory];
  core::TracedVariable told = of.told;
  told.binding = memory;
  told.name = in.name + (told.name.empty() ? "" : "." + told.name);
  fill_memory(of, in.bytes, told);
  if (of.runtime_stride == 0 && in.bytes >= 2 * of.block_bytes) {
    // Blocks one after the other: an address may lead to any of them.
    told.address = 0;
    told.bytes = in.bytes;
    told.dimensions = {static_cast<std::uint32_t>(in.bytes / told.scalar_bytes)};
  }
  return told;
}

// What is found by addresses stands for what it was met as; the sites and variables of that remain.
void TraceReader::forget_unmet() {
  const auto stays = [this](std::uint32_t variable) {
    return variable >= probe_.variables.size() || probe_.variables[variable].block_bytes == 0;
  };
  constexpr std::uint32_t gone = 0xFFFFFFFF;
  const auto keep = [&](auto& all, const auto& wanted) {
    std::vector<std::uint32_t> place(all.size(), gone);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (wanted(i)) {
        place[i] = next;
        std::swap(all[next++], all[i]);
      }
    }
    all.resize(next);
    return place;
  };
  const auto sites =
      keep(trace_.sites, [&](std::uint32_t s) { return stays(trace_.sites[s].variable); });
  const auto variables = keep(trace_.variables, stays);
  for (core::TracedSite& site : trace_.sites) {
    site.variable = variables[site.variable];
    std::vector<core::TracedFeed> fed_by;
    for (const core::TracedFeed& feed : site.fed_by) {
      for (const auto& [from, in] : sites_in_) {
        if (from.first == feed.site) {
          fed_by.push_back({sites[in], feed.carried});
        }
      }
      if (sites[feed.site] != gone) {
        fed_by.push_back({sites[feed.site], feed.carried});
      }
    }
    site.fed_by = std::move(fed_by);
  }
  for (core::TracedAccess& access : trace_.accesses) {
    access.site = sites[access.site];
  }
  for (core::TracedAccess& access : trace_.outside) {
    access.site = sites[access.site];
  }
  std::erase_if(trace_.outside, [](const auto& access) { return access.site == gone; });
}

// The memory that an address leads to; nothing where it leads elsewhere.
std::optional<std::uint32_t> TraceReader::memory_at(std::uint64_t address) const {
  for (std::uint32_t m = 0; m < memories_.size(); ++m) {
    const TracedMemory& memory = memories_[m];
    if (memory.address != 0 && address >= memory.address &&
        address - memory.address < memory.bytes) {
      return m;
    }
  }
  return std::nullopt;
}

void TraceReader::read_invocation(std::uint32_t invocation) {
  const std::span<const std::uint32_t> row =
      words_.subspan(probe_.layout.row(invocation), TraceLayout::row_words);
  trace_.subgroup.push_back(row[TraceLayout::subgroup]);
  trace_.lane.push_back(row[TraceLayout::lane]);
  trace_.subgroup_size = row[TraceLayout::subgroup_size];
  made_ += row[TraceLayout::made];
  if (trace_.flops) {
    *trace_.flops += row[TraceLayout::flops];
  }
  if (const std::uint32_t loop = row[TraceLayout::bad_loop]; loop != 0) {
    ++unfinished_[loop - 1];
  }
  Reading reading{.invocation = invocation};
  reading.visits.resize(probe_.sites.size());
  const std::uint32_t begin = row[TraceLayout::begin];
  const std::uint32_t end = begin + std::min(row[TraceLayout::used], row[TraceLayout::room]);
  for (std::uint32_t at = begin; at < end;) {
    const std::uint32_t number = words_[at];
    if (number >= probe_.records.size()) {
      return;  // unwritten: the first of those that did not fit
    }
    const TraceRecord& record = probe_.records[number];
    if (record.kind != TraceRecord::Kind::access) {
      pass(reading, record);
      ++at;
      continue;
    }
    std::uint32_t length = record.addressed ? 3 : 2;
    for (const spirv::TracePart& part : record.parts) {
      length += part.words;
    }
    if (length > end - at) {
      return;
    }
    at = read_access(reading, record, at);
  }
}

std::uint32_t TraceReader::number_of(const core::SourcePlace& barrier) const {
  const auto found = std::ranges::find(barriers_, barrier, &core::KernelBarrier::at);
  return found == barriers_.end() ? 0 : static_cast<std::uint32_t>(found - barriers_.begin() + 1);
}

void TraceReader::pass(Reading& reading, const TraceRecord& record) {
  if (record.kind == TraceRecord::Kind::subgroup_barrier) {
    ++reading.subgroup_phase;
    return;
  }
  ++reading.phase;
  reading.subgroup_phase = 0;
  if (reading.phase == trace_.phases.size()) {
    trace_.phases.push_back({.opened_by = number_of(record.at)});
  }
}

std::uint32_t TraceReader::read_access(Reading& reading, const TraceRecord& record,
                                       std::uint32_t at) {
  std::uint64_t place = words_[at + 1];
  std::optional<std::uint32_t> memory;
  if (record.addressed) {
    place |= std::uint64_t{words_[at + 2]} << 32U;
    memory = memory_at(place);
    place -= memory ? memories_[*memory].address : 0;
  }
  at += record.addressed ? 3 : 2;
  const bool nowhere = record.addressed ? !memory : place == TraceLayout::outside;
  reading.moment -= record.continues ? 1 : 0;
  for (const spirv::TracePart& part : record.parts) {
    Reading::Visits& visits = reading.visits[part.site];
    visits.count += visits.last != reading.moment ? 1 : 0;
    visits.last = reading.moment;
    core::TracedAccess access{.invocation = reading.invocation,
                              .phase = reading.phase,
                              .subgroup_phase = reading.subgroup_phase,
                              .moment = reading.moment,
                              .turn = visits.count - 1,
                              .site = memory ? site_in(part.site, *memory) : part.site,
                              .scalar = part.scalar,
                              .offset = place + part.offset};
    access.value = words_[at];
    if (part.words == 2) {
      access.value |= std::uint64_t{words_[at + 1]} << 32U;
    }
    at += part.words;
    ++read_;
    const core::TracedSite& site = trace_.sites[access.site];
    const core::TracedVariable& variable = trace_.variables[site.variable];
    // An address is told from the memory's start, all else from the variable's.
    access.offset -= memory ? std::min(access.offset, variable.address) : 0;
    if (nowhere || access.offset + site.scalar_bytes > variable.bytes) {
      ++outside_[part.site];
      if (trace_.outside.size() < core::Trace::most_outside) {
        trace_.outside.push_back(access);
      }
    } else {
      trace_.accesses.push_back(access);
    }
  }
  ++reading.moment;
  return at;
}

void TraceReader::sort() {
  std::ranges::sort(trace_.accesses, {}, [](const core::TracedAccess& a) {
    return std::tuple(a.phase, a.moment, a.invocation, a.scalar);
  });
  const auto first = trace_.accesses.begin();
  for (std::uint32_t p = 0; p < trace_.phases.size(); ++p) {
    const auto range = std::ranges::equal_range(trace_.accesses, p, {}, &core::TracedAccess::phase);
    trace_.phases[p].first = static_cast<std::uint64_t>(range.begin() - first);
    trace_.phases[p].last = static_cast<std::uint64_t>(range.end() - first);
  }
}

void TraceReader::conclude() {
  if (!probe_.counts_flops) {
    trace_.flops.reset();
  }
  trace_.lost = made_ - std::min(made_, read_);
  if (trace_.lost > 0) {
    trace_.incomplete.push_back(fmt::format(
        "{} of {} accessed scalars did not fit into the trace, which has only the first ones "
        "of each invocation",
        trace_.lost, made_));
  }
  for (const auto& [loop, count] : unfinished_) {
    trace_.incomplete.push_back(fmt::format("line {}: the loop was stopped early in {} invocations",
                                            loops_.at(loop).at.line, count));
  }
  for (const auto& [number, count] : outside_) {
    const core::TracedSite& site = probe_.sites[number];
    trace_.incomplete.push_back(fmt::format("line {}: {} accesses outside {} are not shown",
                                            site.at.line, count,
                                            probe_.variables[site.variable].told.name));
  }
}

}  // namespace

core::Trace read_trace(const spirv::TraceProbe& probe,
                       const std::vector<core::KernelBarrier>& barriers,
                       const std::vector<spirv::BoundedLoop>& loops,
                       std::span<const TracedMemory> memories,
                       std::span<const std::uint32_t> words) {
  return TraceReader(probe, barriers, loops, memories, words).run();
}

}  // namespace lab

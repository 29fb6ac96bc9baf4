#include "lab/read/trace_reader.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace lab {
namespace {

using spirv::TraceLayout;
using spirv::TraceRecord;

class Reader {
 public:
  Reader(const spirv::TraceProbe& probe, const std::vector<core::KernelBarrier>& barriers,
         const std::vector<spirv::BoundedLoop>& loops, std::span<const std::uint64_t> buffer_bytes,
         std::span<const std::uint32_t> words)
      : probe_(probe),
        barriers_(barriers),
        loops_(loops),
        buffer_bytes_(buffer_bytes),
        words_(words) {}

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
  void read_invocation(std::uint32_t invocation);
  void pass(Reading& reading, const TraceRecord& record);
  std::uint32_t read_access(Reading& reading, const TraceRecord& record, std::uint32_t at);
  void sort();
  void conclude();
  [[nodiscard]] std::uint32_t number_of(const core::SourcePlace& barrier) const;

  const spirv::TraceProbe& probe_;
  const std::vector<core::KernelBarrier>& barriers_;
  const std::vector<spirv::BoundedLoop>& loops_;
  std::span<const std::uint64_t> buffer_bytes_;
  std::span<const std::uint32_t> words_;
  core::Trace trace_;
  std::uint64_t made_ = 0;
  std::uint64_t read_ = 0;
  std::map<std::uint32_t, std::uint64_t> outside_;     // by site
  std::map<std::uint32_t, std::uint64_t> unfinished_;  // by loop: invocations
};

core::Trace Reader::run() {
  read_variables();
  trace_.sites = probe_.sites;
  trace_.incomplete = probe_.not_traced;
  trace_.phases.resize(1);
  trace_.accesses.reserve(words_.size() / 3);
  for (std::uint32_t i = 0; i < probe_.layout.invocations; ++i) {
    read_invocation(i);
  }
  sort();
  conclude();
  return std::move(trace_);
}

void Reader::read_variables() {
  for (const spirv::TraceVariable& variable : probe_.variables) {
    core::TracedVariable told = variable.told;
    if (variable.runtime_stride != 0 && told.binding < buffer_bytes_.size()) {
      const std::uint64_t all = buffer_bytes_[told.binding];
      told.bytes = all - std::min(all, told.address);
      if (!told.dimensions.empty()) {
        told.dimensions.front() = static_cast<std::uint32_t>(told.bytes / variable.runtime_stride);
      }
    }
    trace_.variables.push_back(std::move(told));
  }
}

void Reader::read_invocation(std::uint32_t invocation) {
  const std::span<const std::uint32_t> row =
      words_.subspan(probe_.layout.row(invocation), TraceLayout::row_words);
  trace_.subgroup.push_back(row[TraceLayout::subgroup]);
  trace_.lane.push_back(row[TraceLayout::lane]);
  trace_.subgroup_size = row[TraceLayout::subgroup_size];
  made_ += row[TraceLayout::made];
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
    std::uint32_t length = 2;
    for (const spirv::TracePart& part : record.parts) {
      length += part.words;
    }
    if (length > end - at) {
      return;
    }
    at = read_access(reading, record, at);
  }
}

std::uint32_t Reader::number_of(const core::SourcePlace& barrier) const {
  const auto found = std::ranges::find(barriers_, barrier, &core::KernelBarrier::at);
  return found == barriers_.end() ? 0 : static_cast<std::uint32_t>(found - barriers_.begin() + 1);
}

void Reader::pass(Reading& reading, const TraceRecord& record) {
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

std::uint32_t Reader::read_access(Reading& reading, const TraceRecord& record, std::uint32_t at) {
  const std::uint32_t offset = words_[at + 1];
  at += 2;
  reading.moment -= record.continues ? 1 : 0;
  for (const spirv::TracePart& part : record.parts) {
    const core::TracedSite& site = probe_.sites[part.site];
    const core::TracedVariable& variable = trace_.variables[site.variable];
    Reading::Visits& visits = reading.visits[part.site];
    visits.count += visits.last != reading.moment ? 1 : 0;
    visits.last = reading.moment;
    core::TracedAccess access{.invocation = reading.invocation,
                              .phase = reading.phase,
                              .subgroup_phase = reading.subgroup_phase,
                              .moment = reading.moment,
                              .turn = visits.count - 1,
                              .site = part.site,
                              .scalar = part.scalar,
                              .offset = std::uint64_t{offset} + part.offset};
    access.value = words_[at];
    if (part.words == 2) {
      access.value |= std::uint64_t{words_[at + 1]} << 32U;
    }
    at += part.words;
    ++read_;
    if (offset == TraceLayout::outside || access.offset + site.scalar_bytes > variable.bytes) {
      ++outside_[part.site];
    } else {
      trace_.accesses.push_back(access);
    }
  }
  ++reading.moment;
  return at;
}

void Reader::sort() {
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

void Reader::conclude() {
  trace_.lost = made_ - std::min(made_, read_);
  if (trace_.lost > 0) {
    trace_.incomplete.push_back(
        fmt::format("{} of {} scalars accessed did not fit into the trace: of every invocation it "
                    "has the first",
                    trace_.lost, made_));
  }
  for (const auto& [loop, count] : unfinished_) {
    trace_.incomplete.push_back(fmt::format("line {}: the loop was cut short in {} invocations",
                                            loops_.at(loop).at.line, count));
  }
  for (const auto& [number, count] : outside_) {
    const core::TracedSite& site = probe_.sites[number];
    trace_.incomplete.push_back(fmt::format("line {}: {} accesses outside of {} are left out",
                                            site.at.line, count,
                                            trace_.variables[site.variable].name));
  }
}

}  // namespace

core::Trace read_trace(const spirv::TraceProbe& probe,
                       const std::vector<core::KernelBarrier>& barriers,
                       const std::vector<spirv::BoundedLoop>& loops,
                       std::span<const std::uint64_t> buffer_bytes,
                       std::span<const std::uint32_t> words) {
  return Reader(probe, barriers, loops, buffer_bytes, words).run();
}

}  // namespace lab

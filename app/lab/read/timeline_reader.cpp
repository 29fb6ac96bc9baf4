#include "lab/read/timeline_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace lab {
namespace {

using spirv::TimelineLayout;

// A tick that was measured to be so close to one that is known is that one.
constexpr double kSameTick = 0.01;
// Timestamps may be coarser than the kernels' clock.
constexpr double kSlackNs = 2000.0;

std::uint64_t ticks_at(const std::vector<std::uint32_t>& words, std::uint64_t at) {
  return words[at] | std::uint64_t{words[at + 1]} << 32U;
}

// A row that was written, as it stands in the buffer.
struct Row {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t place = 0;
  std::uint32_t subgroups = 0;
};

std::optional<Row> row_of(const TimelineLayout& layout, const TimelineSlice& slice,
                          std::uint64_t group, std::uint32_t subgroup) {
  const std::uint64_t at = layout.row(group, subgroup) - TimelineLayout::header;
  const Row row{ticks_at(slice.words, at + TimelineLayout::start),
                ticks_at(slice.words, at + TimelineLayout::end),
                slice.words[at + TimelineLayout::place],
                slice.words[at + TimelineLayout::subgroups]};
  return row.subgroups > 0 ? std::optional(row) : std::nullopt;
}

template <typename Visit>
void each_row(const TimelineLayout& layout, const TimelineSlice& slice, const Visit& visit) {
  for (std::uint64_t group = 0; group < slice.groups; ++group) {
    for (std::uint32_t n = 0; n < layout.rows; ++n) {
      if (const auto row = row_of(layout, slice, group, n)) {
        visit(*row, layout.row(group, n) - TimelineLayout::header);
      }
    }
  }
}

// The ticks that clocks of devices are known to have.
std::array<double, 2> known_ticks_ns(const TimelineRecord& record) {
  return {record.timestamp_period_ns, 1.0};
}

// A slice between its timestamps, if both count from the same moment.
bool lies_between(const TimelineSlice& slice, const ClockSpan& span, double period_ns,
                  double tick_ns) {
  const auto stamp = [&](std::uint64_t ticks) {
    return static_cast<long double>(ticks) * period_ns;
  };
  const auto clock = [&](std::uint64_t ticks) { return static_cast<long double>(ticks) * tick_ns; };
  return clock(span.first) >= stamp(slice.begin) - kSlackNs &&
         clock(span.last) <= stamp(slice.end) + kSlackNs;
}

// How the kernels' clock and the timestamps go together.
struct Clocks {
  double tick_ns = 1.0;
  bool one = false;  // they count from the same moment
  std::string source;
};

class RecordReader {
 public:
  explicit RecordReader(const TimelineRecord& record) : record_(record) {}
  core::Timeline run();

 private:
  [[nodiscard]] double measured_tick_ns(double& apart_ms) const;
  [[nodiscard]] bool counts_alike(double tick_ns) const;
  void match_clocks();
  void read(const TimelineSlice& slice, std::uint64_t zero, std::uint64_t offset);
  [[nodiscard]] std::uint64_t clock_at(std::uint64_t stamp) const;
  [[nodiscard]] std::uint64_t ticks_of(std::uint64_t stamps) const;

  const TimelineRecord& record_;
  Clocks clocks_;
  core::Timeline timeline_;
  std::vector<core::SubgroupSpan> subgroups_;
  std::uint64_t silent_ = 0;    // workgroups without any row
  std::uint64_t backward_ = 0;  // rows that end before they start
};

// Between the ends that lie furthest apart; a launch that has but one is held against its
// beginning.
double RecordReader::measured_tick_ns(double& apart_ms) const {
  const TimelineSlice& first = record_.slices.front();
  const TimelineSlice& last = record_.slices.back();
  const ClockSpan first_span = span_of(record_.layout, first);
  const ClockPoint from = !record_.before.empty()     ? record_.before.front()
                          : record_.slices.size() > 1 ? ClockPoint{first.end, first_span.last}
                                                      : ClockPoint{first.begin, first_span.first};
  const ClockPoint to{last.end, span_of(record_.layout, last).last};
  const double ns = static_cast<double>(to.stamp - from.stamp) * record_.timestamp_period_ns;
  apart_ms = ns * 1e-6;
  return to.clock > from.clock ? ns / static_cast<double>(to.clock - from.clock) : 0.0;
}

bool RecordReader::counts_alike(double tick_ns) const {
  return std::ranges::all_of(record_.slices, [&](const TimelineSlice& slice) {
    return lies_between(slice, span_of(record_.layout, slice), record_.timestamp_period_ns,
                        tick_ns);
  });
}

void RecordReader::match_clocks() {
  double apart_ms = 0.0;
  const double measured = measured_tick_ns(apart_ms);
  for (const double known : known_ticks_ns(record_)) {
    if (counts_alike(known)) {
      clocks_ = {known, true,
                 fmt::format("{} ns; kernels and timestamps use the same clock", known)};
      return;
    }
  }
  for (const double known : known_ticks_ns(record_)) {
    if (std::abs(measured / known - 1.0) < kSameTick) {
      clocks_ = {known, false,
                 fmt::format("{} ns; {:.4f} ns measured against the timestamps over {:.0f} ms",
                             known, measured, apart_ms)};
      return;
    }
  }
  clocks_ = {
      measured > 0.0 ? measured : record_.timestamp_period_ns, false,
      fmt::format("{:.4f} ns, measured against the timestamps over {:.0f} ms", measured, apart_ms)};
}

std::uint64_t RecordReader::clock_at(std::uint64_t stamp) const {
  return static_cast<std::uint64_t>(static_cast<long double>(stamp) * record_.timestamp_period_ns /
                                    clocks_.tick_ns);
}

std::uint64_t RecordReader::ticks_of(std::uint64_t stamps) const {
  return static_cast<std::uint64_t>(static_cast<double>(stamps) * record_.timestamp_period_ns /
                                    clocks_.tick_ns);
}

void RecordReader::read(const TimelineSlice& slice, std::uint64_t zero, std::uint64_t offset) {
  const auto since = [&](std::uint64_t clock) { return clock - std::min(clock, zero) + offset; };
  for (std::uint64_t group = 0; group < slice.groups; ++group) {
    core::TimelineTile& tile =
        timeline_.tiles[slice.places.empty() ? slice.first_group + group : slice.places[group]];
    bool spoke = false;
    for (std::uint32_t n = 0; n < record_.layout.rows; ++n) {
      const auto row = row_of(record_.layout, slice, group, n);
      if (!row) {
        continue;
      }
      if (row->end < row->start) {
        ++backward_;
      }
      core::SubgroupSpan span{since(row->start), since(std::max(row->start, row->end)), 0, 0};
      if (record_.tells_multiprocessor) {
        span.multiprocessor = row->place & 0xFFFFU;
        span.warp = row->place >> 16U;
        subgroups_.push_back(span);
      }
      if (!spoke) {
        tile = {span.start, span.end, span.multiprocessor, span.warp};
        timeline_.subgroups = std::max(timeline_.subgroups, row->subgroups);
      }
      tile.start = std::min(tile.start, span.start);
      tile.end = std::max(tile.end, span.end);
      spoke = true;
    }
    silent_ += spoke ? 0 : 1;
  }
}

// All times lie on steps of the clock, which may be coarser than its ticks.
std::uint64_t steps_of(const std::vector<core::TimelineTile>& tiles) {
  std::uint64_t step = 0;
  for (const core::TimelineTile& tile : tiles) {
    step = std::gcd(step, tile.end - tile.start);
    if (step == 1) {
      break;
    }
  }
  return std::max<std::uint64_t>(step, 1);
}

core::Timeline RecordReader::run() {
  timeline_.tiles.resize(record_.groups);
  timeline_.launches = record_.launches;
  timeline_.tells_multiprocessor = record_.tells_multiprocessor;
  timeline_.multiprocessors = record_.multiprocessors;
  timeline_.warps_per_multiprocessor = record_.warps_per_multiprocessor;
  timeline_.subgroup_size = record_.subgroup_size;
  match_clocks();
  timeline_.tick_ms = clocks_.tick_ns * 1e-6;
  timeline_.tick_source = clocks_.source;
  timeline_.zero_is_launch = clocks_.one;
  timeline_.slices.clear();
  for (const TimelineSlice& slice : record_.slices) {
    const ClockSpan span = span_of(record_.layout, slice);
    const std::uint64_t zero = clocks_.one ? clock_at(slice.begin) : span.first;
    timeline_.slices.push_back(timeline_.length);
    read(slice, zero, timeline_.length);
    // Of slices that are joined the wait for the first tile is left out where the clocks do not
    // tell it from the tail: a driver's compiler may be in it.
    const std::uint64_t lived = span.last - span.first;
    timeline_.length += clocks_.one || record_.slices.size() == 1
                            ? std::max(ticks_of(slice.end - slice.begin), lived)
                            : lived;
    timeline_.device_ms +=
        static_cast<double>(slice.end - slice.begin) * record_.timestamp_period_ns * 1e-6;
  }
  timeline_.clock_steps = steps_of(timeline_.tiles);
  timeline_.resident_warps = core::most_on_a_multiprocessor(subgroups_);
  timeline_.slot_overlaps = core::slot_overlaps(subgroups_);
  if (timeline_.subgroups > record_.layout.rows) {
    timeline_.incomplete.push_back(
        fmt::format("only {} of the {} subgroups of a workgroup were recorded", record_.layout.rows,
                    timeline_.subgroups));
  }
  if (silent_ > 0) {
    timeline_.incomplete.push_back(
        fmt::format("{} of {} workgroups recorded nothing", silent_, record_.groups));
  }
  if (backward_ > 0) {
    timeline_.incomplete.push_back(
        fmt::format("{} subgroups have an end before their begin because of the clock of the "
                    "device; they are shown without a length",
                    backward_));
  }
  core::derive(timeline_);
  return std::move(timeline_);
}

}  // namespace

ClockSpan span_of(const TimelineLayout& layout, const TimelineSlice& slice) {
  ClockSpan span;
  bool any = false;
  each_row(layout, slice, [&](const Row& row, std::uint64_t) {
    span.first = any ? std::min(span.first, row.start) : row.start;
    span.last = std::max({span.last, row.start, row.end});
    any = true;
  });
  return span;
}

void widen_clock(const TimelineLayout& layout, double timestamp_period_ns, TimelineSlice& slice) {
  std::optional<std::uint32_t> near;  // all others are put next to it
  bool narrow = true;
  const auto from = [&](std::uint64_t ticks) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(ticks) - *near);
  };
  each_row(layout, slice, [&](const Row& row, std::uint64_t) {
    near = near.value_or(static_cast<std::uint32_t>(row.start));
    narrow = narrow && (row.start | row.end) >> 32U == 0 && from(row.start) <= from(row.end);
  });
  if (!near || !narrow) {
    return;
  }
  constexpr double around = 0x1p32;
  const double stamp = static_cast<double>(slice.end) * timestamp_period_ns;
  const double times = std::max(std::round((stamp - *near) / around), 1.0);
  const auto base = static_cast<std::uint64_t>(times * around) + *near;
  each_row(layout, slice, [&](const Row& row, std::uint64_t at) {
    for (const auto& [field, ticks] :
         {std::pair(TimelineLayout::start, row.start), std::pair(TimelineLayout::end, row.end)}) {
      const std::uint64_t wide = base + static_cast<std::uint64_t>(std::int64_t{from(ticks)});
      slice.words[at + field + 1] = static_cast<std::uint32_t>(wide >> 32U);
    }
  });
}

bool one_clock(const TimelineRecord& record) {
  return std::ranges::any_of(known_ticks_ns(record), [&](double tick_ns) {
    return std::ranges::all_of(record.slices, [&](const TimelineSlice& slice) {
      return lies_between(slice, span_of(record.layout, slice), record.timestamp_period_ns,
                          tick_ns);
    });
  });
}

core::Timeline read_timeline(const TimelineRecord& record) {
  return RecordReader(record).run();
}

}  // namespace lab

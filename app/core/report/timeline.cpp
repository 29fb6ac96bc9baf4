#include "core/report/timeline.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

#include "core/base/ceil_div.h"

namespace core {
namespace {

constexpr std::size_t slowest_kept = 8;

// Both sorted: how many intervals are open at the most.
std::uint32_t most_open(const std::vector<std::uint64_t>& starts,
                        const std::vector<std::uint64_t>& ends) {
  std::size_t most = 0;
  std::size_t ended = 0;
  for (std::size_t started = 0; started < starts.size(); ++started) {
    while (ended < ends.size() && ends[ended] <= starts[started]) {
      ++ended;
    }
    // Of no length: it ends before it starts, as it were.
    most = std::max(most, started + 1 - std::min(ended, started + 1));
  }
  return static_cast<std::uint32_t>(most);
}

template <class Span>
std::uint32_t most_at_once_of(std::span<const Span> spans,
                              const std::function<bool(const Span&)>& counts) {
  std::vector<std::uint64_t> starts;
  std::vector<std::uint64_t> ends;
  for (const Span& s : spans) {
    if (counts(s)) {
      starts.push_back(s.start);
      ends.push_back(s.end);
    }
  }
  std::ranges::sort(starts);
  std::ranges::sort(ends);
  return most_open(starts, ends);
}

// Multiprocessor by multiprocessor.
template <class Span>
std::vector<std::vector<Span>> by_multiprocessor(std::span<const Span> spans) {
  std::vector<std::vector<Span>> parts;
  for (const Span& s : spans) {
    if (s.multiprocessor >= parts.size()) {
      parts.resize(s.multiprocessor + 1);
    }
    parts[s.multiprocessor].push_back(s);
  }
  return parts;
}

template <class Span>
std::uint32_t most_on_one(std::span<const Span> spans) {
  std::uint32_t most = 0;
  for (const auto& part : by_multiprocessor(spans)) {
    most = std::max(most, most_at_once_of<Span>(std::span(part), [](const Span&) { return true; }));
  }
  return most;
}

std::uint32_t multiprocessors_of(const Timeline& t, std::span<const std::uint32_t> tiles) {
  std::set<std::uint32_t> seen;
  for (const std::uint32_t tile : tiles) {
    seen.insert(t.tiles[tile].multiprocessor);
  }
  return t.tells_multiprocessor ? static_cast<std::uint32_t>(seen.size()) : 0;
}

void add_tail(const Timeline& t, std::uint64_t last_start, TimelineFigures& figures) {
  double taken = 0.0;
  for (const TimelineTile& tile : t.tiles) {
    if (tile.end > last_start) {
      taken += static_cast<double>(tile.end - std::max(tile.start, last_start));
    }
  }
  const auto length = static_cast<double>(figures.last - last_start);
  figures.tail_ms = t.ms(figures.last - last_start);
  figures.tail_filled = length > 0.0 ? taken / (length * figures.resident) : 1.0;
}

std::vector<std::uint32_t> longest(const Timeline& t) {
  std::vector<std::uint32_t> all(t.tiles.size());
  std::iota(all.begin(), all.end(), 0U);
  const std::size_t kept = std::min(slowest_kept, all.size());
  const auto length = [&](std::uint32_t tile) { return t.tiles[tile].end - t.tiles[tile].start; };
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(kept),
                            [&](std::uint32_t a, std::uint32_t b) {
                              return std::pair(length(b), a) < std::pair(length(a), b);
                            });
  all.resize(kept);
  return all;
}

// The lanes of one row: which are free, and until when the others are taken.
class Row {
 public:
  std::uint32_t take(const TimelineTile& tile) {
    while (!taken_.empty() && taken_.top().first <= tile.start) {
      free_.push(taken_.top().second);
      taken_.pop();
    }
    std::uint32_t lane = lanes_;
    if (free_.empty()) {
      ++lanes_;
    } else {
      lane = free_.top();
      free_.pop();
    }
    taken_.emplace(tile.end, lane);
    return lane;
  }
  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }

 private:
  template <class T>
  using Lowest = std::priority_queue<T, std::vector<T>, std::greater<>>;
  Lowest<std::pair<std::uint64_t, std::uint32_t>> taken_;  // by end
  Lowest<std::uint32_t> free_;
  std::uint32_t lanes_ = 0;
};

}  // namespace

std::uint32_t max_resident(const Timeline& timeline) {
  return timeline.tells_multiprocessor ? most_on_one<TimelineTile>(timeline.tiles) : 0;
}

std::uint32_t most_at_once(std::span<const TimelineTile> tiles) {
  return most_at_once_of<TimelineTile>(tiles, [](const TimelineTile&) { return true; });
}

std::uint32_t most_on_a_multiprocessor(std::span<const SubgroupSpan> subgroups) {
  return most_on_one(subgroups);
}

std::uint64_t slot_overlaps(std::span<const SubgroupSpan> subgroups) {
  std::vector<SubgroupSpan> sorted(subgroups.begin(), subgroups.end());
  std::ranges::sort(sorted, {}, [](const SubgroupSpan& s) {
    return std::tuple(s.multiprocessor, s.warp, s.start, s.end);
  });
  std::uint64_t pairs = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const SubgroupSpan& before = sorted[i - 1];
    const SubgroupSpan& s = sorted[i];
    pairs +=
        before.multiprocessor == s.multiprocessor && before.warp == s.warp && before.end > s.start
            ? 1
            : 0;
  }
  return pairs;
}

std::vector<std::uint32_t> by_start(std::span<const TimelineTile> tiles) {
  std::vector<std::uint32_t> order(tiles.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t tile) { return tiles[tile].start; });
  return order;
}

TimelineLanes pack_lanes(const Timeline& timeline) {
  std::size_t rows = 1;
  if (timeline.tells_multiprocessor) {
    rows = timeline.multiprocessors;
    for (const TimelineTile& tile : timeline.tiles) {
      rows = std::max<std::size_t>(rows, tile.multiprocessor + std::size_t{1});
    }
  }
  const auto row_of = [&](std::uint32_t tile) {
    return timeline.tells_multiprocessor ? timeline.tiles[tile].multiprocessor : 0;
  };
  const std::vector<std::uint32_t> sorted = by_start(timeline.tiles);
  TimelineLanes lanes;
  std::vector<Row> packed(rows);
  lanes.lane_of.resize(sorted.size());
  for (const std::uint32_t tile : sorted) {
    lanes.lane_of[tile] = packed[row_of(tile)].take(timeline.tiles[tile]);
  }
  lanes.row_first.push_back(0);
  for (const Row& row : packed) {
    lanes.row_first.push_back(lanes.row_first.back() + row.lanes());
  }
  lanes.lane_first.resize(lanes.row_first.back() + std::size_t{1});
  for (const std::uint32_t tile : sorted) {
    lanes.lane_of[tile] += lanes.row_first[row_of(tile)];
    ++lanes.lane_first[lanes.lane_of[tile] + 1];
  }
  std::partial_sum(lanes.lane_first.begin(), lanes.lane_first.end(), lanes.lane_first.begin());
  std::vector<std::uint32_t> next(lanes.lane_first.begin(), lanes.lane_first.end() - 1);
  lanes.tiles.resize(sorted.size());
  for (const std::uint32_t tile : sorted) {
    lanes.tiles[next[lanes.lane_of[tile]]++] = tile;
  }
  return lanes;
}

TimelineFigures figures_of(const Timeline& timeline) {
  TimelineFigures figures;
  figures.launch_ms = timeline.ms(timeline.length);
  if (timeline.tiles.empty()) {
    return figures;
  }
  const std::vector<std::uint32_t> sorted = by_start(timeline.tiles);
  figures.resident = std::max(most_at_once(timeline.tiles), 1U);
  figures.resident_multiprocessor = max_resident(timeline);
  figures.multiprocessors_used = multiprocessors_of(timeline, sorted);
  const std::uint64_t tiles = sorted.size();
  figures.waves = ceil_div(tiles, figures.resident);
  figures.last_wave = tiles - (figures.waves - 1) * figures.resident;
  figures.last_wave_multiprocessors =
      multiprocessors_of(timeline, std::span(sorted).last(figures.last_wave));
  figures.first = timeline.tiles[sorted.front()].start;
  figures.last = std::ranges::max(timeline.tiles, {}, &TimelineTile::end).end;
  add_tail(timeline, timeline.tiles[sorted.back()].start, figures);
  std::vector<double> durations(tiles);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    durations[tile] = timeline.duration_ms(tile);
  }
  figures.duration_ms = spread_of(durations);
  figures.slowest = longest(timeline);
  return figures;
}

void derive(Timeline& timeline) {
  timeline.figures = figures_of(timeline);
  timeline.lanes = pack_lanes(timeline);
  timeline.started = by_start(timeline.tiles);
  timeline.order.resize(timeline.started.size());
  for (std::uint32_t place = 0; place < timeline.started.size(); ++place) {
    timeline.order[timeline.started[place]] = place;
  }
}

}  // namespace core

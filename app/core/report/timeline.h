// The timeline of one launch: when each workgroup began and ended on the device's clock, and where
// the device tells, on which multiprocessor and in which warp slot. Plain data for the Gantt, the
// grid's colours, `run --probe timeline` and the comparison with the occupancy model; what is
// derived from it are pure functions. Instrumented: it comes from a probed launch, never from a
// timed one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/report/timing.h"

namespace core {

/// One workgroup. It is there in [start, end): from the first of its subgroups' beginnings to the
/// last of their ends. Ticks of the device's clock from Timeline::zero on.
struct TimelineTile {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t multiprocessor = 0;  ///< 0 where the device does not tell
  std::uint32_t warp = 0;            ///< slot of its first subgroup; 0 where not told
};

/// One subgroup: a warp slot that was held for a time.
struct SubgroupSpan {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t multiprocessor = 0;
  std::uint32_t warp = 0;
};

/// Tiles dealt out to lanes so that no two of a lane overlap: each goes to the first lane of its
/// row that is free when it starts. A row is a multiprocessor; where the device does not tell it,
/// all lanes are of one row.
struct TimelineLanes {
  std::vector<std::uint32_t> row_first;   ///< first lane of each row, and one entry past the last
  std::vector<std::uint32_t> lane_first;  ///< place of each lane in `tiles`, and one past the last
  std::vector<std::uint32_t> tiles;       ///< lane after lane, in each in the order of start
  std::vector<std::uint32_t> lane_of;     ///< by tile

  [[nodiscard]] std::size_t rows() const { return row_first.empty() ? 0 : row_first.size() - 1; }
  [[nodiscard]] std::size_t lanes() const { return lane_first.empty() ? 0 : lane_first.size() - 1; }
};

/// Observed, with the probe in the kernel. Zeros where there is no tile.
struct TimelineFigures {
  std::uint32_t resident = 0;                 ///< most tiles at once on the whole device
  std::uint32_t resident_multiprocessor = 0;  ///< on one multiprocessor; 0: not told
  std::uint32_t multiprocessors_used = 0;     ///< 0: not told
  /// Tiles over `resident`, rounded up: how often the device would have to be filled if all tiles
  /// took the same time.
  std::uint64_t waves = 0;
  std::uint64_t last_wave = 0;                  ///< tiles that were started last, of that wave
  std::uint32_t last_wave_multiprocessors = 0;  ///< where they ran; 0: not told
  double launch_ms = 0.0;                       ///< Timeline::length
  std::uint64_t first = 0;                      ///< ticks: the start of the first tile
  std::uint64_t last = 0;                       ///< ticks: the end of the last one
  /// The tail: from the start of the last tile on, when nothing waits for a place any more, to the
  /// end of the last one.
  double tail_ms = 0.0;
  double tail_filled = 0.0;  ///< places taken in the tail, of `resident`, 0 to 1, mean over time
  Spread duration_ms;        ///< of tiles
  std::vector<std::uint32_t> slowest;  ///< tiles, longest first, a few
};

struct Timeline {
  std::vector<TimelineTile> tiles;  ///< in launch order; empty: see `incomplete`
  /// Ticks, by the device timestamps around the launch; of slices that are joined by a clock of the
  /// kernels' own, from the first tile's start of each to its last one's end.
  std::uint64_t length = 0;
  double tick_ms = 1e-6;
  std::string tick_source;        ///< where the tick's length is from, in words
  std::uint64_t clock_steps = 1;  ///< ticks; all times are multiples of it from one another
  /// Zero is the device timestamp before the launch; false: the clock and the timestamps could not
  /// be matched, and zero is the start of the first tile.
  bool zero_is_launch = false;
  /// Ticks at which slices of a sliced launch begin; the time between slices is left out.
  std::vector<std::uint64_t> slices{0};
  std::uint32_t launches = 1;  ///< that follow each other, a slice or more each

  bool tells_multiprocessor = false;
  std::uint32_t multiprocessors = 0;           ///< of the device; 0: not reported
  std::uint32_t warps_per_multiprocessor = 0;  ///< slots, of the device; 0: not reported
  std::uint32_t subgroups = 0;                 ///< of a workgroup
  std::uint32_t subgroup_size = 0;
  std::uint32_t resident_warps = 0;  ///< most subgroups at once on one multiprocessor; 0: not told
  std::uint64_t slot_overlaps = 0;   ///< pairs of subgroups met in one warp slot; none can be
  double device_ms = 0.0;            ///< of the probed launch, device timestamps
  std::vector<std::string> incomplete;  ///< what could not be recorded, and why

  // Derived, by derive().
  TimelineFigures figures;
  TimelineLanes lanes;
  std::vector<std::uint32_t> started;  ///< tiles in the order of their starts
  std::vector<std::uint32_t> order;    ///< by tile: its place in `started`

  [[nodiscard]] double ms(std::uint64_t ticks) const {
    return static_cast<double>(ticks) * tick_ms;
  }
  [[nodiscard]] double duration_ms(std::size_t tile) const {
    return ms(tiles[tile].end - tiles[tile].start);
  }
};

/// Most workgroups that were resident on one multiprocessor at once; 0 where the device does not
/// tell the multiprocessor.
[[nodiscard]] std::uint32_t max_resident(const Timeline& timeline);
/// Most of them at once, wherever they ran. What ends when another starts does not meet it.
[[nodiscard]] std::uint32_t most_at_once(std::span<const TimelineTile> tiles);
/// Most subgroups at once on one multiprocessor.
[[nodiscard]] std::uint32_t most_on_a_multiprocessor(std::span<const SubgroupSpan> subgroups);
/// Pairs of subgroups, next to each other in time, that held the same slot at the same time.
[[nodiscard]] std::uint64_t slot_overlaps(std::span<const SubgroupSpan> subgroups);
/// Tile numbers in the order of start; in launch order where starts are equal.
[[nodiscard]] std::vector<std::uint32_t> by_start(std::span<const TimelineTile> tiles);
[[nodiscard]] TimelineLanes pack_lanes(const Timeline& timeline);
[[nodiscard]] TimelineFigures figures_of(const Timeline& timeline);
/// Fills in what is derived.
void derive(Timeline& timeline);

/// Figures in words. Each is one line for people; empty where there is nothing to be said.
struct TimelineWords {
  std::string resident;  ///< "1056 tiles at once, 8 on a multiprocessor (64 of 64 warp slots)"
  std::string waves;     ///< "63 waves; the last one fills 12 of 132 multiprocessors"
  std::string tail;      ///< "tail: the last 0.250 ms (1.6% of the launch), 53% filled"
  std::string duration;  ///< "a tile takes 0.260 ms (median), at the longest 0.310 ms"
};
[[nodiscard]] TimelineWords words_of(const Timeline& timeline);

}  // namespace core

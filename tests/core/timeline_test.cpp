#include "core/report/timeline.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace core {
namespace {

// Two multiprocessors of two places; 1 tick a microsecond.
Timeline small() {
  Timeline t;
  t.tells_multiprocessor = true;
  t.multiprocessors = 3;
  t.warps_per_multiprocessor = 4;
  t.tick_ms = 1e-3;
  t.length = 40;
  t.tiles = {{2, 10, 0, 0},  {3, 12, 1, 0},  {3, 11, 0, 1}, {4, 14, 1, 1},
             {10, 20, 0, 0}, {11, 18, 0, 1}, {14, 30, 1, 1}};
  derive(t);
  return t;
}

TEST(Timeline, TilesThatEndWhenOthersStartDoNotMeet) {
  const std::vector<TimelineTile> chain{{0, 5}, {5, 9}, {9, 12}};
  EXPECT_EQ(most_at_once(chain), 1U);
  const std::vector<TimelineTile> nested{{0, 10}, {1, 9}, {2, 8}, {8, 9}};
  EXPECT_EQ(most_at_once(nested), 3U);
  EXPECT_EQ(most_at_once({}), 0U);
  // A clock too coarse to see a tile: it meets nobody, itself included.
  const std::vector<TimelineTile> instants{{4, 4}, {4, 4}, {3, 5}};
  EXPECT_EQ(most_at_once(instants), 1U);
}

TEST(Timeline, ResidencyIsCountedOnEachMultiprocessor) {
  const Timeline t = small();
  EXPECT_EQ(t.figures.resident, 4U);
  EXPECT_EQ(max_resident(t), 2U);
  EXPECT_EQ(t.figures.multiprocessors_used, 2U);
  Timeline untold = t;
  untold.tells_multiprocessor = false;
  derive(untold);
  EXPECT_EQ(max_resident(untold), 0U);
  EXPECT_EQ(untold.figures.resident, 4U);
  EXPECT_EQ(untold.figures.last_wave_multiprocessors, 0U);
}

TEST(Timeline, TheLastWaveAndTheTailAreWhatIsLeft) {
  const TimelineFigures f = small().figures;
  EXPECT_EQ(f.waves, 2U);  // 7 tiles, 4 at once
  EXPECT_EQ(f.last_wave, 3U);
  EXPECT_EQ(f.last_wave_multiprocessors, 2U);
  // The last tile starts at 14 and ends at 30; two others go on to 20 and 18.
  EXPECT_DOUBLE_EQ(f.tail_ms, 0.016);
  EXPECT_DOUBLE_EQ(f.tail_filled, (16.0 + 6.0 + 4.0) / (16.0 * 4.0));
  EXPECT_DOUBLE_EQ(f.duration_ms.high, 0.016);
  ASSERT_GE(f.slowest.size(), 3U);
  EXPECT_EQ(f.slowest[0], 6U);
  EXPECT_EQ(f.slowest[1], 3U);  // as long as tile 4, and launched before
  EXPECT_EQ(f.slowest[2], 4U);
}

TEST(Timeline, OrderCountsStarts) {
  const Timeline t = small();
  EXPECT_EQ(t.order, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
  const std::vector<TimelineTile> backwards{{9, 10}, {5, 6}, {5, 7}};
  EXPECT_EQ(by_start(backwards), (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(Timeline, SlotsThatOverlapAreFound) {
  const std::vector<SubgroupSpan> apart{{0, 5, 0, 0}, {5, 9, 0, 0}, {2, 7, 0, 1}, {2, 7, 1, 0}};
  EXPECT_EQ(slot_overlaps(apart), 0U);
  const std::vector<SubgroupSpan> met{{0, 5, 0, 0}, {4, 9, 0, 0}, {8, 12, 0, 0}};
  EXPECT_EQ(slot_overlaps(met), 2U);
  EXPECT_EQ(most_on_a_multiprocessor(apart), 2U);
}

// Lanes hold every tile once, in order, and none overlaps the next; they are no more than needed.
TEST(Timeline, LanesArePackedTight) {
  std::mt19937 random(7);
  Timeline t;
  t.tells_multiprocessor = true;
  t.multiprocessors = 5;
  for (int n = 0; n < 2000; ++n) {
    const std::uint64_t start = random() % 5000;
    t.tiles.push_back({start, start + random() % 90, static_cast<std::uint32_t>(random() % 4), 0});
  }
  for (const bool told : {true, false}) {
    t.tells_multiprocessor = told;
    const TimelineLanes lanes = pack_lanes(t);
    ASSERT_EQ(lanes.rows(), told ? 5U : 1U);
    ASSERT_EQ(lanes.tiles.size(), t.tiles.size());
    EXPECT_EQ(lanes.lane_first.back(), t.tiles.size());
    std::vector<int> seen(t.tiles.size());
    for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
      for (std::uint32_t at = lanes.lane_first[lane]; at < lanes.lane_first[lane + 1]; ++at) {
        const std::uint32_t tile = lanes.tiles[at];
        ++seen[tile];
        EXPECT_EQ(lanes.lane_of[tile], lane);
        if (at > lanes.lane_first[lane]) {
          EXPECT_LE(t.tiles[lanes.tiles[at - 1]].end, t.tiles[tile].start);
        }
      }
    }
    EXPECT_EQ(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(seen.size()));
    std::uint32_t widest = 0;
    for (std::size_t row = 0; row < lanes.rows(); ++row) {
      widest = std::max(widest, lanes.row_first[row + 1] - lanes.row_first[row]);
    }
    EXPECT_EQ(widest, told ? max_resident(t) : most_at_once(t.tiles));
  }
}

TEST(Timeline, WordsNameWhatIsNotFull) {
  Timeline t = small();
  t.resident_warps = 2;
  const TimelineWords words = words_of(t);
  EXPECT_EQ(words.resident, "4 tiles at once, 2 on a multiprocessor (2 of 4 warp slots)");
  EXPECT_EQ(words.waves, "2 waves; the last one fills 2 of 3 multiprocessors");
  EXPECT_EQ(words.tail,
            "tail: the last 0.0160 ms (40% of the launch), with 41% of the slots in use");
  t.tells_multiprocessor = false;
  derive(t);
  EXPECT_EQ(words_of(t).resident, "4 tiles at once");
  EXPECT_EQ(words_of(t).waves, "2 waves; the last one fills 3 of 4 slots");
  EXPECT_TRUE(words_of(Timeline{}).resident.empty());
}

}  // namespace
}  // namespace core

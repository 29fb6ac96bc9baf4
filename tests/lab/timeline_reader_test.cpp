// What a probe would have written, read without a device.
#include "lab/read/timeline_reader.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

using spirv::TimelineLayout;

// Four workgroups of two subgroups, one after the other on the kernels' clock: each takes 90 ticks,
// its second subgroup begins 10 later and ends 20 earlier.
class Written : public testing::Test {
 protected:
  Written() {
    record.layout.rows = 2;
    record.groups = 4;
    record.tells_multiprocessor = true;
    record.multiprocessors = 2;
  }

  TimelineSlice slice(std::uint64_t first, std::uint64_t groups, std::uint64_t clock) const {
    TimelineSlice s{.first_group = first, .groups = groups};
    s.words.resize(record.layout.words(groups) - TimelineLayout::header);
    for (std::uint64_t g = 0; g < groups; ++g) {
      for (std::uint32_t n = 0; n < 2; ++n) {
        const std::uint64_t at = record.layout.row(g, n) - TimelineLayout::header;
        const std::uint64_t start = clock + 100 * g + 10 * n;
        const std::uint64_t end = clock + 100 * g + 90 - 20 * n;
        put(s, at + TimelineLayout::start, start);
        put(s, at + TimelineLayout::end, end);
        s.words[at + TimelineLayout::place] = static_cast<std::uint32_t>(g % 2) | (3 + n) << 16U;
        s.words[at + TimelineLayout::subgroups] = 2;
      }
    }
    return s;
  }

  static void put(TimelineSlice& s, std::uint64_t at, std::uint64_t ticks) {
    s.words[at] = static_cast<std::uint32_t>(ticks);
    s.words[at + 1] = static_cast<std::uint32_t>(ticks >> 32U);
  }

  TimelineRecord record;
};

constexpr std::uint64_t kFar = 0x1'FFFF'FFF0;  // the lower word overflows on the way

// A driver's clock whose upper words are zero, and which goes around in the middle of a launch.
TEST_F(Written, AClockOf32BitsGoesAroundWithoutALoss) {
  const std::uint64_t clock = 0x12'FFFF'FFFF - 150;
  record.slices.push_back(slice(0, 4, clock));
  record.slices[0].begin = clock - 40;
  record.slices[0].end = clock + 500;
  const auto whole = record.slices[0].words;
  for (std::uint64_t g = 0; g < 4; ++g) {
    for (std::uint32_t n = 0; n < 2; ++n) {
      const std::uint64_t at = record.layout.row(g, n) - TimelineLayout::header;
      record.slices[0].words[at + TimelineLayout::start + 1] = 0;
      record.slices[0].words[at + TimelineLayout::end + 1] = 0;
    }
  }
  const core::Timeline before = read_timeline(record);
  EXPECT_EQ(before.incomplete.size(), 1U);  // never a tile less without a word
  EXPECT_EQ(before.tiles.size(), 4U);
  widen_clock(record.layout, 1.0, record.slices[0]);
  EXPECT_EQ(record.slices[0].words, whole);
  const core::Timeline t = read_timeline(record);
  EXPECT_TRUE(t.incomplete.empty());
  EXPECT_TRUE(t.zero_is_launch);
  EXPECT_EQ(t.tiles[1].start, 140U);
  EXPECT_EQ(t.tiles[1].end, 230U);
  // A clock that has its upper words keeps them.
  widen_clock(record.layout, 1.0, record.slices[0]);
  EXPECT_EQ(record.slices[0].words, whole);
}

TEST_F(Written, OneClockPutsTilesAfterTheLaunchsStart) {
  record.slices.push_back(slice(0, 4, kFar));
  record.slices[0].begin = kFar - 40;
  record.slices[0].end = kFar + 500;
  const core::Timeline t = read_timeline(record);
  EXPECT_TRUE(t.zero_is_launch);
  EXPECT_DOUBLE_EQ(t.tick_ms, 1e-6);
  EXPECT_EQ(t.length, 540U);
  ASSERT_EQ(t.tiles.size(), 4U);
  EXPECT_EQ(t.tiles[0].start, 40U);
  EXPECT_EQ(t.tiles[0].end, 130U);
  EXPECT_EQ(t.tiles[3].start, 340U);
  EXPECT_EQ(t.tiles[1].multiprocessor, 1U);
  EXPECT_EQ(t.tiles[1].warp, 3U);
  EXPECT_EQ(t.clock_steps, 90U);
  EXPECT_EQ(t.slot_overlaps, 0U);
  EXPECT_EQ(t.resident_warps, 2U);
  EXPECT_EQ(t.subgroups, 2U);
  EXPECT_TRUE(t.incomplete.empty());
}

TEST_F(Written, AClockOfItsOwnIsMeasured) {
  // Ticks of 40 ns, from another zero; timestamps in nanoseconds.
  record.before.push_back({.stamp = 1'000'000, .clock = 500});
  record.slices.push_back(slice(0, 4, 1'000'000));
  record.slices[0].begin = 1'000'000 + 40 * (1'000'000 - 500);
  record.slices[0].end = record.slices[0].begin + 40 * 390;
  const core::Timeline t = read_timeline(record);
  EXPECT_FALSE(t.zero_is_launch);
  EXPECT_NEAR(t.tick_ms, 40e-6, 1e-9);
  EXPECT_EQ(t.tiles[0].start, 0U);
  EXPECT_EQ(t.tiles[3].end, 390U);
  // Ticks that are as long as the timestamps' are taken to be just that.
  record.slices[0].begin = 1'000'000 + 1'000'000 - 500 + 7;
  record.slices[0].end = record.slices[0].begin + 395;
  record.before[0].clock = 400;
  EXPECT_DOUBLE_EQ(read_timeline(record).tick_ms, 1e-6);
}

TEST_F(Written, SlicesAreJoinedAndTheTimeBetweenLeftOut) {
  record.slices.push_back(slice(0, 2, 1000));
  record.slices.push_back(slice(2, 2, 900'000));
  record.slices[0].begin = 980;
  record.slices[0].end = 1230;
  record.slices[1].begin = 899'990;
  record.slices[1].end = 900'190;
  const core::Timeline t = read_timeline(record);
  EXPECT_EQ(t.slices, (std::vector<std::uint64_t>{0, 250}));
  EXPECT_EQ(t.length, 450U);
  EXPECT_EQ(t.tiles[2].start, 260U);
  EXPECT_NEAR(t.device_ms, 450e-6, 1e-12);
}

// A driver's compiler may be between the launch's beginning and its first tile.
TEST_F(Written, OfAClockOfItsOwnTheWaitForTheFirstTileIsLeftOut) {
  record.before.push_back({.stamp = 1'000'000, .clock = 500});
  for (const std::uint64_t first : {0U, 2U}) {
    TimelineSlice s = slice(first, 2, 1'000'000 + 500'000 * first);
    s.begin = 1'000'000 + 40 * (900'000 + 500'000 * first - 500);  // ticks of 40 ns
    s.end = s.begin + 40 * 100'190;
    record.slices.push_back(s);
  }
  const core::Timeline t = read_timeline(record);
  EXPECT_FALSE(t.zero_is_launch);
  EXPECT_NEAR(t.tick_ms, 40e-6, 1e-7);
  EXPECT_EQ(t.slices, (std::vector<std::uint64_t>{0, 190}));
  EXPECT_EQ(t.length, 380U);
  EXPECT_EQ(t.tiles[2].start, 190U);
  EXPECT_NEAR(t.device_ms, 2 * 40e-6 * 100'190, 1e-6);
}

TEST_F(Written, WhatIsMissingIsSaid) {
  record.slices.push_back(slice(0, 4, 1000));
  record.slices[0].begin = 900;
  record.slices[0].end = 1500;
  TimelineSlice& s = record.slices[0];
  for (std::uint32_t n = 0; n < 2; ++n) {
    const std::uint64_t at = record.layout.row(1, n) - TimelineLayout::header;
    std::fill_n(s.words.begin() + static_cast<std::ptrdiff_t>(at), TimelineLayout::row_words, 0U);
  }
  s.words[record.layout.row(2, 0) - TimelineLayout::header + TimelineLayout::subgroups] = 3;
  const core::Timeline t = read_timeline(record);
  ASSERT_EQ(t.incomplete.size(), 2U);
  EXPECT_EQ(t.incomplete[0], "only 2 of the 3 subgroups of a workgroup were recorded");
  EXPECT_EQ(t.incomplete[1], "1 of 4 workgroups recorded nothing");
}

// A slot that two workgroups seem to hold at once is counted, not hidden.
TEST_F(Written, OverlapsAreCounted) {
  record.slices.push_back(slice(0, 4, 1000));
  record.slices[0].begin = 900;
  record.slices[0].end = 1500;
  TimelineSlice& s = record.slices[0];
  const std::uint64_t at = record.layout.row(0, 0) - TimelineLayout::header;
  put(s, at + TimelineLayout::end, 1210);
  EXPECT_EQ(read_timeline(record).slot_overlaps, 1U);
}

}  // namespace
}  // namespace lab

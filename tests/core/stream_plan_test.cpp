// Plans are replayed: loads as early as they may, jobs in their order.
#include "core/stream/stream_plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/stream/stream.h"

namespace {

using core::StreamLoad;

constexpr std::uint64_t kAmple = 1ULL << 40U;

// What lies in which slot, as far as loads are done.
struct Slots {
  std::map<std::uint32_t, std::uint32_t> a, b;
};

void expect_right_slots(const core::StreamShare& share) {
  Slots slots;
  std::size_t loaded = 0;
  for (std::uint32_t job = 0; job < share.jobs.size(); ++job) {
    for (; loaded < share.loads.size() && share.loads[loaded].after <= job; ++loaded) {
      const StreamLoad& load = share.loads[loaded];
      (load.of == StreamLoad::Of::a ? slots.a : slots.b)[load.slot] = load.part;
    }
    const core::StreamJob& j = share.jobs[job];
    ASSERT_GE(loaded, j.loads);
    ASSERT_LT(j.a_slot, share.a_slots);
    ASSERT_LT(j.b_slot, share.b_slots);
    ASSERT_LT(j.c_slot, share.c_slots);
    ASSERT_EQ(slots.a.at(j.a_slot), j.strip) << "job " << job;
    ASSERT_EQ(slots.b.at(j.b_slot), j.panel) << "job " << job;
  }
  EXPECT_EQ(loaded, share.loads.size());
}

std::uint64_t slot_bytes(const core::StreamPlan& plan, const core::StreamShare& share) {
  const std::uint64_t width = core::padded_columns(share.width);
  return 4 * (std::uint64_t{share.a_slots} * share.strip_rows * plan.padded_w +
              share.b_slots * width * plan.padded_w +
              std::uint64_t{share.c_slots} * share.strip_rows * width);
}

// Every element of C is some job's, once; nothing is in a slot that is not there, or too large.
void expect_right(const core::StreamWork& work, const std::vector<core::StreamRoom>& rooms) {
  SCOPED_TRACE(std::to_string(work.m) + "," + std::to_string(work.n) + "," +
               std::to_string(work.w) + " on " + std::to_string(rooms.size()) + " with " +
               std::to_string(rooms.front().budget));
  const auto plan = core::plan_stream(work, rooms);
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->shares.size(), rooms.size());
  EXPECT_GE(plan->padded_w, work.w);
  std::vector<int> written(std::size_t{work.m} * work.n, 0);
  for (std::size_t d = 0; d < rooms.size(); ++d) {
    const core::StreamShare& share = plan->shares[d];
    expect_right_slots(share);
    EXPECT_LE(share.bytes, rooms[d].budget);
    EXPECT_EQ(share.bytes, slot_bytes(*plan, share));
    for (const core::StreamJob& job : share.jobs) {
      const core::Stretch& rows = share.strips[job.strip];
      const core::Stretch& columns = share.panels[job.panel];
      ASSERT_LE(rows.count, share.strip_rows);
      ASSERT_LE(columns.count, share.width);
      for (std::uint32_t r = rows.first; r < rows.first + rows.count; ++r) {
        for (std::uint32_t c = columns.first; c < columns.first + columns.count; ++c) {
          ++written.at(std::size_t{r} * work.n + c);
        }
      }
    }
  }
  EXPECT_EQ(std::ranges::count(written, 1), std::ssize(written));
}

TEST(StreamPlan, CoversAnySizeOnAnyNumberOfDevices) {
  for (const auto& [m, n, w] : {std::array{1U, 1U, 1U},
                                {15U, 17U, 1U},
                                {2U, 300U, 7U},
                                {300U, 2U, 50U},
                                {999U, 666U, 77U},
                                {256U, 128U, 64U}}) {
    for (std::size_t devices = 1; devices <= 3; ++devices) {
      for (const std::uint32_t side : {m < 500 ? 1U : 100U, 16U, 4096U}) {
        expect_right({.m = m, .n = n, .w = w, .side = side},
                     std::vector(devices, core::StreamRoom{kAmple, kAmple}));
      }
    }
  }
}

TEST(StreamPlan, CoversAnySizeInWaves) {
  for (const core::Sizes& s : {core::Sizes{1, 1, 1}, {15, 17, 3}, {999, 666, 40}, {5000, 300, 9}}) {
    const core::StreamWork work{
        .m = s[0], .n = s[1], .w = s[2], .tile_rows = 16, .tile_columns = 32};
    expect_right(work, {{kAmple, kAmple, 7}, {kAmple, kAmple, 3}, {kAmple, kAmple}});
  }
}

TEST(StreamPlan, SplitsWhatDoesNotFitTheBudget) {
  const core::StreamWork work{.m = 99, .n = 66, .w = 77, .side = 64};
  for (const std::uint64_t budget : {2900U, 5000U, 12'000U, 40'000U}) {
    expect_right(work, std::vector(2, core::StreamRoom{budget, kAmple}));
  }
  // A buffer may be smaller than what fits the memory.
  expect_right(work, {{kAmple, 4000}});
  expect_right({.m = 99, .n = 66, .w = 77, .width = 5}, {{40'000, kAmple}});
}

TEST(StreamPlan, KeepsTwoPanelsInFlightAndAWidthThatWasAskedFor) {
  const auto plan = core::plan_stream({.m = 500, .n = 500, .w = 500, .width = 100},
                                      std::vector(1, core::StreamRoom{600'000, kAmple}));
  ASSERT_TRUE(plan) << plan.error().message;
  const core::StreamShare& share = plan->shares.front();
  EXPECT_GE(share.b_slots, 2U);
  EXPECT_EQ(share.width, 100U);
  EXPECT_EQ(share.panels.size(), 5U);
  EXPECT_GT(share.chunks.size(), 1U);
  const auto rows = std::accumulate(
      share.chunks.begin(), share.chunks.end(), 0U,
      [](std::uint32_t sum, const core::Stretch& chunk) { return sum + chunk.count; });
  EXPECT_EQ(rows, 500U);
}

TEST(StreamPlan, BringsEachMatrixInOnceWhereThereIsRoom) {
  const auto plan = core::plan_stream({.m = 640, .n = 640, .w = 64, .side = 64},
                                      std::vector(1, core::StreamRoom{kAmple, kAmple}));
  ASSERT_TRUE(plan);
  const core::StreamShare& share = plan->shares.front();
  EXPECT_EQ(share.strips.size(), 13U);  // the first in three, the last in two halves
  EXPECT_EQ(share.strips.front().count, 16U);
  EXPECT_EQ(share.strips.back().count, 32U);
  EXPECT_EQ(share.loads.size(), share.strips.size() + share.panels.size());
  EXPECT_EQ(share.chunks.size(), 1U);
}

// Of the parts that are there a device can do as much as they are long, times each other; what
// comes must not be longer than that.
TEST(StreamPlan, BeginsSmallSoThatJobsCatchUpWithLoads) {
  const auto plan = core::plan_stream({.m = 1024, .n = 1024, .w = 64, .side = 128},
                                      std::vector(1, core::StreamRoom{kAmple, kAmple}));
  ASSERT_TRUE(plan);
  const core::StreamShare& share = plan->shares.front();
  EXPECT_EQ(share.b_slots, 5U);
  EXPECT_EQ(share.jobs.front().loads, 2U);
  for (const auto* parts : {&share.strips, &share.panels}) {
    EXPECT_EQ(parts->at(0).count, 32U);
    EXPECT_EQ(parts->at(1).count, 32U);
    EXPECT_EQ(parts->at(2).count, 64U);
    EXPECT_EQ(parts->at(3).count, 128U);
  }
  // A strip meets the parts of the first panel, then two panels at a time.
  std::vector<std::uint32_t> of_first;
  for (const core::StreamJob& job : share.jobs) {
    if (job.strip == 0) {
      of_first.push_back(job.panel);
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(of_first));
  EXPECT_EQ(share.jobs[2].strip, 0U);
  EXPECT_EQ(share.jobs[3].strip, 1U);
  EXPECT_EQ(share.jobs[3].panel, 0U);
  const std::size_t strips = share.strips.size();
  EXPECT_EQ(share.jobs[3 * strips].panel, 3U);
  EXPECT_EQ(share.jobs[3 * strips + 2].strip, 1U);
}

// 256×128 tiles on 132 multiprocessors are 248.2 waves: strips and panels of one size, whichever,
// would make 256 of them.
TEST(StreamPlan, CutsJobsIntoWholeWaves) {
  const core::StreamWork work{
      .m = 32768, .n = 32768, .w = 32768, .tile_rows = 128, .tile_columns = 256};
  const core::StreamRoom room{std::uint64_t{110} << 30U, std::uint64_t{4} << 30U, 132};
  const auto plan = core::plan_stream(work, std::vector(1, room));
  ASSERT_TRUE(plan);
  const core::StreamShare& share = plan->shares.front();
  std::uint64_t waves = 0;
  std::uint64_t cells = 0;
  for (const core::StreamJob& job : share.jobs) {
    const std::uint64_t rows = share.strips[job.strip].count;
    const std::uint64_t columns = share.panels[job.panel].count;
    waves += ((rows + 127) / 128 * ((columns + 255) / 256) + 131) / 132;
    cells += rows * columns;
  }
  EXPECT_EQ(cells, std::uint64_t{32768} * 32768);
  EXPECT_LE(waves, 252U);
  // Work begins early: not with a whole strip and a whole panel.
  EXPECT_LE(share.strips.front().count + share.panels.front().count, 6500U);
}

TEST(StreamPlan, BeginsWithHalvesWhereMemoryIsShort) {
  // Of 128×64 float32 a strip and a panel take 32 KiB each, a tile of C 64: room for 4 panels, 3
  // tiles and 2 strips, not for all strips.
  const auto plan = core::plan_stream({.m = 1024, .n = 1024, .w = 64, .side = 128},
                                      std::vector(1, core::StreamRoom{400'000, kAmple}));
  ASSERT_TRUE(plan);
  const core::StreamShare& share = plan->shares.front();
  EXPECT_EQ(share.b_slots, 4U);
  EXPECT_EQ(share.strips.front().count, 64U);
  EXPECT_EQ(share.panels[1].count, 64U);
  EXPECT_EQ(share.panels[2].count, 128U);
}

TEST(StreamPlan, SaysWhatTheSmallestChunkNeeds) {
  const auto none = core::plan_stream({.m = 10, .n = 10, .w = 1000},
                                      std::vector(1, core::StreamRoom{1000, kAmple}));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().fault, core::Fault::device);
  EXPECT_NE(none.error().message.find("2 panels of 4 columns"), std::string::npos)
      << none.error().message;
  // One row of 1008, two panels of 4 columns, one tile of 1×4.
  const std::uint64_t least = 4 * (1008 + 2 * 4 * 1008 + 4);
  EXPECT_FALSE(core::plan_stream({.m = 10, .n = 10, .w = 1000},
                                 std::vector(1, core::StreamRoom{least - 1, kAmple})));
  expect_right({.m = 10, .n = 10, .w = 1000}, {{least, kAmple}});
  EXPECT_FALSE(core::plan_stream({.m = 10, .n = 10, .w = 1000, .width = 10},
                                 std::vector(1, core::StreamRoom{least, kAmple})));
}

TEST(StreamFigures, CountCopiesAsHiddenWhileTheDeviceComputes) {
  using core::StreamStage;
  const std::vector<core::StreamSpan> spans{
      {StreamStage::upload, 0, 0.0, 2.0, 100},  {StreamStage::compute, 0, 2.0, 5.0, 0},
      {StreamStage::upload, 1, 2.0, 4.0, 100},  {StreamStage::compute, 1, 6.0, 8.0, 0},
      {StreamStage::download, 0, 5.0, 7.0, 50}, {StreamStage::download, 1, 8.0, 9.0, 50}};
  const core::StreamFigures f = core::figures_of(spans);
  EXPECT_DOUBLE_EQ(f.upload_ms, 4.0);
  EXPECT_DOUBLE_EQ(f.compute_ms, 5.0);
  EXPECT_DOUBLE_EQ(f.download_ms, 3.0);
  EXPECT_DOUBLE_EQ(f.hidden_ms, 3.0);  // all of the second upload, half of the first download
  ASSERT_TRUE(f.hidden());
  EXPECT_DOUBLE_EQ(*f.hidden(), 3.0 / 7.0);
  EXPECT_EQ(f.uploaded, 200U);
  EXPECT_FALSE(core::figures_of({}).hidden());
}

}  // namespace

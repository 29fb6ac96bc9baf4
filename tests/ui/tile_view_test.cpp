// The tile view: its story, its ways through the moments, and what a click chooses.
#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/tile_layout.h"
#include "ui/trace_story.h"
#include "ui/traces.h"

namespace {

TEST(TraceStory, PhasesAreNamedAndCountTheirTurns) {
  const ui::TraceStory story(tests::matmul_trace(4, 3));
  const auto& phases = story.phases();
  ASSERT_EQ(phases.size(), 7U);
  EXPECT_EQ(phases[0].name, "load");
  EXPECT_EQ(phases[1].name, "compute");
  EXPECT_EQ(phases[3].turn, 1U);
  EXPECT_EQ(phases[3].turns, 3U);
  EXPECT_EQ(phases[6].name, "store");
  EXPECT_EQ(story.telling_phase(), 1U);
}

TEST(TraceStory, AMomentIsOneAccessOfEachInvocation) {
  ui::TraceStory story(tests::matmul_trace(4, 2));
  EXPECT_EQ(story.moments(1), 8U);
  const ui::Moment& m = story.at(1, 3);  // the second k, reading tile_a
  ASSERT_EQ(m.touches.size(), 16U);
  for (const ui::Touch& t : m.touches) {
    EXPECT_EQ(t.element, t.invocation / 4 * 4 + 1);
  }
  EXPECT_EQ(m.counts[3][1].reads, 4U);
  EXPECT_EQ(m.counts[3][0].reads, 0U);
}

TEST(TraceStory, SharedMemoryHoldsWhatWasWritten) {
  ui::TraceStory story(tests::matmul_trace(4, 2));
  EXPECT_EQ(story.at(0, 1).memory[3][0].bytes, 0U) << "nothing is written at the first moment";
  EXPECT_EQ(story.at(0, 2).memory[3][5].bytes, 4U);
  EXPECT_EQ(story.at(0, 2).memory[4][5].bytes, 0U);
  const auto first = story.at(1, 0).memory[3][5].bits;
  const auto second = story.at(3, 0).memory[3][5].bits;
  EXPECT_NE(first, second) << "the next turn loads another tile";
  EXPECT_EQ(story.at(1, 0).memory[3][5].bits, first) << "and back again";
}

TEST(TraceStory, InvocationsThatSkipSomethingStayInStep) {
  auto trace = *tests::matmul_trace(4, 1);
  // Invocation 3 does not read `a`: its moments are one earlier.
  std::erase_if(trace.accesses,
                [](const core::TracedAccess& a) { return a.invocation == 3 && a.site == 0; });
  trace.phases[0].last -= 1;
  for (std::size_t p = 1; p < trace.phases.size(); ++p) {
    trace.phases[p].first -= 1;
    trace.phases[p].last -= 1;
  }
  ui::TraceStory story(std::make_shared<const core::Trace>(trace));
  EXPECT_EQ(story.moments(0), 4U);
  EXPECT_EQ(story.at(0, 1).touches.size(), 15U);
  EXPECT_EQ(story.at(0, 2).touches.size(), 16U);
}

TEST(TraceStory, NamesAreAsInTheSource) {
  const auto trace = tests::transpose_trace();
  EXPECT_EQ(ui::element_name(trace->variables[2], 34), "tile[1][1]");
  EXPECT_EQ(ui::invocation_name(*trace, 33), "(1, 1)");
  EXPECT_EQ(ui::invocation_name(*tests::nbody_trace(64), 33), "33");
}

TEST(CellBlocks, AreRowsOfTheInnermostDimension) {
  const auto blocks = ui::cell_blocks(*tests::transpose_trace());
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_TRUE(blocks[0].invocations);
  EXPECT_EQ(blocks[0].columns, 32U);
  EXPECT_EQ(blocks[1].columns, 33U);
  EXPECT_EQ(blocks[1].rows(), 32U);
}

TEST(CellBlocks, LinesAreWrapped) {
  for (const std::uint32_t size : {64U, 256U, 1024U}) {
    const auto blocks = ui::cell_blocks(*tests::nbody_trace(size));
    for (const ui::CellBlock& block : blocks) {
      EXPECT_TRUE(block.wrapped);
      EXPECT_LE(block.columns, 32U);
      EXPECT_LE(block.rows(), 32U);
      EXPECT_EQ(std::uint64_t{block.columns} * block.rows(), size);
    }
  }
}

TEST(CellBlocks, StandInTheRoomAndApart) {
  for (const glm::vec2 size : {glm::vec2(300, 120), {800, 260}, {1400, 800}, {400, 900}}) {
    auto blocks = ui::cell_blocks(*tests::matmul_trace(16, 1));
    const ui::Rect room{{10, 20}, glm::vec2(10, 20) + size};
    ui::place_blocks(blocks, room, {20, 20, 16, 40, 64});
    for (const ui::CellBlock& a : blocks) {
      EXPECT_TRUE(room.inset(-1, -1).contains(a.slot));
      EXPECT_EQ(a.cell_at(a.cell(37).centre()), 37U);
      for (const ui::CellBlock& b : blocks) {
        EXPECT_TRUE(&a == &b || !a.slot.overlaps(b.slot));
      }
    }
  }
}

TEST(CellRuns, RowsAndColumnsAreOneRectangleEach) {
  ui::CellBlock block;
  block.count = 64;
  block.columns = 8;
  const std::vector<std::uint64_t> row{16, 17, 18, 19, 20, 21, 22, 23};
  EXPECT_EQ(ui::runs_of(block, row), (std::vector<ui::CellRun>{{2, 0, 1, 8}}));
  const std::vector<std::uint64_t> column{3, 11, 19, 27, 35, 43, 51, 59};
  EXPECT_EQ(ui::runs_of(block, column), (std::vector<ui::CellRun>{{0, 3, 8, 1}}));
  const std::vector<std::uint64_t> two{0, 1, 8, 9, 30};
  EXPECT_EQ(ui::runs_of(block, two), (std::vector<ui::CellRun>{{0, 0, 2, 2}, {3, 6, 1, 1}}));
}

}  // namespace

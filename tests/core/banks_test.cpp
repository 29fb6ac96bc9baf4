// Bank and sector rules against cases worked out by hand.
#include "core/report/banks.h"

#include <numeric>

#include <gtest/gtest.h>

namespace {

using core::BankUse;
using core::LaneAccess;
using core::MemoryKind;

// One request: lane i asks for `bytes` at address(i).
template <class Address>
std::vector<LaneAccess> request(std::uint32_t lanes, std::uint32_t bytes, Address&& address) {
  std::vector<LaneAccess> all;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    all.push_back({lane, 0, address(lane), bytes});
  }
  return all;
}

TEST(BankUse, ARowIsOneWay) {
  const BankUse use = core::bank_use(request(32, 4, [](auto lane) { return 4ULL * lane; }));
  EXPECT_EQ(
      use,
      (BankUse{
          .lanes = 32, .ways = 1, .words = 1, .bank = 0, .passes = 1, .least = 1, .among = 1}));
}

TEST(BankUse, AColumnOf32IsThirtyTwoWaysAndOneMoreColumnMendsIt) {
  const auto column = [](std::uint64_t stride) {
    return core::bank_use(request(32, 4, [=](auto lane) { return 4 * (stride * lane + 3); }));
  };
  EXPECT_EQ(
      column(32),
      (BankUse{
          .lanes = 32, .ways = 32, .words = 32, .bank = 3, .passes = 32, .least = 1, .among = 32}));
  EXPECT_EQ(column(33).ways, 1U);
  EXPECT_EQ(column(16).ways, 16U);
  EXPECT_EQ(column(2).ways, 2U);
  EXPECT_EQ(column(31).ways, 1U) << "any odd stride";
}

TEST(BankUse, OneWordIsSharedByReadsButNotByAtomics) {
  const auto same = request(32, 4, [](auto) { return 64ULL; });
  EXPECT_EQ(core::bank_use(same).ways, 1U);
  EXPECT_EQ(core::bank_use(same, core::Access::atomic).ways, 32U);
  const auto two = request(32, 4, [](auto lane) { return lane < 16 ? 0ULL : 128ULL; });
  EXPECT_EQ(core::bank_use(two).ways, 2U) << "two words of bank 0";
}

TEST(BankUse, SaysWhetherLanesWantWordsOfABankOrUpdatesOfAWord) {
  const auto said = [](std::uint32_t words, core::Access access) {
    return core::sentence(
        core::bank_use(request(32, 4, [=](auto lane) { return 128ULL * (lane % words) + 8; }),
                       access),
        "they");
  };
  EXPECT_EQ(said(1, core::Access::read), "1 way, no conflict: they");
  EXPECT_EQ(said(1, core::Access::atomic),
            "32 ways: they make 32 updates of 1 word of bank 2, one after the other");
  EXPECT_EQ(said(4, core::Access::atomic),
            "32 ways: they make 32 updates of 4 words of bank 2, one after the other");
  EXPECT_EQ(said(32, core::Access::atomic), "32 ways: they need 32 words of bank 2");
  EXPECT_EQ(said(4, core::Access::read), "4 ways: they need 4 words of bank 2");
}

TEST(BankUse, TellsOfTheLanesOfTheConflictAlone) {
  const auto strided = core::bank_use(request(32, 4, [](auto lane) { return 16ULL * lane; }));
  EXPECT_EQ(strided.ways, 4U);
  EXPECT_EQ(core::spoken_of(strided), 4U) << "the others want words of other banks";
  const auto two =
      core::bank_use(request(32, 4, [](auto lane) { return lane < 16 ? 0ULL : 128ULL; }));
  EXPECT_EQ(core::spoken_of(two), 32U) << "lanes share words";
  EXPECT_EQ(core::spoken_of(core::bank_use(request(32, 4, [](auto lane) { return 4ULL * lane; }))),
            32U);
}

TEST(BankUse, BytesOfOneWordDoNotConflict) {
  EXPECT_EQ(core::bank_use(request(32, 1, [](auto lane) { return 0ULL + lane; })).passes, 1U);
  EXPECT_EQ(core::bank_use(request(32, 2, [](auto lane) { return 2ULL * lane; })).passes, 1U);
}

TEST(BankUse, WideAccessesTakeHalvesAndQuarters) {
  const auto pairs = core::bank_use(request(32, 8, [](auto lane) { return 8ULL * lane; }));
  EXPECT_EQ(
      pairs,
      (BankUse{
          .lanes = 32, .ways = 1, .words = 1, .bank = 0, .passes = 2, .least = 2, .among = 1}));
  const auto fours = core::bank_use(request(32, 16, [](auto lane) { return 16ULL * lane; }));
  EXPECT_EQ(
      fours,
      (BankUse{
          .lanes = 32, .ways = 1, .words = 1, .bank = 0, .passes = 4, .least = 4, .among = 1}));
  // Rows of 32 words: in each quarter 8 lanes want 8 words of each of 4 banks.
  const auto column = core::bank_use(request(32, 16, [](auto lane) { return 128ULL * lane; }));
  EXPECT_EQ(
      column,
      (BankUse{
          .lanes = 32, .ways = 8, .words = 8, .bank = 0, .passes = 32, .least = 4, .among = 8}));
  // One vec4 of padding: rows of 36 words, 8 lanes in 32 different banks.
  EXPECT_EQ(core::bank_use(request(32, 16, [](auto lane) { return 144ULL * lane; })).passes, 4U);
  const auto eight = core::bank_use(request(8, 16, [](auto lane) { return 16ULL * lane; }));
  EXPECT_EQ(eight.passes, 1U) << "a quarter is all that a subgroup of 8 has";
}

TEST(SectorUse, CountsWhatIsFetchedAndUsed) {
  const auto row = core::sector_use(request(32, 4, [](auto lane) { return 4ULL * lane; }));
  EXPECT_EQ(row, (core::SectorUse{.lanes = 32, .asked = 128, .used = 128, .sectors = 4}));
  const auto shifted = core::sector_use(request(32, 4, [](auto lane) { return 4ULL * lane + 4; }));
  EXPECT_EQ(shifted.sectors, 5U) << "off by one element";
  EXPECT_EQ(shifted.used, 128U);
  const auto column = core::sector_use(request(32, 4, [](auto lane) { return 4096ULL * lane; }));
  EXPECT_EQ(column, (core::SectorUse{.lanes = 32, .asked = 128, .used = 128, .sectors = 32}));
  const auto one = core::sector_use(request(32, 4, [](auto) { return 400ULL; }));
  EXPECT_EQ(one, (core::SectorUse{.lanes = 32, .asked = 128, .used = 4, .sectors = 1}));
  const auto across = core::sector_use(std::vector<LaneAccess>{{0, 0, 30, 4}, {1, 0, 28, 8}});
  EXPECT_EQ(across, (core::SectorUse{.lanes = 2, .asked = 12, .used = 8, .sectors = 2}));
}

// `size` × 1 invocations in subgroups, one site on float variable[rows][columns].
core::Trace trace_of(std::uint32_t invocations, std::uint32_t subgroup, MemoryKind memory,
                     std::vector<std::uint32_t> dimensions, std::uint32_t scalars = 1) {
  core::Trace trace;
  trace.local_size = {invocations, 1, 1};
  trace.subgroup_size = subgroup;
  for (std::uint32_t i = 0; i < invocations; ++i) {
    trace.subgroup.push_back(i / subgroup);
    trace.lane.push_back(i % subgroup);
  }
  core::TracedVariable variable{.name = "v", .memory = memory, .dimensions = dimensions};
  variable.bytes = std::accumulate(dimensions.begin(), dimensions.end(), 4ULL * scalars,
                                   [](auto a, auto b) { return a * b; });
  trace.variables.push_back(variable);
  trace.sites.push_back({.at = {.line = 7}, .scalars = scalars});
  trace.phases.resize(2);
  return trace;
}

void touch(core::Trace& trace, std::uint32_t invocation, std::uint32_t turn, std::uint64_t offset,
           std::uint32_t phase = 0, std::uint32_t scalars = 1) {
  for (std::uint32_t s = 0; s < scalars; ++s) {
    trace.accesses.push_back({.invocation = invocation,
                              .phase = phase,
                              .moment = turn,
                              .turn = turn,
                              .scalar = s,
                              .offset = offset + 4ULL * s});
  }
}

TEST(Instructions, GroupBySubgroupAndBy32) {
  core::Trace trace = trace_of(64, 8, MemoryKind::shared, {64, 32});
  for (std::uint32_t i = 0; i < 64; ++i) {
    touch(trace, i, 0, 128ULL * i);  // a column
  }
  const core::BankReport report = core::bank_report(trace);
  ASSERT_EQ(report.subgroups->shared.size(), 1U);
  EXPECT_EQ(report.subgroups->shared[0].instructions.count(), 8U);
  EXPECT_EQ(report.subgroups->shared[0].worst_ways, 8U);
  EXPECT_EQ(report.of_32->shared[0].instructions.count(), 2U);
  EXPECT_EQ(report.of_32->shared[0].worst_ways, 32U);
  EXPECT_EQ(report.of_32->shared[0].extra(), 62U);
}

// The same column of a full array, and of one with a column that nobody touches.
TEST(Padding, IsTriedOutBothWays) {
  for (const std::uint32_t columns : {32U, 33U}) {
    core::Trace trace = trace_of(32, 8, MemoryKind::shared, {32, columns});
    for (std::uint32_t turn = 0; turn < 32; ++turn) {
      for (std::uint32_t i = 0; i < 32; ++i) {
        touch(trace, i, turn, 4ULL * (columns * i + turn));
      }
    }
    const core::BankReport report = core::bank_report(trace);
    EXPECT_EQ(core::padding_columns(trace.variables[0], report.touched[0]), columns - 32);
    const core::PaddedSite& other = report.of_32->padded.at(0);
    EXPECT_EQ(other.columns, columns == 32 ? 1 : -1);
    EXPECT_EQ(report.of_32->shared[0].worst_ways, columns == 32 ? 32U : 1U);
    EXPECT_EQ(other.site.worst_ways, columns == 32 ? 1U : 32U);
    EXPECT_DOUBLE_EQ(other.site.mean_ways, columns == 32 ? 1.0 : 32.0);
    EXPECT_EQ(other.site.extra(), columns == 32 ? 0U : 32U * 31U);
  }
}

TEST(Instructions, SubgroupsOf32AreNotWorkedOutTwice) {
  core::Trace trace = trace_of(64, 32, MemoryKind::shared, {64});
  touch(trace, 5, 0, 0);
  const core::BankReport report = core::bank_report(trace);
  EXPECT_EQ(report.subgroups, report.of_32);
  trace.lane[0] = 1;  // lanes in another order
  trace.lane[1] = 0;
  EXPECT_FALSE(core::subgroups_are_32(trace));
}

TEST(Instructions, WideSubgroupsTakeHalves) {
  core::Trace trace = trace_of(64, 64, MemoryKind::shared, {64});
  for (std::uint32_t i = 0; i < 64; ++i) {
    touch(trace, i, 0, 4ULL * i);
  }
  const auto all = core::instructions_of(trace, core::Lanes::subgroups);
  EXPECT_EQ(all.list.size(), 2U);
  EXPECT_EQ(all.width, 32U);
}

// A lane that left out a turn in the phase before is together with the others in this one.
TEST(Instructions, TurnsAreCountedInThePhase) {
  core::Trace trace = trace_of(8, 8, MemoryKind::shared, {64});
  touch(trace, 0, 0, 0);
  for (std::uint32_t i = 0; i < 8; ++i) {
    touch(trace, i, i == 0 ? 1 : 0, 4ULL * i, 1);
  }
  const auto all = core::instructions_of(trace, core::Lanes::subgroups);
  ASSERT_EQ(all.list.size(), 2U);
  EXPECT_EQ(all.list[1].last - all.list[1].first, 8U);
}

TEST(LaneAccesses, VectorsAreOneRequestAndOddOnesSeveral) {
  core::Trace trace = trace_of(2, 8, MemoryKind::shared, {8}, 4);
  touch(trace, 0, 0, 16, 0, 4);
  touch(trace, 1, 0, 36, 0, 3);  // 12 bytes that lie at 4 beyond 32
  const auto all = core::instructions_of(trace, core::Lanes::subgroups);
  const auto lanes = core::lane_accesses(trace, all, all.list.at(0));
  EXPECT_EQ(lanes, (std::vector<LaneAccess>{{0, 0, 16, 16}, {1, 0, 36, 4}, {1, 1, 40, 8}}));
}

TEST(GlobalSites, HeedWhereTheVariableBegins) {
  core::Trace trace = trace_of(8, 8, MemoryKind::global, {1024});
  for (std::uint32_t i = 0; i < 8; ++i) {
    touch(trace, i, 0, 4ULL * i);
  }
  EXPECT_EQ(core::bank_report(trace).subgroups->global[0].sectors, 1U);
  trace.variables[0].address = 16;
  const auto report = core::bank_report(trace);
  EXPECT_EQ(report.subgroups->global[0].sectors, 2U);
  EXPECT_DOUBLE_EQ(report.subgroups->global[0].efficiency(), 0.5);
}

TEST(Reuse, CountsReadsOfEachElement) {
  core::Trace trace = trace_of(8, 8, MemoryKind::global, {16});
  for (std::uint32_t i = 0; i < 8; ++i) {
    touch(trace, i, 0, i < 6 ? 0 : 4ULL * i);
  }
  const auto report = core::bank_report(trace);
  ASSERT_EQ(report.reuse.size(), 1U);
  EXPECT_EQ(report.reuse[0].elements, 3U);
  EXPECT_EQ(report.reuse[0].most, 6U);
  EXPECT_DOUBLE_EQ(report.reuse[0].mean(), 8.0 / 3.0);
}

TEST(Padding, MovesRowsAndNothingElse) {
  const core::TracedVariable tile{.dimensions = {2, 32, 32}, .bytes = 2ULL * 32 * 32 * 4};
  EXPECT_EQ(core::padded_offset(tile, 4, 1), 4U);
  EXPECT_EQ(core::padded_offset(tile, 128, 1), 132U);
  EXPECT_EQ(core::padded_offset(tile, 32 * 128 + 4, 1), 32U * 132 + 4);
  const core::TracedVariable padded{.dimensions = {32, 33}, .bytes = 32ULL * 33 * 4};
  EXPECT_EQ(core::padded_offset(padded, 132 * 3 + 8, -1), 128U * 3 + 8);
}

}  // namespace

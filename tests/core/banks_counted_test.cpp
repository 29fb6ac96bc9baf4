// Bank and sector rules against what hardware counted: one instruction of 32 lanes each, launched
// alone on an NVIDIA H200 and counted by the counters that Nsight Compute reads there,
//   l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum (a wavefront is a pass),
//   l1tex__data_pipe_lsu_wavefronts_mem_shared.sum for atomics, and
//   l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum.
// These are a choice of 370 reads and writes that were counted, many with random lanes; the rules
// agree with all of them.
// Whole kernels are in tests/lab/banks_counted_test.cpp.
#include <gtest/gtest.h>

#include "core/report/banks.h"

namespace {

constexpr std::uint64_t kNone = UINT64_MAX;

// The element that each lane wants.
using Index = std::uint64_t (*)(std::uint64_t lane);

std::vector<core::LaneAccess> request(std::uint32_t bytes, Index index) {
  std::vector<core::LaneAccess> lanes;
  for (std::uint32_t lane = 0; lane < core::kRequestLanes; ++lane) {
    if (index(lane) != kNone) {
      lanes.push_back({.lane = lane, .address = bytes * index(lane), .bytes = bytes});
    }
  }
  return lanes;
}

struct Counted {
  const char* pattern;
  Index index;
  std::uint32_t bytes;
  std::uint32_t read, write;
};

// Columns and rows of a transposition's tile, with and without padding, and of matmul's tiles.
const Counted kShared[] = {
    {"a row", [](auto lane) { return lane; }, 4, 1, 1},
    {"a column of 32", [](auto lane) { return 32 * lane; }, 4, 32, 32},
    {"a column of 33", [](auto lane) { return 33 * lane; }, 4, 1, 1},
    {"a column of 16", [](auto lane) { return 16 * lane; }, 4, 16, 16},
    {"a column of 17", [](auto lane) { return 17 * lane; }, 4, 1, 1},
    {"every other word", [](auto lane) { return 2 * lane; }, 4, 2, 2},
    {"one word", [](auto) { return std::uint64_t{0}; }, 4, 1, 1},
    {"bytes side by side", [](auto lane) { return lane; }, 1, 1, 1},
    {"bytes of a column", [](auto lane) { return 128 * lane; }, 1, 32, 32},
    {"pairs side by side", [](auto lane) { return lane; }, 8, 2, 2},
    {"pairs, every other", [](auto lane) { return 2 * lane; }, 8, 4, 4},
    {"pairs, half the lanes", [](auto lane) { return lane < 16 ? lane : kNone; }, 8, 1, 1},
    {"pairs, lane % 8", [](auto lane) { return lane % 8; }, 8, 2, 2},
    {"pairs, lane / 2", [](auto lane) { return lane / 2; }, 8, 1, 2},
    {"pairs, lane % 2", [](auto lane) { return lane % 2; }, 8, 1, 2},
    {"pairs, one", [](auto) { return std::uint64_t{8}; }, 8, 1, 2},
    {"fours side by side", [](auto lane) { return lane; }, 16, 4, 4},
    {"fours, every other", [](auto lane) { return 2 * lane; }, 16, 8, 8},
    {"fours, nine apart", [](auto lane) { return 9 * lane; }, 16, 4, 4},
    {"fours, lane % 8", [](auto lane) { return lane % 8; }, 16, 4, 4},
    {"fours, lane / 2", [](auto lane) { return lane / 2; }, 16, 2, 4},
    {"fours, one", [](auto) { return std::uint64_t{4}; }, 16, 2, 4},
};

TEST(BanksCounted, ReadsAndWritesTakeWhatTheHardwareCounted) {
  for (const Counted& c : kShared) {
    const auto lanes = request(c.bytes, c.index);
    EXPECT_EQ(core::bank_use(lanes, core::Access::read).passes, c.read) << c.pattern;
    EXPECT_EQ(core::bank_use(lanes, core::Access::write).passes, c.write) << c.pattern;
  }
}

// Additions and exchanges, which take one wavefront more than these; compare-and-swap takes twice
// as many.
TEST(BanksCounted, AtomicsTakeWhatTheHardwareCounted) {
  const std::pair<Index, std::uint32_t> counted[] = {
      {[](auto lane) { return lane; }, 1},     {[](auto) { return std::uint64_t{0}; }, 32},
      {[](auto lane) { return lane / 2; }, 2}, {[](auto lane) { return lane % 2; }, 16},
      {[](auto lane) { return 8 * lane; }, 8}, {[](auto lane) { return 32 * (lane / 16); }, 32},
  };
  for (const auto& [index, passes] : counted) {
    EXPECT_EQ(core::bank_use(request(4, index), core::Access::atomic).passes, passes);
  }
}

TEST(BanksCounted, SectorsAreWhatTheHardwareCounted) {
  const Counted counted[] = {
      {"a row", [](auto lane) { return lane; }, 4, 4, 4},
      {"a row, off by one", [](auto lane) { return lane + 1; }, 4, 5, 5},
      {"a row, off by seven", [](auto lane) { return lane + 7; }, 4, 5, 5},
      {"a column", [](auto lane) { return 1024 * lane; }, 4, 32, 32},
      {"a column of fours", [](auto lane) { return 256 * lane; }, 16, 32, 32},
  };
  for (const Counted& c : counted) {
    EXPECT_EQ(core::sector_use(request(c.bytes, c.index)).sectors, c.read) << c.pattern;
  }
}

}  // namespace

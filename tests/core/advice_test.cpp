// What a trace advises, on traces whose addresses are made up.
#include "core/report/advice.h"

#include <functional>

#include <gtest/gtest.h>

#include "core/model/ceilings.h"
#include "core/model/time_bound.h"
#include "core/work/result.h"

namespace core {
namespace {

using Size = std::array<std::uint32_t, 3>;
using At = std::function<std::uint64_t(std::uint32_t x, std::uint32_t y, std::uint32_t turn)>;

Trace workgroup(const Size& size) {
  Trace trace;
  trace.local_size = size;
  trace.variables = {{.name = "a", .memory = MemoryKind::global},
                     {.name = "tile", .memory = MemoryKind::shared}};
  return trace;
}

// Every invocation reads the element of `a` that `at` says, `turns` times, at a line of its own.
void read(Trace& trace, std::uint32_t turns, const At& at) {
  const auto site = static_cast<std::uint32_t>(trace.sites.size());
  trace.sites.push_back({.at = {.line = 10 + site}, .variable = 0});
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    for (std::uint32_t i = 0; i < trace.local_size[0] * trace.local_size[1]; ++i) {
      const std::uint64_t element = at(i % trace.local_size[0], i / trace.local_size[0], turn);
      trace.accesses.push_back({.invocation = i,
                                .turn = turn,
                                .site = site,
                                .offset = 4 * element,
                                .value = 1000 + element});
    }
  }
}

// Each invocation writes what it has read before: to shared memory, or back to `a`.
void write(Trace& trace, std::uint32_t variable) {
  const auto site = static_cast<std::uint32_t>(trace.sites.size());
  trace.sites.push_back({.variable = variable, .access = Access::write, .writes = true});
  const auto count = trace.accesses.size();
  for (std::size_t n = 0; n < count; ++n) {
    TracedAccess access = trace.accesses[n];
    access.site = site;
    trace.accesses.push_back(access);
  }
}

ArrayAdvice only(const Trace& trace) {
  const Advice advice = advice_of(trace, 100);
  EXPECT_EQ(advice.arrays.size(), 1U);
  return advice.arrays.at(0);
}

TEST(Advice, ARowThatAllOfItsInvocationsReadIsInvariantToX) {
  Trace trace = workgroup({8, 4, 1});
  read(trace, 5, [](std::uint32_t, std::uint32_t y, std::uint32_t turn) { return y * 5 + turn; });
  const ArrayAdvice a = only(trace);
  EXPECT_EQ(a.tiling, Tiling::worth);
  EXPECT_EQ(a.invariant(), (std::array{true, false, false}));
  EXPECT_EQ(a.asked, 8U * 4 * 5 * 4);
  EXPECT_EQ(a.distinct, 4U * 5 * 4);
  EXPECT_DOUBLE_EQ(a.times(), 8.0);
  EXPECT_DOUBLE_EQ(a.readers, 8.0);
  const Advice advice = advice_of(trace, 100);
  EXPECT_EQ(headline(advice), "Copy a to shared memory: 8 times fewer global reads");
  EXPECT_NE(sentence(a, advice).find("the 8 invocations along x"), std::string::npos);
}

TEST(Advice, IndirectIndicesAreJudgedByWhereTheyLead) {
  constexpr std::array<std::uint64_t, 4> kNeighbours{40, 7, 99, 12};
  Trace trace = workgroup({16, 1, 1});
  read(trace, 48, [&](std::uint32_t, std::uint32_t, std::uint32_t turn) {
    return 12 * kNeighbours[turn / 12] + turn % 12;  // so many particles a neighbour
  });
  EXPECT_EQ(only(trace).tiling, Tiling::worth);
  trace.accesses.back().offset += 4;  // one invocation goes elsewhere in one turn
  const ArrayAdvice a = only(trace);
  EXPECT_EQ(a.invariant(), (std::array{false, false, false}));
}

TEST(Advice, ElementsOfOnesOwnAreNothingToGain) {
  Trace trace = workgroup({8, 4, 1});
  read(trace, 3,
       [](std::uint32_t x, std::uint32_t y, std::uint32_t t) { return x + 8 * (y + 4 * t); });
  EXPECT_EQ(only(trace).tiling, Tiling::nothing);
  Trace again = workgroup({8, 4, 1});
  read(again, 3, [](std::uint32_t x, std::uint32_t y, std::uint32_t) { return x + 8 * y; });
  const ArrayAdvice a = only(again);
  EXPECT_EQ(a.tiling, Tiling::nothing);
  EXPECT_NE(sentence(a, advice_of(again, 1)).find("keep them in registers"), std::string::npos);
}

TEST(Advice, WhatEveryoneReadsOnceIsNotStreamed) {
  Trace trace = workgroup({8, 4, 1});
  read(trace, 1, [](auto, auto, auto) { return 3; });
  EXPECT_EQ(only(trace).tiling, Tiling::nothing);
}

// A list of a few indices: lavaMD's neighbours.
TEST(Advice, AShortListThatAllReadTogetherStaysWhereItIs) {
  Trace list = workgroup({8, 4, 1});
  read(list, 32, [](std::uint32_t, std::uint32_t, std::uint32_t turn) { return turn; });
  EXPECT_EQ(only(list).tiling, Tiling::nothing);
  EXPECT_NE(sentence(only(list), advice_of(list, 1)).find("the same 128 bytes, few enough"),
            std::string::npos);
  Trace longer = workgroup({8, 4, 1});
  read(longer, 33, [](std::uint32_t, std::uint32_t, std::uint32_t turn) { return turn; });
  EXPECT_EQ(only(longer).tiling, Tiling::worth);
}

TEST(Advice, NeighboursShareElementsOfAStencil) {
  Trace trace = workgroup({32, 1, 1});
  for (const std::uint32_t side : {0U, 1U, 2U}) {
    read(trace, 1, [side](std::uint32_t x, std::uint32_t, std::uint32_t) { return x + side; });
  }
  const ArrayAdvice a = only(trace);
  EXPECT_EQ(a.tiling, Tiling::worth);
  EXPECT_EQ(a.invariant(), (std::array{false, false, false}));
  EXPECT_NEAR(a.readers, 96.0 / 34.0, 1e-9);
  EXPECT_EQ(a.most_read_by, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Advice, WhatGoesIntoSharedMemoryIsStagedAlready) {
  Trace trace = workgroup({8, 4, 1});
  read(trace, 3,
       [](std::uint32_t x, std::uint32_t y, std::uint32_t t) { return x + 8 * (y + 4 * t); });
  write(trace, 1);
  const ArrayAdvice a = only(trace);
  EXPECT_EQ(a.tiling, Tiling::staged);
  EXPECT_TRUE(a.reads.at(0).staged);
  for (TracedAccess& access : trace.accesses) {  // it writes something else
    access.value += trace.sites[access.site].writes ? 1 : 0;
  }
  trace.accesses.front().value = 0;
  EXPECT_EQ(only(trace).tiling, Tiling::nothing);
}

// Something else than a copy may make it faster.
TEST(Advice, WhereNothingIsToBeStagedNothingElseIsClaimed) {
  Trace trace = workgroup({8, 4, 1});
  read(trace, 3,
       [](std::uint32_t x, std::uint32_t y, std::uint32_t t) { return x + 8 * (y + 4 * t); });
  EXPECT_EQ(headline(advice_of(trace, 1)),
            "Nothing to copy: no array is read often enough within a workgroup");
  write(trace, 1);
  EXPECT_FALSE(advises(advice_of(trace, 1)));
  EXPECT_EQ(headline(advice_of(trace, 1)),
            "Nothing more to copy: everything that is read already goes through shared memory");
}

TEST(Advice, WhatIsNotStagedIsNotSaidToBe) {
  const ArrayAdvice image{.name = "image", .asked = 400, .distinct = 400, .tiling = Tiling::staged};
  const ArrayAdvice weights{.name = "weights", .asked = 6400, .distinct = 100, .is_short = true};
  const ArrayAdvice once{.name = "a", .asked = 64, .distinct = 64};
  Advice advice{.arrays = {image, weights}};
  EXPECT_EQ(headline(advice),
            "Nothing more to copy: image already goes through shared memory; one load of weights "
            "serves a "
            "whole subgroup");
  advice.arrays = {image, once};
  EXPECT_EQ(headline(advice),
            "Nothing more to copy: image already goes through shared memory; a is read once");
  advice.arrays = {image, once, weights};
  EXPECT_EQ(headline(advice),
            "Nothing more to copy: image already goes through shared memory; copies of the other "
            "arrays would not help");
}

TEST(TimeBound, IsTheDearerOfMemoryAndArithmetic) {
  Result result;
  EXPECT_FALSE(time_bound(result));
  Ceilings ceilings;
  ceilings.copy_gbps = 100.0;
  ceilings.fma_gflops = 1000.0;
  result.ceilings = std::make_shared<Ceilings>(ceilings);
  result.bytes = 1e8;  // a millisecond
  result.flops = 5e8;  // half of one
  EXPECT_FALSE(time_bound(result)) << "not measured";
  result.timing.spread.median = 1.2;
  const auto bound = time_bound(result);
  ASSERT_TRUE(bound);
  EXPECT_DOUBLE_EQ(bound->ms, 1.0);
  EXPECT_TRUE(bound->by_memory);
  EXPECT_TRUE(bound->is_near());
  result.flops = 5e9;
  result.timing.spread.median = 10.0;
  EXPECT_FALSE(time_bound(result)->by_memory);
  EXPECT_DOUBLE_EQ(time_bound(result)->times(), 2.0);
  EXPECT_FALSE(time_bound(result)->is_near());
}

TEST(Advice, ACopyOfWhatIsWrittenWouldGoStale) {
  Trace trace = workgroup({8, 4, 1});
  read(trace, 5, [](std::uint32_t, std::uint32_t y, std::uint32_t turn) { return y * 5 + turn; });
  write(trace, 0);
  const ArrayAdvice a = only(trace);
  EXPECT_TRUE(a.written);
  EXPECT_EQ(a.tiling, Tiling::nothing);
}

}  // namespace
}  // namespace core

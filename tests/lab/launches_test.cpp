// Variants of several launches, on whatever device is there: every probe sees each launch's own
// kernel, and answers for all of them.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "lab/run/check.h"
#include "lab/run/timeline.h"
#include "lab/run/trace.h"

namespace lab {
namespace {

class Launches : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = gpu::Driver::open({.validation = true});
    if (!opened) {
      opened = gpu::Driver::open({});
    }
    if (!opened) {
      GTEST_SKIP() << "no Vulkan device";
    }
    driver = *opened;
    auto workbench = Workbench::open(driver, "");
    ASSERT_TRUE(workbench) << workbench.error().message;
    bench = std::move(*workbench);
  }
  void TearDown() override {
    if (driver) {
      EXPECT_TRUE(driver->validation_messages().empty()) << driver->validation_messages().front();
    }
  }

  // `divided`, with another kernel for what is left over.
  core::Expected<std::unique_ptr<lab::Setup>> set_up(const std::string& other,
                                                     const core::BarrierEdits& barriers = {},
                                                     const core::Sizes& size = {40, 23}) {
    core::Variant variant = read_variant(find_shaders().value() / "transpose/divided.comp");
    EXPECT_FALSE(variant.broken);
    for (core::LaunchPlan& launch : variant.launches) {
      launch.kernel = launch.kernel.empty() ? "" : other;
    }
    return bench->set_up(
        variant, {.variant = variant.id(), .size = size, .tile = 16, .barriers = barriers}, 1e9);
  }

  std::shared_ptr<gpu::Driver> driver;
  std::unique_ptr<Workbench> bench;
};

std::vector<std::uint64_t> racing(const core::CheckReport& report) {
  std::vector<std::uint64_t> groups;
  for (std::uint64_t i = 0; i < report.workgroups; ++i) {
    if (report.racing(i)) {
      groups.push_back(i);
    }
  }
  return groups;
}

// 40×23 in tiles of 16: two columns of tiles, three rows; those of M are 0 and 2.
TEST_F(Launches, EditsAndFindingsBelongToTheirKernel) {
  for (const std::uint32_t barrier : {1U, 2U}) {
    SCOPED_TRACE(barrier);
    const auto setup = set_up("padded", {{barrier, core::BarrierKind::off}});
    ASSERT_TRUE(setup) << setup.error().message;
    EXPECT_EQ(describe(**setup, bench->info()).experiment.barriers.begin()->first, barrier);
    const auto report = check(bench->device(), (*setup)->turns());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->verdict, core::Verdict::racy);
    EXPECT_EQ(report->workgroups, 6U);
    EXPECT_EQ(report->workgroups_checked, 6U);
    ASSERT_FALSE(report->findings.empty());
    const core::Finding& first = report->findings.front();
    EXPECT_EQ(first.kernel, barrier == 1 ? "transpose/divided" : "transpose/padded");
    const std::vector<std::uint64_t> middle{0, 2};
    const std::vector<std::uint64_t> others{1, 3, 4, 5};
    EXPECT_EQ(racing(*report), barrier == 1 ? middle : others);
    const auto& [x, y, z] = first.workgroup;
    EXPECT_TRUE(std::ranges::count(racing(*report), y * 2 + x) == 1) << x << ", " << y;
  }
  const auto none = set_up("padded", {{3, core::BarrierKind::off}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "there is no barrier 3: the kernels have 2, counted from 1");
}

TEST_F(Launches, AreTracedByTheWorkgroupsOwnKernel) {
  const auto setup = set_up("naive");
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_EQ((*setup)->launches.size(), 3U);
  const auto shared = [](const core::Trace& trace) {
    return std::ranges::count(trace.variables, core::MemoryKind::shared,
                              &core::TracedVariable::memory);
  };
  const Turns turns = (*setup)->turns();
  const auto whole = trace_workgroup(bench->device(),
                                     *turns[(*setup)->launch_of(0, {0, 1, 0})].specimen, {0, 1, 0});
  const auto corner = trace_workgroup(
      bench->device(), *turns[(*setup)->launch_of(0, {1, 2, 0})].specimen, {1, 2, 0});
  ASSERT_TRUE(whole && corner);
  EXPECT_EQ(shared(*whole), 1);
  EXPECT_EQ(whole->accesses.size(), 4U * 256U);
  EXPECT_EQ(shared(*corner), 0);
  EXPECT_EQ(corner->accesses.size(), 2U * 8U * 7U);
}

TEST_F(Launches, AreOnOneTimeline) {
  if (!bench->info().shader_clock) {
    GTEST_SKIP() << "no clock that a kernel can read";
  }
  const auto setup = set_up("naive");
  ASSERT_TRUE(setup) << setup.error().message;
  const auto timeline = record_timeline(bench->device(), (*setup)->turns());
  ASSERT_TRUE(timeline) << timeline.error().message;
  EXPECT_EQ(timeline->launches, 3U);
  EXPECT_GE(timeline->slices.size(), 3U);
  EXPECT_TRUE(timeline->incomplete.empty()) << timeline->incomplete.front();
  ASSERT_EQ(timeline->tiles.size(), 6U);
  // Launch 2 is the tile below M, launch 3 the right column: all after what was launched before.
  for (const std::size_t later : {1U, 3U, 5U}) {
    EXPECT_GE(timeline->tiles[later].start, timeline->tiles[4].end) << later;
  }
  EXPECT_GE(timeline->tiles[4].start, std::max(timeline->tiles[0].end, timeline->tiles[2].end));
}

TEST_F(Launches, OfNothingAreLeftOut) {
  const auto launches = [&](const core::Sizes& size) {
    const auto setup = set_up("naive", {}, size);
    EXPECT_TRUE(setup) << setup.error().message;
    std::vector<std::string> kernels;
    for (const SetupLaunch& launch : (*setup)->launches) {
      kernels.push_back(launch.kernel->variant.name);
    }
    return kernels;
  };
  EXPECT_EQ(launches({32, 48}), (std::vector<std::string>{"divided"}));
  EXPECT_EQ(launches({15, 15}), (std::vector<std::string>{"naive"}));
  EXPECT_EQ(launches({16, 17}), (std::vector<std::string>{"divided", "naive"}));
  EXPECT_EQ(launches({17, 17}), (std::vector<std::string>{"divided", "naive", "naive"}));
}

TEST_F(Launches, RefuseKernelsThatDoNotFitTogether) {
  const auto other = set_up("tiled");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            "transpose/tiled can't be launched by transpose/divided: their workgroups differ in "
            "size or in what they cover");
  const auto missing = set_up("missing");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("missing.comp"), std::string::npos);
  const auto again = set_up("divided");
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("has launches of its own"), std::string::npos);
}

}  // namespace
}  // namespace lab

// Variants of several launches, on whatever device is there: every probe sees each launch's own
// kernel, and answers for all of them.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lab/files/dispatch_file.h"
#include "lab/plan/kernel_module.h"
#include "lab/probe/check.h"
#include "lab/probe/trace.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "tests/lab/on_device.h"

namespace lab {
namespace {

class Launches : public test::OnDevice {
 protected:
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

  static core::Variant in_turn() {
    return read_variant(find_shaders().value() / "attention/three-launches.comp");
  }
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

// As --timeout has it: what ran is told, and what did not is no clean verdict.
TEST_F(Launches, ACheckThatIsStoppedTellsWhatItSaw) {
  const auto setup = set_up("padded");
  ASSERT_TRUE(setup) << setup.error().message;
  const Turns turns = (*setup)->turns();
  ASSERT_GT(turns.size(), 2U);
  CheckOptions options{.slice_ms = 1e-6, .observer = [](std::uint64_t) { return false; }};
  const auto none = check(bench->device(), turns, options);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(none->verdict, core::Verdict::incomplete);
  EXPECT_GT(none->workgroups_checked, 0U);
  EXPECT_LE(none->workgroups_checked, turns.front().groups.count());
  EXPECT_EQ(none->workgroups, (*setup)->group_count());
  EXPECT_TRUE(std::ranges::any_of(none->incomplete, [&](const std::string& why) {
    return why == std::to_string(turns.size() - 1) + " of its launches were not checked";
  }));
  const std::uint64_t first = turns.front().groups.count();
  options.observer = [&](std::uint64_t done) { return done < first + 1; };
  const auto some = check(bench->device(), turns, options);
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_GT(some->workgroups_checked, first);
  EXPECT_LT(some->workgroups_checked, some->workgroups);
}

// What was found by then is a verdict, of a check that is timed too.
TEST_F(Launches, ARaceThatWasFoundBeforeTheEndIsOne) {
  const auto setup = set_up("padded", {{1, core::BarrierKind::off}});
  ASSERT_TRUE(setup) << setup.error().message;
  const auto report =
      check(bench->device(), (*setup)->turns(),
            {.measure = true, .slice_ms = 1e-6, .observer = [](std::uint64_t) { return false; }});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->verdict, core::Verdict::racy);
  EXPECT_EQ(report->plain_ms, 0.0);
  EXPECT_FALSE(report->incomplete.empty());
}

// Workgroups that ask in a loop what others told go in one piece: in a later one nobody would tell.
TEST_F(Launches, OfWorkgroupsThatMayWaitForOthersNoneIsLeftForLater) {
  const auto pieces = [&](const std::string& id) {
    const core::Variant variant = read_variant(find_shaders().value() / (id + ".comp"));
    const auto setup =
        bench->set_up(variant, {.variant = variant.id(), .size = {8000}, .tile = 64}, 1e9);
    EXPECT_TRUE(setup) << setup.error().message;
    int count = 0;
    const auto report = check(bench->device(), (*setup)->turns(),
                              {.slice_ms = 1e-6, .observer = [&](std::uint64_t) {
                                 ++count;
                                 return true;
                               }});
    EXPECT_TRUE(report) << report.error().message;
    return count;
  };
  EXPECT_EQ(pieces("scan/look-back"), 2) << "the first goes alone, as its loops may not end";
  EXPECT_GT(pieces("reduction/sequential"), 2);
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
  EXPECT_EQ(none.error().message, "barrier 3 does not exist: the kernels have 2, counted from 1");
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
  const auto timeline = recorded(bench->device(), (*setup)->turns());
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

// Three launches with grids and push constants of their own, which pass their scores on.
TEST_F(Launches, EachHaveAGridOfTheirOwn) {
  const core::Variant variant = in_turn();
  const auto setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_EQ((*setup)->launches.size(), 3U);
  EXPECT_EQ((*setup)->tiles(0).groups(), glm::uvec3(5, 5, 2));
  EXPECT_EQ((*setup)->tiles(1).groups(), glm::uvec3(70, 2, 1));
  EXPECT_EQ((*setup)->tiles(2).groups(), glm::uvec3(3, 5, 2));
  EXPECT_EQ((*setup)->group_count(), 220U);
  for (const double budget : {1e9, 1e-6}) {  // as dispatches a launch, and cut into slices
    const auto again =
        bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, budget);
    ASSERT_TRUE(again);
    std::uint64_t last = 0;
    const auto check = bench->verify(**again, [&last](std::uint64_t done) {
      EXPECT_GT(done, last);
      last = done;
      return true;
    });
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->correct) << check->worst;
    EXPECT_EQ(last, 220U);
  }
  const core::Result shown = describe(**setup, bench->info(), 1);
  EXPECT_EQ(shown.tiles.groups(), glm::uvec3(70, 2, 1));
  EXPECT_EQ(shown.facts.get(), shown.launches[1].facts.get());
  EXPECT_EQ(shown.grids(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(shown.items_work(), nullptr);
}

TEST_F(Launches, AreTimedTogetherAndEach) {
  const core::Variant variant = in_turn();
  const auto setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_TRUE(bench->load(**setup));
  const auto times = (*setup)->launcher->launch_many((*setup)->buffers(), 3);
  ASSERT_TRUE(times) << times.error().message;
  ASSERT_EQ(times->size(), 3U);
  for (const LaunchTime& time : *times) {
    ASSERT_EQ(time.each.size(), 3U);
    EXPECT_GT(*std::ranges::min_element(time.each), 0.0);
    EXPECT_GE(time.ms * 1.0001, time.each[0] + time.each[1] + time.each[2]);
  }
}

// A probe of a later launch finds in memory what the launches before leave there: a row of softmax
// reads its own scores, which are neither zeros nor poison, and whose weights add up to 1.
TEST_F(Launches, AreProbedOnWhatIsPassedOn) {
  const core::Variant variant = in_turn();
  const auto setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  const Turns turns = (*setup)->turns();
  const auto trace = trace_workgroup(bench->device(), *turns[1].specimen, {3, 1, 0},
                                     {.before = std::span(turns).first(1)});
  ASSERT_TRUE(trace) << trace.error().message;
  double total = 0.0;
  std::size_t written = 0;
  for (const core::TracedAccess& access : trace->accesses) {
    const core::TracedSite& site = trace->sites[access.site];
    if (trace->variables[site.variable].memory == core::MemoryKind::global && site.writes) {
      total += static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(access.value)));
      ++written;
    }
  }
  EXPECT_EQ(written, 70U);
  EXPECT_NEAR(total, 1.0, 1e-4);
}

// Barriers count on from kernel to kernel, and a race is told of its launch and grid alone.
TEST_F(Launches, FindingsAreOfTheirLaunchAlone) {
  const core::Variant variant = in_turn();
  for (const std::uint32_t barrier : {2U, 3U}) {
    SCOPED_TRACE(barrier);
    const auto setup = bench->set_up(variant,
                                     {.variant = variant.id(),
                                      .size = {2, 70, 33},
                                      .barriers = {{barrier, core::BarrierKind::off}}},
                                     1e9);
    ASSERT_TRUE(setup) << setup.error().message;
    const auto report = check(bench->device(), (*setup)->turns());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->verdict, core::Verdict::racy);
    EXPECT_EQ(report->workgroups_checked, 220U);
    ASSERT_FALSE(report->findings.empty());
    EXPECT_EQ(report->findings.front().launch, 2U);
    EXPECT_EQ(report->findings.front().kernel, "attention/three-launches/softmax");
    EXPECT_TRUE(report->racing(0, 1));
    EXPECT_FALSE(report->racing(0, 0));
    EXPECT_FALSE(report->racing(0, 2));
  }
}

TEST_F(Launches, HaveATimelineEach) {
  if (!bench->info().shader_clock) {
    GTEST_SKIP() << "no clock that a kernel can read";
  }
  const core::Variant variant = in_turn();
  const auto setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  for (const std::size_t grid : {0U, 1U, 2U}) {
    const auto timeline = recorded(bench->device(), (*setup)->turns(), {.grid = grid});
    ASSERT_TRUE(timeline) << timeline.error().message;
    EXPECT_EQ(timeline->tiles.size(), (*setup)->tiles(grid).group_count());
    EXPECT_TRUE(timeline->incomplete.empty()) << timeline->incomplete.front();
    EXPECT_GT(timeline->length, 0U);
  }
}

// Saved, and opened again as a stranger's: the same answer without a workload.
TEST_F(Launches, AreSavedAndOpenedAgain) {
  const core::Variant variant = in_turn();
  auto setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_TRUE(setup) << setup.error().message;
  const auto on = [](std::uint64_t) { return true; };
  const auto folder = std::filesystem::temp_directory_path() / "tilescope-launches-test";
  std::vector<const core::Dispatch*> launches;
  for (std::size_t i = 0; i < 3; ++i) {
    launches.push_back(&(*setup)->dispatch(i));
  }
  ASSERT_TRUE(write_dispatch(folder, launches, {}, 1));
  ASSERT_TRUE(bench->verify(**setup, on));
  const auto want = bench->download(*(*setup)->buffers()[3]);
  const core::Variant saved = read_kernel(folder / kDispatchFile);
  ASSERT_FALSE(saved.broken) << saved.broken->message;
  auto again = bench->set_up(saved, {.variant = saved.id()}, 1e9);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->launches.size(), 3U);
  EXPECT_EQ((*again)->tiles(1).groups(), glm::uvec3(70, 2, 1));
  ASSERT_TRUE(bench->reset(**again));
  ASSERT_TRUE((*again)->launcher->launch((*again)->buffers(), on));
  const auto got = bench->download(*(*again)->buffers()[3]);
  ASSERT_TRUE(want && got);
  EXPECT_EQ(*got, *want);
  std::filesystem::remove_all(folder);
}

TEST_F(Launches, SayWhatIsWrongWithTheirExpressions) {
  core::Variant variant = in_turn();
  variant.launches[1].groups = {"LENGHT"};
  auto setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_FALSE(setup);
  EXPECT_NE(
      setup.error().message.find("the groups of a launch: \"LENGHT\": unknown name \"LENGHT\""),
      std::string::npos)
      << setup.error().message;
  variant = in_turn();
  variant.launches[2].constants["DEPTH"] = "1";
  setup = bench->set_up(variant, {.variant = variant.id(), .size = {2, 70, 33}}, 1e9);
  ASSERT_FALSE(setup);
  EXPECT_NE(setup.error().message.find("\"DEPTH\""), std::string::npos) << setup.error().message;
}

TEST_F(Launches, RefuseKernelsThatDoNotFitTogether) {
  const auto other = set_up("tiled");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            "transpose/tiled cannot be launched by transpose/divided: their workgroups differ in "
            "size or in the part of the output that they cover");
  const auto missing = set_up("missing");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("missing.comp"), std::string::npos);
  const auto again = set_up("divided");
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("has its own launches"), std::string::npos);
}

}  // namespace
}  // namespace lab

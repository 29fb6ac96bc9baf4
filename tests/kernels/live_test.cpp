// The lab as the window uses it: requests in, snapshots out.
#include "tests/kernels/live.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/model/ceilings.h"
#include "core/report/timeline.h"
#include "core/work/barrier_trials.h"
#include "lab/live/lab.h"
#include "lab/ready/catalogue_files.h"
#include "tests/cli/process.h"

namespace {

using namespace std::chrono_literals;
using tests::Snapshot;

class Live : public testing::Test {
 protected:
  Live()
      : lab_(lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
             {.ladder = false}) {}

  Snapshot wait_for(const std::function<bool(const core::Result&)>& there) const {
    return tests::wait_for(lab_, there);
  }
  Snapshot wait_for_check(const core::BarrierEdits& barriers) const {
    return wait_for([&](const core::Result& result) {
      return result.races && result.experiment.barriers == barriers;
    });
  }

  lab::Lab lab_;
};

TEST_F(Live, EveryExperimentIsCheckedForRacesInTheBackground) {
  core::Experiment experiment{.variant = "matmul/tiled", .size = {64, 64, 64}};
  lab_.request(experiment);
  const Snapshot clean = wait_for_check({});
  ASSERT_TRUE(clean);
  EXPECT_EQ(clean->races->verdict, core::Verdict::clean);
  EXPECT_FALSE(clean->timing.samples_ms.empty()) << "the plain launch goes first";

  experiment.barriers = {{1, core::BarrierKind::off}};
  lab_.request(experiment);
  const Snapshot racy = wait_for_check(experiment.barriers);
  ASSERT_TRUE(racy);
  EXPECT_EQ(racy->races->verdict, core::Verdict::racy);
  EXPECT_EQ(racy->races->workgroups_checked, racy->tiles.group_count());
  EXPECT_TRUE(racy->races->racing(0));
}

// Tiles, facts, trace and timeline are always of the launch that is shown.
// Whoever asks for a barrier off waits for its races: not for the answer of some launch, which is
// compared with a reference, and not for samples of its time.
TEST_F(Live, RacesComeFirstWhereABarrierIsOff) {
  core::Experiment experiment{.variant = "matmul/tiled", .size = {256, 256, 512}};
  experiment.barriers = {{1, core::BarrierKind::off}};
  lab_.request(experiment);
  const Snapshot first = wait_for([](const core::Result& r) { return r.races != nullptr; });
  ASSERT_TRUE(first);
  EXPECT_EQ(first->races->verdict, core::Verdict::racy);
  EXPECT_FALSE(first->check.done);
  EXPECT_TRUE(first->timing.samples_ms.empty());
  EXPECT_TRUE(wait_for([](const core::Result& r) { return r.check.done; }));
}

TEST_F(Live, OneLaunchOfSeveralIsShownAtATime) {
  lab_.request({.variant = "attention/three-launches", .size = {2, 70, 33}});
  const Snapshot first = wait_for([](const core::Result& r) { return r.timeline != nullptr; });
  ASSERT_TRUE(first);
  EXPECT_EQ(first->launch, 0U);
  EXPECT_EQ(first->timing.each_ms.size(), 3U);
  lab_.show(1);
  lab_.trace(5);
  const Snapshot second =
      wait_for([](const core::Result& r) { return r.launch == 1 && r.trace && r.timeline; });
  ASSERT_TRUE(second);
  EXPECT_EQ(second->tiles.groups(), glm::uvec3(70, 2, 1));
  EXPECT_EQ(second->facts.get(), second->launches[1].facts.get());
  EXPECT_EQ(second->trace->workgroup, (std::array<std::uint32_t, 3>{5, 0, 0}));
  if (second->timeline->incomplete.empty()) {
    EXPECT_EQ(second->timeline->tiles.size(), 140U);
  }
}

TEST_F(Live, AKernelThatOnlyItsVariantLaunchesIsEditedLikeAnyOther) {
  lab_.request({.variant = "attention/three-launches", .size = {2, 70, 33}});
  const Snapshot clean = wait_for([](const core::Result& r) { return r.races != nullptr; });
  ASSERT_TRUE(clean);
  EXPECT_EQ(clean->races->verdict, core::Verdict::clean);
  std::string text = clean->launches[1].source;
  const std::string barrier = "    barrier();\n";
  ASSERT_NE(text.find(barrier), std::string::npos);
  lab_.edit("attention/three-launches/softmax", text.erase(text.find(barrier), barrier.size()));
  const Snapshot racy = wait_for(
      [](const core::Result& r) { return r.races && r.races->verdict == core::Verdict::racy; });
  ASSERT_TRUE(racy);
  EXPECT_EQ(racy->races->findings.front().launch, 2U);
  EXPECT_EQ(racy->launches[1].source, text);
  lab_.edit("attention/three-launches/softmax", std::nullopt);
  EXPECT_TRUE(wait_for(
      [](const core::Result& r) { return r.races && r.races->verdict == core::Verdict::clean; }));
}

// Its inputs would take all memory, and minutes, before anybody asked whether a buffer holds them.
TEST_F(Live, SizesThatNoBufferHoldsAreSaidAndTheLastGoodOneGoesOn) {
  lab_.request({.variant = "lavamd/tiled", .size = {2, 8}});
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.timing.launches > 3; }));
  lab_.request({.variant = "lavamd/tiled", .size = {1000, 100}});
  const Snapshot told = wait_for([](const core::Result& r) { return r.error.has_value(); });
  ASSERT_TRUE(told);
  EXPECT_NE(told->error->message.find("this device "), std::string::npos) << told->error->message;
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return r.problem.sizes == core::Sizes{2, 8} && r.timing.launches > told->timing.launches;
  }));
}

bool shows_its_text_alone(const core::Result& r, const std::string& id) {
  return r.variant.id() == id && r.text_only && !r.variant.source.empty() && !r.races &&
         !r.check.done && r.timing.samples_ms.empty() && r.launches.empty() && r.fields.empty() &&
         !r.trace && !r.timeline && !r.occupancy;
}

// The kernel before was correct and race-free: nothing of it is beside another kernel's name.
TEST_F(Live, AnotherKernelShowsNothingOfTheOneBefore) {
  lab_.request({.variant = "matmul/tiled", .size = {64, 64, 64}});
  ASSERT_TRUE(wait_for_check({}));
  lab_.request({.variant = "matmul/naive", .size = {64, 64, 64}});
  EXPECT_TRUE(shows_its_text_alone(*lab_.latest(), "matmul/naive")) << "as soon as it is asked for";
  ASSERT_TRUE(wait_for_check({}));
  EXPECT_EQ(lab_.latest()->experiment.variant, "matmul/naive");

  lab_.request({.variant = "lavamd/tiled", .size = {1000, 100}});
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.error.has_value(); }));
  EXPECT_TRUE(shows_its_text_alone(*lab_.latest(), "lavamd/tiled")) << "it does not fit";
  EXPECT_EQ(lab_.latest()->stage, core::Stage::failed);
}

TEST_F(Live, AKernelThatDoesNotCompileShowsItsTextAndCanBeEdited) {
  lab_.request({.variant = "matmul/tiled", .size = {64, 64, 64}});
  ASSERT_TRUE(wait_for_check({}));
  const auto file = std::filesystem::temp_directory_path() /
                    ("tilescope-live-" + std::to_string(::getpid()) + ".comp");
  const std::string good =
      "#version 460\nlayout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
      "void main() { d[gl_GlobalInvocationID.x] = 7u; }\n";
  const std::string broken = std::string(good).insert(
      13, "#extension GL_GOOGLE_include_directive : require\n#include \"missing.glsl\"\n");
  std::ofstream(file) << broken;
  lab_.request({.variant = file.string()});
  EXPECT_TRUE(shows_its_text_alone(*lab_.latest(), file.string()));
  const Snapshot told = wait_for([](const core::Result& r) { return r.error.has_value(); });
  ASSERT_TRUE(told);
  EXPECT_TRUE(shows_its_text_alone(*told, file.string()));
  EXPECT_EQ(told->variant.source, broken);
  EXPECT_EQ(told->error->line, 3);
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(shows_its_text_alone(*lab_.latest(), file.string())) << "nothing else runs on";

  lab_.edit(file.string(), good);
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return !r.error && r.races && r.variant.source == good && r.timing.launches > 0;
  }));
  std::filesystem::remove(file);
}

// The first text takes long to compile, so the second one is saved meanwhile.
TEST_F(Live, AFileThatIsSavedWhileItIsSetUpIsReadAgain) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("tilescope-saved-" + std::to_string(::getpid()) + ".comp");
  const std::string start =
      "#version 460\nlayout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer D { uint d[]; };\n";
  std::string first = start;
  for (int i = 0; i < 1500; ++i) {
    first +=
        "uint f" + std::to_string(i) + "(uint x) { return x * 3u + " + std::to_string(i) + "u; }\n";
  }
  first += "void main() { d[gl_GlobalInvocationID.x] = f7(1u); }\n";
  const std::string second = start + "void main() { d[gl_GlobalInvocationID.x] = 2u; }\n";
  std::ofstream(file) << first;
  lab_.request({.variant = file.string()});
  ASSERT_TRUE(wait_for([&](const core::Result& r) { return r.variant.source == first; }));
  std::ofstream(file) << second;
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return !r.error && r.variant.source == second && r.timing.launches > 0;
  }));
  std::filesystem::remove(file);
}

TEST_F(Live, ARequestStopsACheckAndAnotherFollows) {
  core::Experiment experiment{.variant = "matmul/tiled",
                              .size = {512, 512, 512},
                              .barriers = {{1, core::BarrierKind::off}}};
  lab_.request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.races_progress > 0.0 || r.races; }));
  experiment.size = {32, 32, 32};
  lab_.request(experiment);
  const Snapshot small = wait_for(
      [](const core::Result& r) { return r.races && r.problem.sizes == core::Sizes{32, 32, 32}; });
  ASSERT_TRUE(small);
  EXPECT_EQ(small->races->workgroups, 4U);
}

TEST_F(Live, TheWorkgroupThatIsLookedIntoIsTracedAgainWheneverTheKernelChanges) {
  core::Experiment experiment{.variant = "matmul/tiled", .size = {64, 64, 64}};
  lab_.request(experiment);
  lab_.trace(5);
  const auto traced = [](std::array<std::uint32_t, 3> workgroup, std::size_t edits) {
    return [workgroup, edits](const core::Result& r) {
      return r.trace && r.trace->workgroup == workgroup && r.experiment.barriers.size() == edits;
    };
  };
  const Snapshot first = wait_for(traced({1, 1, 0}, 0));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->trace->phases.size(), 9U);
  lab_.trace(2);
  EXPECT_TRUE(wait_for(traced({2, 0, 0}, 0)));
  experiment.barriers = {{1, core::BarrierKind::off}};
  lab_.request(experiment);
  const Snapshot edited = wait_for(traced({2, 0, 0}, 1));
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->trace->phases.size(), 5U);
}

// It is read beside the lab's thread, which launches on meanwhile.
TEST_F(Live, TheTimelineIsRecordedInTheBackgroundAndGoesWithItsExperiment) {
  core::Experiment experiment{.variant = "transpose/tiled", .size = {1024, 1024}, .tile = 8};
  lab_.request(experiment);
  const Snapshot checked = wait_for_check({});
  ASSERT_TRUE(checked);
  EXPECT_FALSE(checked->timeline) << "the check goes first";
  const Snapshot first = wait_for([](const core::Result& r) { return r.timeline != nullptr; });
  ASSERT_TRUE(first);
  EXPECT_GT(first->timing.launches, checked->timing.launches);
  if (!first->device.shader_clock) {
    EXPECT_FALSE(first->timeline->incomplete.empty()) << "it says why there is none";
    return;
  }
  EXPECT_EQ(first->timeline->tiles.size(), first->tiles.group_count());

  experiment.tile = 32;
  lab_.request(experiment);
  const Snapshot other = wait_for([](const core::Result& r) { return r.experiment.tile == 32; });
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->timeline) << "of another experiment";
  const Snapshot second = wait_for([](const core::Result& r) { return r.timeline != nullptr; });
  ASSERT_TRUE(second);
  EXPECT_EQ(second->timeline->tiles.size(), 1024U);
}

// Dropped while it is read, or before it is recorded: what comes next has its own.
TEST_F(Live, ATimelineThatIsDroppedOnTheWayIsNotMistakenForTheNextOne) {
  core::Experiment experiment{.variant = "transpose/tiled", .size = {1024, 1024}};
  for (const std::uint32_t tile : {8U, 16U, 8U, 32U}) {
    experiment.tile = tile;
    lab_.request(experiment);
    ASSERT_TRUE(
        wait_for([tile](const core::Result& r) { return r.experiment.tile == tile && r.races; }));
  }
  const Snapshot last = wait_for([](const core::Result& r) { return r.timeline != nullptr; });
  ASSERT_TRUE(last);
  EXPECT_EQ(last->experiment.tile, 32U);
  EXPECT_TRUE(last->timeline->tiles.size() == 1024U || !last->timeline->incomplete.empty());
}

TEST_F(Live, AComparisonMeasuresEveryRungOrSaysWhyNot) {
  lab_.request({.variant = "barrier/two-barriers", .size = {16, 8}});
  ASSERT_TRUE(wait_for([](const core::Result& r) { return !r.timing.samples_ms.empty(); }));
  lab_.compare();
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.comparing; }));
  const Snapshot done = wait_for([](const core::Result& r) {
    return !r.comparing && !r.ladder.empty() && (r.ladder.back().measured || r.ladder.back().error);
  });
  ASSERT_TRUE(done);
  std::size_t refused = 0;
  for (const core::Rung& rung : done->ladder) {
    EXPECT_TRUE(rung.measured != rung.error.has_value()) << rung.variant;
    EXPECT_FALSE(rung.due) << rung.variant;
    EXPECT_TRUE(!rung.measured || rung.warm_up > 0) << rung.variant;
    refused += rung.refused ? 1 : 0;
  }
  EXPECT_GT(refused, 0U) << "the workload has kernels whose barriers diverge";
}

TEST_F(Live, CancellingAComparisonGoesBackToTheLiveView) {
  lab_.request({.variant = "barrier/two-barriers", .size = {16, 8}});
  ASSERT_TRUE(wait_for([](const core::Result& r) { return !r.timing.samples_ms.empty(); }));
  lab_.compare();
  const Snapshot begun = wait_for([](const core::Result& r) { return r.comparing; });
  ASSERT_TRUE(begun);
  lab_.cancel();
  const Snapshot after = wait_for([&](const core::Result& r) {
    return !r.comparing && r.timing.launches > begun->timing.launches;
  });
  ASSERT_TRUE(after);
  EXPECT_EQ(after->stage, core::Stage::running);
  for (const core::Rung& rung : after->ladder) {
    EXPECT_FALSE(rung.due) << rung.variant;
  }
}

// A request that edits barriers only leaves them standing; another kernel's are its own.
TEST_F(Live, TrialsOfBarriersGoThroughEveryKindAndCanBeGivenUp) {
  core::Experiment experiment{.variant = "barrier/one-barrier", .size = {5, 4}};
  lab_.request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return !r.timing.samples_ms.empty(); }));
  lab_.try_barriers();
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.trying; }));
  lab_.cancel();
  const Snapshot given_up = wait_for([](const core::Result& r) { return r.trials && !r.trying; });
  ASSERT_TRUE(given_up);
  EXPECT_LT(given_up->trials->done(), given_up->trials->list.size());
  lab_.try_barriers();
  experiment.barriers = {{1, core::BarrierKind::fence_all}};
  lab_.request(experiment);
  const Snapshot done = wait_for([](const core::Result& r) {
    return r.trials && !r.trying && r.trials->done() == r.trials->list.size();
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(done->experiment.barriers, experiment.barriers);
  EXPECT_EQ(done->trials->find(1, core::BarrierKind::fence_all)->verdict(), "racy");
  lab_.request({.variant = "barrier/double-buffer", .size = {5, 4}});
  ASSERT_TRUE(wait_for([](const core::Result& r) {
    return r.variant.name == "double-buffer" && !r.trials && !r.timing.samples_ms.empty();
  }));
}

TEST(LiveLadder, CeilingsComeBeforeTheRungsAndOnceADevice) {
  lab::Lab lab(lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"), {});
  lab.request({.variant = "barrier/two-barriers", .size = {16, 8}});
  Snapshot seen;
  const auto end = std::chrono::steady_clock::now() + 300s;
  while (std::chrono::steady_clock::now() < end && !(seen && seen->ceilings)) {
    std::this_thread::sleep_for(5ms);
    seen = lab.latest();
  }
  ASSERT_TRUE(seen->ceilings);
  EXPECT_TRUE(seen->ceilings->failure.empty()) << seen->ceilings->failure;
  EXPECT_GT(seen->ceilings->shared_gbps, 0.0);
  lab.request({.variant = "barrier/one-barrier", .size = {16, 8}});
  while (std::chrono::steady_clock::now() < end &&
         lab.latest()->experiment.variant != "barrier/one-barrier") {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(lab.latest()->ceilings, seen->ceilings) << "the same, not measured again";
}

// Of this process, whose memory an emulated device's is.
double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double pages = 0.0;
  file >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

// A copy is measured on two buffers of 64 MiB each.
TEST(LiveLadder, CeilingsHalfMeasuredKeepNoMemoryWhileNothingRuns) {
  lab::Lab lab(lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"), {});
  lab.request({.variant = "barrier/two-barriers", .size = {16, 8}});
  const Snapshot running =
      tests::wait_for(lab, [](const core::Result& r) { return r.timing.launches > 0; });
  ASSERT_TRUE(running);
  if (tests::kSanitized || !running->device.emulated()) {
    GTEST_SKIP() << "memory is not this process's own";
  }
  const double before = resident_mb();
  const Snapshot measuring = tests::wait_for(
      lab, [&](const core::Result& r) { return r.ceilings || resident_mb() > before + 110.0; },
      300s);
  lab.set_paused(true);
  ASSERT_TRUE(measuring && !measuring->ceilings) << "nothing was half measured";
  EXPECT_TRUE(tests::wait_for(
      lab, [&](const core::Result& r) { return !r.ceilings && resident_mb() < before + 60.0; },
      300s))
      << resident_mb() << " MB of " << before;
  lab.set_paused(false);
  EXPECT_TRUE(tests::wait_for(lab, [](const core::Result& r) { return r.ceilings != nullptr; }));
}

// The program itself tries what is changed; what ends it there is said, and the last good kernel
// goes on.
class OnProbation : public testing::Test {
 protected:
  void SetUp() override {
    if (tests::kSanitized) {
      GTEST_SKIP() << "signals are the sanitizers' own here";
    }
    cache_ = std::filesystem::temp_directory_path() /
             ("tilescope-probation-" + std::to_string(::getpid()));
    ::setenv("XDG_CACHE_HOME", cache_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): no lab yet
    lab_ = std::make_unique<lab::Lab>(
        lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
        lab::LabOptions{.ladder = false, .probation = program()});
  }
  // The program; it ends where a text asks for that, as a driver would by what it can't stand.
  std::string program() const {
    std::filesystem::create_directories(cache_);
    const auto file = cache_ / "program";
    std::ofstream(file)
        << "#!/bin/sh\ncd '" << cache_.string() << "'\n"
        << before_ << "grep -qs 'end of the process' \"$2/source\" part.glsl && kill -SEGV $$\n'"
        << TILESCOPE_PROGRAM << "' \"$@\" || exit $?\n"
        << after_;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }
  void TearDown() override {
    lab_.reset();
    ::unsetenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): no lab any more
    std::error_code ignored;
    std::filesystem::remove_all(cache_, ignored);
  }
  Snapshot wait_for(const std::function<bool(const core::Result&)>& there) const {
    return tests::wait_for(*lab_, there);
  }

  std::filesystem::path cache_;
  std::string before_, after_;  // what others do before and after a trial: lines of a shell
  std::unique_ptr<lab::Lab> lab_;
};

constexpr const char* kEndsItsProcess =
    "#version 460\nlayout(local_size_x = 64) in;  // the end of the process\n"
    "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
    "void main() { d[gl_GlobalInvocationID.x % 64u] = 8u; }\n";
constexpr const char* kGood =
    "#version 460\nlayout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
    "void main() { d[gl_GlobalInvocationID.x % 64u] = 7u; }\n";

// The file on which the window opens; there is no good one that could go on.
TEST_F(OnProbation, AKernelThatIsBrokenFromTheStartIsTakenOnceItIsMended) {
  std::filesystem::create_directories(cache_);
  std::string text = kGood;
  for (const char* broken : {kEndsItsProcess, "#version 460\nvoid main() { nonsense", ""}) {
    SCOPED_TRACE(broken);
    const auto file = cache_ / ("kernel" + std::to_string(text.size()) + ".comp");
    std::ofstream(file) << broken;
    core::Experiment experiment{.variant = file.string()};
    experiment.choices.buffers["0.0"] = "4096:iota";
    lab_ = std::make_unique<lab::Lab>(
        lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
        lab::LabOptions{.ladder = false, .probation = program()});
    lab_->request(experiment);
    ASSERT_TRUE(wait_for([](const core::Result& r) {
      return r.stage == core::Stage::failed && r.error.has_value();
    }));
    text += "// mended\n";
    std::ofstream(file) << text;
    EXPECT_TRUE(wait_for([&](const core::Result& r) {
      return r.variant.source == text && r.timing.launches > 0 && !r.error;
    }));
  }
  // The same by what is typed.
  const auto file = cache_ / "typed.comp";
  std::ofstream(file) << "#version 460\nvoid main() { nonsense";
  core::Experiment experiment{.variant = file.string()};
  experiment.choices.buffers["0.0"] = "4096:iota";
  lab_ = std::make_unique<lab::Lab>(
      lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
      lab::LabOptions{.ladder = false, .probation = program()});
  lab_->request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.stage == core::Stage::failed; }));
  lab_->edit(file.string(), kGood);
  EXPECT_TRUE(wait_for([](const core::Result& r) { return r.timing.launches > 0; }));
}

TEST_F(OnProbation, AKernelThatEndsItsProcessLeavesTheLastGoodOneRunning) {
  std::filesystem::create_directories(cache_);
  const auto file = cache_ / "kernel.comp";
  std::ofstream(file) << kGood;
  core::Experiment experiment{.variant = file.string()};
  experiment.choices.buffers["0.0"] = "4096:iota";
  lab_->request(experiment);
  const Snapshot good = wait_for([](const core::Result& r) { return r.timing.launches > 3; });
  ASSERT_TRUE(good) << (lab_->latest()->error ? lab_->latest()->error->message : "");

  lab_->edit(file.string(), kEndsItsProcess);
  const Snapshot told = wait_for([](const core::Result& r) { return r.error.has_value(); });
  ASSERT_TRUE(told);
  const std::string& sentence = told->error->message;
  EXPECT_NE(sentence.find("its process crashed"), std::string::npos) << sentence;
  EXPECT_EQ(told->variant.source, kGood);
  EXPECT_TRUE(std::filesystem::exists(cache_ / "tilescope" / "crashes")) << sentence;
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return r.timing.launches > told->timing.launches && r.variant.source == kGood;
  })) << "the last good one goes on";

  // A good text again, then the bad one: the lab remembers that it is bad and does not try it
  // again.
  lab_->edit(file.string(), std::nullopt);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return !r.error && r.timing.launches > 3; }));
  // Each crash is reported in a folder: without this one, a second trial would make it again.
  std::filesystem::remove_all(cache_ / "tilescope" / "crashes");
  lab_->edit(file.string(), kEndsItsProcess);
  const Snapshot again = wait_for([](const core::Result& r) { return r.error.has_value(); });
  ASSERT_TRUE(again);
  EXPECT_FALSE(std::filesystem::exists(cache_ / "tilescope" / "crashes")) << "it was tried again";
  EXPECT_EQ(again->error->message.substr(0, 60), sentence.substr(0, 60));
}

// The trial does not end before this thread, which is the window's, has had answers to all that it
// asks, and the kernel that was there has run on.
TEST_F(OnProbation, WhileAKernelIsTriedNobodyWaitsForIt) {
  std::filesystem::create_directories(cache_);
  const auto file = cache_ / "kernel.comp";
  std::ofstream(file) << kGood;
  before_ =
      "grep -qs 'a gate' \"$2/source\" && { touch trying; until [ -e open ]; do sleep 0.05; done; "
      "}\n";
  lab_ = std::make_unique<lab::Lab>(
      lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
      lab::LabOptions{.ladder = false, .probation = program()});
  core::Experiment experiment{.variant = file.string()};
  experiment.choices.buffers["0.0"] = "4096:iota";
  lab_->request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.timing.launches > 3; }));

  const std::string behind = std::string(kGood) + "// a gate\n";
  lab_->edit(file.string(), behind);
  const Snapshot begun =
      wait_for([&](const core::Result&) { return std::filesystem::exists(cache_ / "trying"); });
  ASSERT_TRUE(begun);
  for (int times = 0; times < 3; ++times) {
    const std::uint64_t before = lab_->latest()->timing.launches;
    lab_->show(0);
    lab_->trace({});
    lab_->set_paused(false);
    EXPECT_TRUE(wait_for([&](const core::Result& r) { return r.timing.launches > before; }));
    EXPECT_EQ(lab_->latest()->variant.source, kGood);
  }
  std::ofstream(cache_ / "open") << "";
  EXPECT_TRUE(wait_for([&](const core::Result& r) { return r.variant.source == behind; }));
}

// Who saves fast: by the time it is tried, its file has another text, or what it includes has.
TEST_F(OnProbation, WhatIsTriedIsWhatWouldBeRun) {
  std::filesystem::create_directories(cache_);
  const auto file = cache_ / "kernel.comp";
  before_ = "cp good kernel.comp\n";
  after_ = "cp bad part.glsl\n";
  program();
  std::ofstream(cache_ / "good") << kGood;
  std::ofstream(cache_ / "bad") << "// the end of the process\n";
  std::ofstream(cache_ / "part.glsl") << "// nothing\n";
  const std::string including = std::string(kGood).insert(
      std::string_view("#version 460\n").size(),
      "#extension GL_GOOGLE_include_directive : require\n#include \"part.glsl\"\n");
  for (const std::string& text : {std::string(kEndsItsProcess), including}) {
    SCOPED_TRACE(text);
    std::ofstream(file) << text;
    core::Experiment experiment{.variant = file.string()};
    experiment.choices.buffers["0.0"] = "4096:iota";
    lab_ = std::make_unique<lab::Lab>(
        lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
        lab::LabOptions{.ladder = false, .probation = (cache_ / "program").string()});
    lab_->request(experiment);
    const Snapshot told = wait_for([](const core::Result& r) { return r.error.has_value(); });
    ASSERT_TRUE(told);
    EXPECT_NE(told->error->message.find("its process crashed"), std::string::npos)
        << told->error->message;
    EXPECT_EQ(told->timing.launches, 0U);
  }
}

// What stands beside the kernel on the bench is compiled and launched too: its reference, and the
// others of its folder.
TEST_F(OnProbation, RungsOfTheLadderAreTriedFirst) {
  std::filesystem::create_directories(cache_);
  for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"kernel.comp", kGood}, {"good.comp", kGood}, {"bad.comp", kEndsItsProcess}}) {
    std::ofstream(cache_ / name) << text;
  }
  for (const char* name : {"good.comp", "bad.comp"}) {
    SCOPED_TRACE(name);
    lab_ = std::make_unique<lab::Lab>(
        lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
        lab::LabOptions{.probation = program()});
    core::Experiment experiment{.variant = (cache_ / "kernel.comp").string()};
    experiment.choices.buffers["0.0"] = "4096:iota";
    experiment.choices.reference = (cache_ / name).string();
    lab_->request(experiment);
    const Snapshot told = wait_for([](const core::Result& r) {
      return r.ladder.size() == 2 && (r.ladder[0].measured || r.ladder[0].error) &&
             r.ladder[1].measured;
    });
    ASSERT_TRUE(told);
    EXPECT_EQ(told->ladder[0].measured, std::string_view(name) == "good.comp");
    if (told->ladder[0].error) {
      EXPECT_NE(told->ladder[0].error->message.find("its process crashed"), std::string::npos)
          << told->ladder[0].error->message;
    }
  }
}

// Each edit of a barrier is another module to the driver.
TEST_F(OnProbation, TrialsOfBarriersAreTriedFirst) {
  std::filesystem::create_directories(cache_);
  std::ofstream(cache_ / "kernel.comp")
      << "#version 460\nlayout(local_size_x = 64) in;\n"
         "layout(set = 0, binding = 0) buffer D { uint d[]; };\nshared uint s[64];\n"
         "void main() {\n  s[gl_LocalInvocationIndex] = d[gl_GlobalInvocationID.x];\n  barrier();\n"
         "  d[gl_GlobalInvocationID.x] = s[63u - gl_LocalInvocationIndex];\n}\n";
  before_ = "grep -qs '= .off.' \"$2/scene.toml\" && kill -SEGV $$\n";
  lab_ = std::make_unique<lab::Lab>(
      lab::read_catalogue(std::string(TILESCOPE_SOURCE_DIR) + "/shaders"),
      lab::LabOptions{.ladder = false, .probation = program()});
  core::Experiment experiment{.variant = (cache_ / "kernel.comp").string()};
  experiment.choices.buffers["0.0"] = "4096:iota";
  lab_->request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.timing.launches > 0; }));
  lab_->try_barriers();
  const Snapshot done = wait_for([](const core::Result& r) {
    return r.trials && !r.trying && r.trials->done() == r.trials->list.size();
  });
  ASSERT_TRUE(done);
  for (const core::BarrierTrial& trial : done->trials->list) {
    const bool ends = trial.kind == core::BarrierKind::off;
    EXPECT_EQ(trial.report == nullptr, ends) << trial.impossible;
    EXPECT_EQ(trial.impossible.find("its process crashed") != std::string::npos, ends)
        << trial.impossible;
  }
}

// On a device that runs kernels in this process's memory they would end the test itself: an index
// that reaches out of shared memory or of a local array, far or by nothing that was ever written.
TEST_F(OnProbation, IndicesThatReachOutsideReachNothing) {
  std::filesystem::create_directories(cache_);
  const auto file = cache_ / "kernel.comp";
  const std::string head =
      "#version 460\nlayout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer D { uint d[]; };\nshared uint s[64];\nuint own[5];\n"
      "void store(uint at, uint value) { s[at] = value; }\n";
  const std::string far = "gl_LocalInvocationIndex * 0x04000001u + 0x10000000u";
  for (const std::string& body : std::initializer_list<std::string>{
           "s[" + far + "] = 1u; d[0] = s[" + far + " + 7u]; s[int(" + far + ")] = 1u; store(" +
               far + ", d[1]); d[1] = atomicAdd(s[" + far + "], 1u);",
           "own[" + far + "] = d[1]; d[0] = own[d[2] + 9u]; uint a[4]; a[0] = d[0]; a[" + far +
               "] = 2u; d[0] = a[3];",
           "s[gl_LocalInvocationIndex % (d[5] - d[5])] = 1u; uint i; s[i * 77777777u] = 1u; d[" +
               far + "] = 1u;"}) {
    SCOPED_TRACE(body);
    const std::string text = head + "void main() { " + body + " }\n";
    std::ofstream(file) << text;
    core::Experiment experiment{.variant = file.string()};
    experiment.choices.buffers["0.0"] = "4096:iota";
    lab_->edit(file.string(), text);
    lab_->request(experiment);
    const Snapshot good = wait_for([&](const core::Result& r) {
      return r.variant.source == text && r.races && r.timing.launches > 3;
    });
    ASSERT_TRUE(good) << (lab_->latest()->error ? lab_->latest()->error->message : "");
    EXPECT_FALSE(good->error);
    EXPECT_NE(good->races->verdict, core::Verdict::clean) << "it is told of all the same";
  }
}

// A wild address would end the test on a device that runs kernels in this process's memory; one
// that was given is as good as a buffer.
TEST_F(OnProbation, AddressesReachWhatWasGivenAndNothingElse) {
  const auto file = cache_ / "kernel.comp";
  const std::string head =
      "#version 460\n#extension GL_EXT_buffer_reference : require\n"
      "#extension GL_EXT_buffer_reference_uvec2 : require\nlayout(local_size_x = 64) in;\n"
      "layout(buffer_reference, std430) buffer R { uint v[]; };\n"
      "layout(push_constant) uniform P { R r; uint far; };\n"
      "layout(set = 0, binding = 0) buffer D { uint d[]; };\n"
      "void main() { const uint i = gl_GlobalInvocationID.x; ";
  for (const auto& [body, verdict] : std::initializer_list<std::pair<std::string, core::Verdict>>{
           {"r.v[i % 64u] = d[i % 64u];", core::Verdict::clean},
           {"r.v[i * far + 0x10000000u] = 1u; d[i % 64u] = r.v[i * 0x01000001u + 77777u];",
            core::Verdict::faulty},
           {"if (i < 64u) { d[i] = R(uvec2(d[i] * 64u + 8u, 4096u)).v[5]; }",
            core::Verdict::incomplete}}) {
    SCOPED_TRACE(body);
    const std::string text = head + body + " }\n";
    std::ofstream(file) << text;
    core::Experiment experiment{.variant = file.string()};
    experiment.settings = {{"far", "16777217"}};
    experiment.choices.groups = {1, 1, 1};
    experiment.choices.buffers["0.0"] = "4096:iota";
    experiment.choices.buffers["r"] = "4096:iota";
    lab_->edit(file.string(), text);
    lab_->request(experiment);
    const Snapshot taken = wait_for([&](const core::Result& r) {
      return r.error || (r.variant.source == text && r.races && r.timing.launches > 3);
    });
    ASSERT_TRUE(taken);
    ASSERT_FALSE(taken->error) << taken->error->message;
    EXPECT_EQ(taken->races->verdict, verdict);
  }
}

// What does not compile is said as ever, with its line.
TEST_F(OnProbation, AnErrorOfTheSourceKeepsItsLine) {
  lab_->request({.variant = "matmul/tiled", .size = {64, 64, 64}});
  const Snapshot good = wait_for([](const core::Result& r) { return r.timing.launches > 2; });
  ASSERT_TRUE(good);
  lab_->edit("matmul/tiled", good->variant.source + "\nthis is no GLSL\n");
  const Snapshot told = wait_for([](const core::Result& r) { return r.error.has_value(); });
  ASSERT_TRUE(told);
  EXPECT_GT(told->error->line, 10);
  EXPECT_EQ(told->error->fault, core::Fault::usage);
}

// What is asked for meanwhile is set up and checked once, and rests.
TEST_F(Live, APauseSurvivesAnEdit) {
  core::Experiment experiment{.variant = "barrier/one-barrier", .size = {5, 4}};
  lab_.request(experiment);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return !r.timing.samples_ms.empty(); }));
  lab_.set_paused(true);
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.stage == core::Stage::paused; }));
  experiment.barriers = {{1, core::BarrierKind::off}};
  lab_.request(experiment);
  const Snapshot edited = wait_for([](const core::Result& r) {
    return r.stage == core::Stage::paused && r.races && !r.experiment.barriers.empty();
  });
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->races->verdict, core::Verdict::racy);
  const auto rests = [this] {
    const auto launches = lab_.latest()->timing.launches;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return lab_.latest()->timing.launches == launches;
  };
  EXPECT_TRUE(rests());

  const std::string typed = edited->variant.source + "\n// typed\n";
  lab_.edit(experiment.variant, typed);
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return r.stage == core::Stage::paused && r.races && r.variant.source == typed;
  }));
  EXPECT_TRUE(rests());
}

// As a minimised window holds it.
TEST_F(Live, AHeldLabLaunchesNothingUntilItIsLetGo) {
  lab_.request({.variant = "barrier/one-barrier", .size = {5, 4}});
  ASSERT_TRUE(wait_for([](const core::Result& r) { return r.races != nullptr; }));
  lab_.hold(true);
  std::uint64_t launches = 0;
  const Snapshot still = wait_for([&launches](const core::Result& r) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return std::exchange(launches, r.timing.launches) == r.timing.launches;
  });
  ASSERT_TRUE(still);
  lab_.hold(false);
  EXPECT_TRUE(wait_for([launches](const core::Result& r) { return r.timing.launches > launches; }));
}

TEST_F(Live, WhatIsTypedAtAnIncludedFileRuns) {
  lab_.request({.variant = "matmul/tiled", .size = {16, 16, 16}});
  const Snapshot first = wait_for(
      [](const core::Result& r) { return !r.timing.samples_ms.empty() && !r.launches.empty(); });
  ASSERT_TRUE(first);
  ASSERT_EQ(first->launches[0].sources.size(), 2U);
  const core::SourceFile included = first->launches[0].sources[1];
  lab_.edit_included(included.path, "broken\n" + included.text);
  const Snapshot broken = wait_for([](const core::Result& r) { return r.error.has_value(); });
  ASSERT_TRUE(broken);
  EXPECT_NE(broken->error->message.find(included.path + ":1:"), std::string::npos)
      << broken->error->message;
  const std::string text = included.text + "\n// typed\n";
  lab_.edit_included(included.path, text);
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return !r.error && !r.launches.empty() && r.launches[0].sources[1].text == text;
  }));
  lab_.edit_included(included.path, std::nullopt);
  EXPECT_TRUE(wait_for([&](const core::Result& r) {
    return !r.error && !r.launches.empty() && r.launches[0].sources[1].text == included.text;
  }));
}

}  // namespace

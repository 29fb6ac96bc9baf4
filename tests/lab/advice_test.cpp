// The note's question, "where is tiling worth it?", answered for the catalogue on whatever device
// is there.
#include "core/report/advice.h"

#include <map>

#include <gtest/gtest.h>

#include "lab/probe/trace.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"

namespace lab {
namespace {

using core::Tiling;

class AdviceOn : public testing::Test {
 protected:
  void SetUp() override {
    static const auto driver = gpu::Driver::open({.validation = true});
    auto bench = driver ? Workbench::open(*driver, "") : std::unexpected(driver.error());
    if (!bench) {
      GTEST_SKIP() << bench.error().message;
    }
    bench_ = std::move(*bench);
  }

  // By name: what to do with the array, and what it is invariant to.
  std::map<std::string, std::pair<Tiling, std::string>> advice(const core::Experiment& experiment) {
    const auto catalogue = read_catalogue(std::filesystem::path(TILESCOPE_SOURCE_DIR) / "shaders");
    auto setup = bench_->set_up(*catalogue.find(experiment.variant), experiment, 1000.0);
    EXPECT_TRUE(setup) << setup.error().message;
    core::Result result = describe(**setup, bench_->info());
    auto trace = trace_workgroup(bench_->device(), *(*setup)->kernel().specimen, {});
    EXPECT_TRUE(trace) << trace.error().message;
    keep_trace(std::move(*trace), result);
    std::map<std::string, std::pair<Tiling, std::string>> found;
    for (const core::ArrayAdvice& array : result.advice->arrays) {
      found[array.name] = {array.tiling, core::dimensions_text(array.invariant())};
      times_[array.name] = array.times();
    }
    return found;
  }

  std::unique_ptr<Workbench> bench_;
  std::map<std::string, double> times_;
};

using Found = std::map<std::string, std::pair<Tiling, std::string>>;

TEST_F(AdviceOn, NaiveMatmulStagesBoth) {
  const core::Experiment naive{.variant = "matmul/naive", .size = {48, 80, 64}, .tile = 8};
  EXPECT_EQ(advice(naive), (Found{{"a", {Tiling::worth, "x"}}, {"b", {Tiling::worth, "y"}}}));
  EXPECT_DOUBLE_EQ(times_.at("a"), 8.0) << "the tile";
  EXPECT_DOUBLE_EQ(times_.at("b"), 8.0);
}

TEST_F(AdviceOn, NaiveBodiesStageTheBodies) {
  EXPECT_EQ(advice({.variant = "nbody/naive", .size = {300}, .tile = 64}),
            (Found{{"position", {Tiling::worth, "x"}}, {"velocity", {Tiling::nothing, ""}}}));
  EXPECT_DOUBLE_EQ(times_.at("position"), (300.0 + 1.0) * 64.0 / 300.0);
}

// Found though its index comes from a list; the list itself is short.
TEST_F(AdviceOn, LavaMDStagesTheNeighboursParticles) {
  EXPECT_EQ(advice({.variant = "lavamd/naive", .size = {3, 40}, .tile = 32}),
            (Found{{"particle", {Tiling::worth, "x"}}, {"neighbours", {Tiling::nothing, "x"}}}));
  EXPECT_GT(times_.at("particle"), 30.0) << "each invocation reads all of them";
  const Found tiled = advice({.variant = "lavamd/tiled", .size = {3, 40}, .tile = 32});
  EXPECT_EQ(tiled.at("particle").first, Tiling::staged);
  EXPECT_EQ(tiled.at("neighbours").first, Tiling::nothing);
}

TEST_F(AdviceOn, NothingIsGainedWhereEachElementIsReadOnce) {
  EXPECT_EQ(advice({.variant = "transpose/naive", .size = {64, 64}}),
            (Found{{"a", {Tiling::nothing, ""}}}));
}

TEST_F(AdviceOn, TiledKernelsHaveDoneIt) {
  const std::pair<Tiling, std::string> staged{Tiling::staged, ""};
  EXPECT_EQ(advice({.variant = "matmul/tiled", .size = {48, 80, 64}}),
            (Found{{"a", staged}, {"b", staged}}));
  EXPECT_DOUBLE_EQ(times_.at("a"), 1.0);
  EXPECT_EQ(advice({.variant = "transpose/tiled", .size = {64, 64}}), (Found{{"a", staged}}));
  EXPECT_EQ(advice({.variant = "nbody/tiled", .size = {300}, .tile = 64}).at("position"), staged);
}

using LongAdviceOn = AdviceOn;

// It fetches a step ahead.
TEST_F(LongAdviceOn, RegistersHaveDoneIt) {
  const std::pair<Tiling, std::string> staged{Tiling::staged, ""};
  for (const auto& [name, what] : advice({.variant = "matmul/registers", .size = {128, 128, 64}})) {
    EXPECT_EQ(what, staged) << name;
  }
}

// The first step of the note's register tiling leaves A to the second.
TEST_F(LongAdviceOn, TheStepsOfRegisterTilingTakeOneArrayAfterTheOther) {
  EXPECT_EQ(advice({.variant = "matmul/one-shared", .size = {48, 80, 64}}),
            (Found{{"a", {Tiling::worth, "x"}}, {"b", {Tiling::staged, ""}}}));
  const Found strip = advice({.variant = "matmul/strip-mined", .size = {128, 80, 128}});
  EXPECT_EQ(strip.at("a").first, Tiling::nothing) << "each invocation's own, T2 times: a register";
  EXPECT_DOUBLE_EQ(times_.at("a"), 16.0);
  EXPECT_EQ(advice({.variant = "matmul/register-strip", .size = {128, 80, 64}}),
            (Found{{"a", {Tiling::nothing, ""}}, {"b", {Tiling::staged, ""}}}));
  EXPECT_DOUBLE_EQ(times_.at("a"), 1.0);
}

}  // namespace
}  // namespace lab

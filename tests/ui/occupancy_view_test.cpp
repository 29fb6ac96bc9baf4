// The occupancy view and the layer of idle lanes: what they say, and what a key or a click does.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/model/ceilings.h"
#include "core/model/wave_model.h"
#include "ui/fixture.h"
#include "ui/views/grid/grid_state.h"

namespace {

core::Scene scene_of(const core::Result& result, const char* view) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = view;
  scene.view.width = 1920;
  scene.view.height = 1000;
  return scene;
}

TEST(OccupancyView, NamesTheLimiter) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  tests::add_occupancy(result, true);
  tests::Stage stage(scene_of(result, "occupancy"));
  stage.draw(result);
  EXPECT_TRUE(
      tests::shows(stage.trace(), "6 workgroups per multiprocessor: 48 of 48 warps, 100 %"));
  EXPECT_TRUE(tests::shows(stage.trace(), "Warps are the limit"));
  EXPECT_TRUE(tests::shows(stage.trace(), "Modelled: "));
}

TEST(OccupancyView, FollowsTheTileBeforeTheLabDoes) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  tests::add_occupancy(result, true);
  tests::Stage stage(scene_of(result, "occupancy"));
  stage.draw(result);
  stage.app().press(ui::letter('['));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "24 workgroups per multiprocessor: 48 of 48 warps"));
  stage.app().press(ui::letter(']'));
  stage.draw(result);
  stage.app().press(ui::letter(']'));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "Tile 32 needs 1024 invocations per workgroup"));
}

TEST(OccupancyView, SaysWhatItCannotTell) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  tests::add_occupancy(result, false);
  tests::Stage stage(scene_of(result, "occupancy"));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "Occupancy is not known here"));
  EXPECT_TRUE(tests::shows(stage.trace(), "registers and spills: not reported"));
  EXPECT_FALSE(tests::shows(stage.trace(), "Modelled: "));
}

TEST(OccupancyView, ADeviceThatCannotTellIsThoughtOfAsAnother) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  tests::add_occupancy(result, false);
  core::Scene scene = scene_of(result, "occupancy");
  scene.view.settings["as_on"] = std::string("H200");
  tests::Stage hopper(scene);
  hopper.draw(result);
  EXPECT_TRUE(tests::shows(hopper.trace(), "8 workgroups per multiprocessor: 64 of 64 warps"));
  EXPECT_TRUE(tests::shows(hopper.trace(), "Modelled, not run: as on an H200"));
  scene.view.settings["as_on"] = std::string("RTX 4090");
  tests::Stage ada(scene);
  ada.draw(result);
  EXPECT_TRUE(tests::shows(ada.trace(), "6 workgroups per multiprocessor: 48 of 48 warps"));
}

// 528 × 528 in tiles of 16 are 33 more than an H200 has places for.
TEST(OccupancyView, ALaunchIsDrawnInWaves) {
  core::Result result = tests::result_of("matmul/tiled", {528, 528, 64}, 16);
  tests::add_occupancy(result, false);
  core::Scene scene = scene_of(result, "occupancy");
  scene.view.settings["as_on"] = std::string("H200");
  tests::Stage stage(scene);
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "132 × 8 = 1,056 places"));
  EXPECT_TRUE(tests::shows(stage.trace(), "1,056 of 1,056"));
  EXPECT_TRUE(tests::shows(stage.trace(), "33 of 1,056"));
  scene.view.settings["as_on"] = std::string();
  tests::Stage unknown(scene);
  unknown.draw(result);
  EXPECT_FALSE(tests::shows(unknown.trace(), "places"));
}

// At the ceiling of 1000 GFLOP/s ten multiprocessors do 5e7 multiply-adds a ms each.
TEST(OccupancyView, WhatTheModelPredictsStandsBesideWhatWasMeasured) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  tests::add_occupancy(result, true);
  const auto plan = [](std::uint32_t tile, double cost) {
    return core::WavePlan{.tile = tile,
                          .tiles = 64,
                          .workgroups = 64,
                          .multiprocessors = 10,
                          .holds = 1,
                          .waves = 7,
                          .filled = 0.9,
                          .cost = cost};
  };
  core::WaveReport waves;
  waves.offers = {plan(8, 1e8), plan(16, 2e8)};
  waves.now = plan(16, 2e8);
  result.waves = std::make_shared<const core::WaveReport>(waves);
  result.timing.spread = {.count = 9, .median = 5.0};
  tests::Stage stage(scene_of(result, "occupancy"));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "All launch options"));
  EXPECT_TRUE(tests::shows(stage.trace(), "2.00×")) << "no ceiling is known: of the fastest one's";
  core::Ceilings ceilings;
  ceilings.fma_gflops = 1000.0;
  result.ceilings = std::make_shared<const core::Ceilings>(ceilings);
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "4.000 ms")) << "predicted";
  EXPECT_TRUE(tests::shows(stage.trace(), "5.000 ms")) << "measured";
  EXPECT_TRUE(tests::shows(stage.trace(), "+25 %"));
  EXPECT_TRUE(tests::shows(stage.trace(), "(compare)")) << "of tile 8 nothing is known";
}

TEST(IdleLanes, ShowInTheGridUntilAKeyHidesThem) {
  const core::Result result = tests::result_of("matmul/tiled", {999, 666, 333}, 16);
  tests::Stage stage(scene_of(result, "grid"));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(
      stage.trace(), "12,042 invocations beyond the edge, in 104 of 2,646 tiles (Shift+O: hide)"));
  stage.app().press(ui::letter('O'));
  stage.draw(result);
  EXPECT_FALSE(stage.app().state().of<ui::GridState>().idle);
  EXPECT_TRUE(tests::shows(stage.trace(), "(Shift+O: show)"));
}

// A launch that is repeated in slices was computed before, and checked.
TEST(TilesToCome, AreToldFromThoseThatComeAgain) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  result.groups_done = 5;
  tests::Stage stage(scene_of(result, "grid"));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "will be computed again"));
  result.check.done = false;
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "not computed yet"));
}

}  // namespace

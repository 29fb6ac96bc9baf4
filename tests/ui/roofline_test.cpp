// The roofline's geometry, and what it says.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/views/roofline/roofline_view.h"
#include "ui/widgets/axis.h"

namespace {

TEST(ValueAxis, ADecadeIsTheSameLengthEverywhere) {
  const ui::ValueAxis axis{0.1, 100.0, 10.0F, 310.0F, true};
  EXPECT_FLOAT_EQ(axis.pixel(0.1), 10.0F);
  EXPECT_FLOAT_EQ(axis.pixel(1.0), 110.0F);
  EXPECT_FLOAT_EQ(axis.pixel(100.0), 310.0F);
  EXPECT_NEAR(axis.value(210.0F), 10.0, 1e-5);
}

TEST(ValueAxis, GrowsUpWhereItsEndIsAbove) {
  const ui::ValueAxis axis{2.0, 4.0, 200.0F, 100.0F};
  EXPECT_FLOAT_EQ(axis.pixel(2.5), 175.0F);
  EXPECT_DOUBLE_EQ(axis.value(150.0F), 3.0);
  EXPECT_FLOAT_EQ(axis.inside(9.0), 100.0F);
  EXPECT_EQ(axis.ticks(25.0F), (std::vector{2.0, 2.5, 3.0, 3.5, 4.0}));
}

TEST(ValueAxis, TicksArePowersOfTenAndMoreWhereThereAreFew) {
  EXPECT_EQ(ui::log_ticks(0.05, 2000.0).size(), 5U);
  EXPECT_EQ(ui::log_ticks(20.0, 25'000.0), (std::vector{100.0, 1000.0, 10'000.0}));
  EXPECT_EQ(ui::log_ticks(3.0, 30.0), (std::vector{5.0, 10.0, 20.0}));
}

TEST(RooflineLabels, KeepApartAndInside) {
  const std::vector<float> wishes{10.0F, 12.0F, 13.0F, 60.0F, 99.0F, 100.0F};
  const auto places = ui::keep_apart(wishes, 10.0F, 0.0F, 100.0F);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_GE(places[i], 5.0F);
    EXPECT_LE(places[i], 95.0F);
    EXPECT_TRUE(i == 0 || places[i] - places[i - 1] >= 10.0F) << i;
  }
  EXPECT_EQ(places[3], 60.0F) << "free to be where it belongs";
}

TEST(RooflineView, SaysWhatTheChosenKernelReachesOfEachCeiling) {
  core::Result result = tests::result_of("matmul/tiled", {4096, 4096, 4096}, 16);
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = "roofline";
  const auto said = [](const tests::Stage& stage, const std::string& text) {
    return std::ranges::any_of(stage.trace().entries, [&](const auto& e) {
      return e.text.find(text) != std::string::npos;
    });
  };
  tests::Stage before(scene);
  before.draw(result);
  EXPECT_TRUE(said(before, "ceilings of this device appear here"));

  tests::add_ceilings(result);
  // 8.275 TFLOP/s, at a flop for each 4 bytes of shared memory: 33.1 TB/s.
  const double ms = result.flops / 8275.0 * 1e-6;
  for (core::Rung& rung : result.ladder) {
    rung.spread = core::spread_of(std::vector{ms});
  }
  tests::Stage stage(scene);
  const ui::Requests requests = stage.draw(result);
  EXPECT_EQ(requests.trace, 0U) << "its traffic is wanted";
  EXPECT_TRUE(said(stage, "Tiled 16: 8.275 TFLOP/s, 13 % of the ceiling of multiply-adds"))
      << "reading";
  std::string all;
  for (const auto& entry : stage.trace().entries) {
    all += entry.text + " ";
  }
  EXPECT_NE(all.find("per 0.25 flop: 100 %"), std::string::npos) << all;
}

// As many variants as matmul has, and all nearly as fast.
TEST(RooflineView, EveryPointOfALongLadderHasItsLabelInASmallWindow) {
  core::Result result = tests::result_of("matmul/tiled", {4096, 4096, 4096}, 16);
  tests::add_ceilings(result);
  core::Rung rung = result.ladder[1];
  for (std::uint32_t tile = 100; tile < 114; ++tile) {
    rung.tile = tile;
    rung.spread = core::spread_of(std::vector{rung.spread.median * 0.99});
    result.ladder.push_back(rung);
  }
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = "roofline";
  scene.view.width = 1024;
  scene.view.height = 640;
  tests::Stage stage(scene);
  stage.draw(result);
  for (std::uint32_t tile = 100; tile < 114; ++tile) {
    const std::string title = "Tiled " + std::to_string(tile);
    EXPECT_EQ(std::ranges::count_if(
                  stage.trace().entries,
                  [&](const auto& e) { return e.text == title && e.rect.low.x > 210.0F; }),
              1)
        << title;
  }
}

}  // namespace

// Wrong values in the grid, and the comparison of variants in another order.
#include "core/report/difference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/field.h"
#include "ui/canvas/colormap.h"
#include "ui/fixture.h"
#include "ui/panels/rungs.h"
#include "ui/panels/under_way.h"
#include "ui/views/grid/grid_state.h"
#include "ui/widgets/heat_map.h"

namespace {

core::Result wrong() {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  core::DifferenceRecorder recorder(result.buffers);
  for (std::uint64_t i = 0; i < std::uint64_t{64} * 64; ++i) {
    recorder.note(2, i, i == 0 ? 7.5 : 1.0, 1.0);
  }
  result.differences = recorder.differences();
  result.check = {.done = true, .correct = false};
  return result;
}

core::Scene scene_of(const core::Result& result) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.settings["difference"] = true;
  return scene;
}

TEST(GridDifference, HasAScaleOfItsOwnAndSaysHowMuchWasCompared) {
  const core::Result result = wrong();
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), core::Difference::unit));
  EXPECT_TRUE(tests::shows(stage.trace(), "all 4,096 elements compared"));
  EXPECT_TRUE(tests::shows(stage.trace(), "-6.5"));
  stage.app().press(ui::letter('Y'));
  stage.draw(result);
  EXPECT_FALSE(tests::shows(stage.trace(), core::Difference::unit));
}

TEST(GridUnwritten, IsEmptyAndHasALegend) {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  std::vector<float> c(std::size_t{64} * 64, 2.0F);
  c[7] = std::bit_cast<float>(core::kUnwritten);
  c[8] = std::numeric_limits<float>::infinity();
  c[9] = 3.0F;
  const auto field = std::make_shared<const core::Field>(core::reduce("C", c, 64, 64));
  result.fields[2] = field;
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "1 element of C not written"));
  EXPECT_TRUE(tests::shows(stage.trace(), "not a number"));
  const ui::Image image = ui::paint_field(*field);
  EXPECT_EQ(image.rgba[7] >> 24U, 0U) << "transparent";
  EXPECT_EQ(image.rgba[8], ui::viridis(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_EQ(image.rgba[9], ui::viridis(1.0F)) << "neither is in the range";
  result.groups_done = 3;
  stage.draw(result);
  EXPECT_FALSE(tests::shows(stage.trace(), "not written")) << "not computed yet";
}

TEST(GridDifference, TheMouseTellsGotWantedAndDifference) {
  const core::Result result = wrong();
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  const auto& all = stage.trace().entries;
  const auto caption = std::ranges::find(all, "C", &ui::TextTrace::Entry::text);
  ASSERT_NE(caption, all.end());
  // C's caption stands below its first column: its first cell is straight above, some rows up.
  glm::vec2 at = caption->rect.low;
  bool told = false;
  for (int up = 0; up < 400 && !told; ++up) {
    at.y -= 2.0F;
    ImGui::GetIO().MousePos = {at.x + 1.0F, at.y};
    stage.draw(result);
    told = tests::shows(stage.trace(), "expected") && tests::shows(stage.trace(), "7.5");
  }
  EXPECT_TRUE(told);
}

TEST(GridDifference, WithoutAReferenceItSaysHowToNameOne) {
  core::Result result = wrong();
  result.differences.clear();
  result.check = {};
  result.work = nullptr;
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "--reference"));
}

TEST(GridDifference, BlueIsTooLittleOrangeTooMuch) {
  EXPECT_EQ(ui::blue_white_orange(0.0F), ui::rgb(0xFFFFFF));
  EXPECT_EQ(ui::blue_white_orange(-2.0F), ui::rgb(0x0072B2));
  EXPECT_EQ(ui::blue_white_orange(1.0F), ui::rgb(0xE69F00));
  const core::Field none{.texel_rows = 1, .texel_columns = 2, .texels = {0.0F, NAN}};
  const ui::Image image = ui::paint_difference(none);
  EXPECT_EQ(image.rgba[0], ui::rgb(0xFFFFFF)) << "all is right";
  EXPECT_EQ(image.rgba[1], ui::rgb(0x808080)) << "not compared";
}

std::vector<std::string> order_of(const core::Result& result, const tests::Stage& stage) {
  std::vector<std::pair<float, std::string>> rows;
  for (const core::Rung& rung : result.ladder) {
    for (const auto& e : stage.trace().entries) {
      if (e.text == ui::rung_title(rung) && e.rect.low.x > 210.0F) {
        rows.emplace_back(e.rect.low.y, e.text);
      }
    }
  }
  std::ranges::sort(rows);
  std::vector<std::string> names;
  std::ranges::transform(rows, std::back_inserter(names), &std::pair<float, std::string>::second);
  return names;
}

// Variants of such times, in milliseconds.
core::Result ladder_of(const std::vector<std::pair<std::string, double>>& rows) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  core::Rung rung = result.ladder[1];
  result.ladder.clear();
  for (const auto& [name, ms] : rows) {
    rung.variant = "matmul/" + name;
    rung.title = name;
    rung.tile = 0;
    rung.spread = core::spread_of(std::vector{ms});
    rung.speedup = rows.front().second / ms;
    result.ladder.push_back(rung);
  }
  return result;
}

core::Scene comparison_of(const core::Result& result) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = "compare";
  return scene;
}

void click_on(const std::string& head, tests::Stage& stage, const core::Result& result) {
  const auto& all = stage.trace().entries;
  const auto found = std::ranges::find_if(all, [&](const auto& e) {
    return e.text == head || e.text == head + " ▲" || e.text == head + " ▼";
  });
  ASSERT_NE(found, all.end()) << head;
  const glm::vec2 at = found->rect.centre();
  ImGui::GetIO().MousePos = {at.x, at.y};
  stage.draw(result);
  ImGui::GetIO().MouseDown[0] = true;
  stage.draw(result);
  ImGui::GetIO().MouseDown[0] = false;
  stage.draw(result);
  stage.draw(result);
}

TEST(Compare, AClickOnAColumnSortsByItAndAnotherTheOtherWayRound) {
  const core::Result result = ladder_of({{"middle", 2.0}, {"slow", 3.0}, {"fast", 1.0}});
  tests::Stage stage(comparison_of(result));
  stage.draw(result);
  using Names = std::vector<std::string>;
  EXPECT_EQ(order_of(result, stage), (Names{"middle", "slow", "fast"}));
  click_on("time", stage, result);
  EXPECT_EQ(order_of(result, stage), (Names{"fast", "middle", "slow"}));
  click_on("time", stage, result);
  EXPECT_EQ(order_of(result, stage), (Names{"slow", "middle", "fast"}));
  click_on("name", stage, result);
  EXPECT_EQ(order_of(result, stage), (Names{"fast", "middle", "slow"}));
}

TEST(Compare, RowsThatDoNotFitAreScrolledTo) {
  std::vector<std::pair<std::string, double>> rows;
  for (int i = 0; i < 60; ++i) {
    rows.emplace_back(fmt::format("rung {:02}", i), 100.0 - i);
  }
  const core::Result result = ladder_of(rows);
  tests::Stage stage(comparison_of(result));
  stage.draw(result);
  const auto top = order_of(result, stage);
  ASSERT_LT(top.size(), 60U);
  EXPECT_EQ(top.front(), "rung 00");
  EXPECT_TRUE(tests::shows(stage.trace(), fmt::format("rows 1–{} of 60", top.size())));
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {600.0F, 300.0F};
  for (int i = 0; i < 100; ++i) {
    io.MouseWheel = -1.0F;
    stage.draw(result);
  }
  stage.draw(result);
  const auto bottom = order_of(result, stage);
  ASSERT_FALSE(bottom.empty());
  EXPECT_EQ(bottom.back(), "rung 59") << "and no further";
  EXPECT_EQ(bottom.size(), top.size());
  click_on("time", stage, result);
  EXPECT_EQ(order_of(result, stage).front(), "rung 59") << "sorted, it begins at the top";
}

TEST(UnderWay, TellsWhatIsLeftAsItWentSoFar) {
  ui::UnderWay launch;
  EXPECT_LT(launch.left(0.1, 10.0), 0.0) << "nothing to go by";
  EXPECT_NEAR(launch.left(0.3, 12.0), 7.0, 1e-9);
  EXPECT_LT(launch.left(0.05, 13.0), 0.0) << "another launch";
}

TEST(UnderWay, ALargeProblemsComparisonCanBeGivenUp) {
  core::Result result = tests::result_of("matmul/tiled", {4096, 4096, 4096}, 16);
  result.stage = core::Stage::verifying;
  result.progress = 0.43;
  result.timing = {};
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "43 %"));
  const auto& all = stage.trace().entries;
  EXPECT_NE(std::ranges::find(all, "cancel", &ui::TextTrace::Entry::text), all.end());
}

}  // namespace

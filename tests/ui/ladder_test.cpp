// A ladder with more steps than the panel has room for.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/fixture.h"

namespace {

core::Result with_steps(std::uint32_t count) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);
  const auto tiled = std::ranges::find(result.ladder, "matmul/tiled", &core::Rung::variant);
  core::Rung rung = *tiled;
  result.ladder = {rung};
  while (result.ladder.size() < count) {
    rung.tile = 100 + static_cast<std::uint32_t>(result.ladder.size());
    result.ladder.push_back(rung);
  }
  return result;
}

core::Scene scene_of(const core::Result& result) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 1024;
  scene.view.height = 640;
  return scene;
}

// What the ladder's panel says, at the left.
std::vector<std::string> said(const tests::Stage& stage, const std::string& start) {
  std::vector<std::string> found;
  for (const auto& entry : stage.trace().entries) {
    if (entry.rect.high.x < 210.0F && entry.text.starts_with(start)) {
      found.push_back(entry.text);
    }
  }
  return found;
}

// Beside the steps there are the two other variants of the tests' catalogue.
TEST(Ladder, StepsMoveCloserBeforeAnyIsLeftOut) {
  const core::Result result = with_steps(14);
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  EXPECT_EQ(said(stage, "Tiled 1").size(), 14U);
  EXPECT_TRUE(said(stage, "… ").empty() ||
              said(stage, "… ").front() == "… is still to be measured");
}

TEST(Ladder, TellsHowManyAreNotShownAndTheWheelShowsThem) {
  const core::Result result = with_steps(38);
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  const std::size_t shown = said(stage, "Tiled 1").size() + said(stage, "Naive").size();
  ASSERT_EQ(said(stage, "… ").size(), 1U);
  EXPECT_EQ(said(stage, "… ").front(), "… " + std::to_string(40 - shown) + " more (wheel)");
  ImGui::GetIO().MousePos = {100.0F, 300.0F};
  for (int i = 0; i < 40; ++i) {
    ImGui::GetIO().MouseWheel = -1.0F;
    stage.draw(result);
  }
  EXPECT_EQ(said(stage, "Tiled 137").size(), 1U);
  EXPECT_EQ(said(stage, "… ").front(), "… " + std::to_string(40 - shown) + " more above");
}

TEST(Ladder, TheChosenStepComesIntoSight) {
  core::Result result = with_steps(38);
  result.experiment.tile = 136;
  tests::Stage stage(scene_of(result));
  stage.draw(result);
  EXPECT_EQ(said(stage, "Tiled 136").size(), 1U);
}

}  // namespace

// A ladder with more steps than the panel has room for.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/fixture.h"

namespace {

// So many variants, each measured at one tile.
struct Ladder {
  core::Catalogue catalogue;
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 16);

  explicit Ladder(std::uint32_t count) {
    core::Variant variant = *tests::catalogue().find("matmul/tiled");
    core::Rung rung = result.ladder[1];
    std::vector<core::Variant> variants{variant};
    result.ladder = {rung};
    while (variants.size() < count) {
      const std::uint32_t number = 100 + static_cast<std::uint32_t>(variants.size());
      variant.name = "v" + std::to_string(number);
      variant.title = "Tiled " + std::to_string(number);
      variant.order = static_cast<int>(number);
      rung.variant = variant.id();
      rung.tile = 0;
      variants.push_back(variant);
      result.ladder.push_back(rung);
    }
    catalogue = core::Catalogue(std::move(variants), core::built_in_workloads());
  }
};

core::Scene ladder_scene(const core::Result& result) {
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

TEST(LadderPanel, StepsMoveCloserBeforeAnyIsLeftOut) {
  const Ladder ladder(14);
  tests::Stage stage(ladder_scene(ladder.result), ladder.catalogue);
  stage.draw(ladder.result);
  EXPECT_EQ(said(stage, "Tiled 1").size(), 14U);
  EXPECT_TRUE(said(stage, "… ").empty());
}

TEST(LadderPanel, StepsMoveCloserBeforeTheClaimIsLeftOut) {
  const Ladder ladder(12);
  core::Scene scene = ladder_scene(ladder.result);
  scene.view.height = 760;
  tests::Stage stage(scene, ladder.catalogue);
  stage.draw(ladder.result);
  EXPECT_EQ(said(stage, "Tiled 1").size(), 12U);
  const std::string claim = ladder.catalogue.find("matmul/tiled")->claim;
  EXPECT_EQ(said(stage, claim.substr(0, claim.find(' ', 8))).size(), 1U) << claim;
}

TEST(LadderPanel, TellsHowManyAreNotShownAndTheWheelShowsThem) {
  const Ladder ladder(40);
  tests::Stage stage(ladder_scene(ladder.result), ladder.catalogue);
  stage.draw(ladder.result);
  const std::size_t shown = said(stage, "Tiled 1").size();
  ASSERT_EQ(said(stage, "… ").size(), 1U);
  EXPECT_EQ(said(stage, "… ").front(), "… " + std::to_string(40 - shown) + " more (wheel)");
  ImGui::GetIO().MousePos = {100.0F, 300.0F};
  for (int i = 0; i < 40; ++i) {
    ImGui::GetIO().MouseWheel = -1.0F;
    stage.draw(ladder.result);
  }
  EXPECT_EQ(said(stage, "Tiled 139").size(), 1U);
  EXPECT_EQ(said(stage, "… ").front(), "… " + std::to_string(40 - shown) + " more above");
}

TEST(LadderPanel, TheChosenStepComesIntoSight) {
  Ladder ladder(40);
  ladder.result.experiment.variant = "matmul/v138";
  tests::Stage stage(ladder_scene(ladder.result), ladder.catalogue);
  stage.draw(ladder.result);
  EXPECT_EQ(said(stage, "Tiled 138").size(), 1U);
}

// The tiles of a variant share its step: the wanted one's figure where it is chosen, else the
// best's.
TEST(LadderPanel, TilesOfAVariantShareAStep) {
  core::Result result = tests::result_of("matmul/tiled", {512, 512, 512}, 8);
  result.ladder.clear();
  for (const char* variant : {"naive", "tiled"}) {
    for (const std::uint32_t tile : {8U, 16U, 32U}) {
      core::Rung rung = tests::result_of("matmul/tiled", {512, 512, 512}, 16).ladder[1];
      rung.variant = std::string("matmul/") + variant;
      rung.title = variant;
      rung.tile = tile;
      rung.speedup = tile == 16 ? 2.25 : 1.0 + 0.01 * tile;
      result.ladder.push_back(rung);
    }
  }
  tests::Stage stage(ladder_scene(result));
  stage.draw(result);
  EXPECT_EQ(said(stage, "Naive").size(), 1U);
  EXPECT_EQ(said(stage, "Naive 16").size(), 1U);
  EXPECT_EQ(said(stage, "2.25×").size(), 1U);
  EXPECT_EQ(said(stage, "Tiled 8").size(), 1U);
  EXPECT_EQ(said(stage, "1.08×").size(), 1U);
}

}  // namespace

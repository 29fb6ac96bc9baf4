// Sizes that tiles do not divide: what the grid and the four ways side by side say of them.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/views/grid/grid_view.h"

namespace {

core::Scene scene_of(const core::Result& result, const char* view) {
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.name = view;
  scene.view.width = 1600;
  scene.view.height = 1000;
  return scene;
}

core::Result divided() {
  core::Result result = tests::result_of("transpose/divided", {999, 666}, 16);
  const auto facts = std::make_shared<core::KernelFacts>();
  const auto tiled = std::make_shared<core::KernelFacts>();
  tiled->accesses.resize(2);
  tiled->barriers.resize(1);
  using enum core::Section;
  const std::vector<std::vector<core::Section>> plan{{middle}, {bottom}, {right, corner}};
  for (const auto& sections : plan) {
    const bool first = result.launches.empty();
    result.launches.push_back({.kernel = first ? "transpose/divided" : "transpose/naive",
                               .title = first ? "Divided extent" : "Naive",
                               .sections = sections,
                               .groups = core::groups_of(sections, result.tiles),
                               .source = first ? result.variant.source : "void other() {}\n",
                               .facts = first ? tiled : facts,
                               .barriers_before = first ? 0U : 1U});
  }
  return result;
}

TEST(Extents, AreFourWaysInFigures) {
  const core::Result result = divided();
  tests::Stage stage(scene_of(result, "extents"));
  stage.draw(result);
  for (const char* text :
       {"Four ways to launch 999 × 666", "Padded extent 16", "650,752", "14,582 remaining cells",
        "3 launches", "R is 10 columns wide, B 7 rows high", "12,042 idle"}) {
    EXPECT_TRUE(tests::shows(stage.trace(), text)) << text;
  }
}

// The sections have letters where the figures are small, too: the text beside them speaks of B.
TEST(Extents, EachSectionHasItsLetter) {
  const core::Result result = divided();
  core::Scene scene = scene_of(result, "extents");
  scene.view.width = 1280;
  scene.view.height = 800;
  tests::Stage stage(scene);
  stage.draw(result);
  for (const char* letter : {"M", "R", "B", "C"}) {
    EXPECT_EQ(
        std::ranges::count(stage.trace().entries, std::string(letter), &ui::TextTrace::Entry::text),
        3)
        << letter;
  }
}

// All four look alike there: it says why, and where they do not.
TEST(Extents, ASizeThatTilesDivideSaysWhereTheWaysDiffer) {
  const core::Result result = tests::result_of("transpose/tiled", {512, 512}, 16);
  tests::Stage stage(scene_of(result, "extents"));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(),
                           "This size is a multiple of the tile size, so nothing is left over"));
  EXPECT_TRUE(tests::shows(stage.trace(), "511 × 511"));
  EXPECT_FALSE(tests::shows(stage.trace(), "by the edge")) << "nothing is";
  EXPECT_FALSE(tests::shows(stage.trace(), "idle"));
}

TEST(Extents, SectionsAreToldApartUntilAKeyHidesThem) {
  const core::Result result = divided();
  tests::Stage stage(scene_of(result, "grid"));
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "M: 650,752 cells, launch 1, Divided extent"));
  EXPECT_TRUE(tests::shows(stage.trace(), "R, C: 9,990 cells, launch 3, Naive"));
  stage.app().press(ui::letter('R'));
  stage.draw(result);
  EXPECT_FALSE(stage.app().state().of<ui::GridState>().sections);
  EXPECT_FALSE(tests::shows(stage.trace(), "650,752 cells"));
}

// Two launches of one kernel are two all the same.
TEST(Extents, EachLaunchHasAColourOfItsOwn) {
  const core::Result result = divided();
  const ui::Palette colours = ui::make_theme(true, 1.0F, {}).colours;
  const auto keys = ui::section_keys(result, colours);
  ASSERT_EQ(keys.size(), 3U);
  const auto key = [&](const std::string& brief) {
    const auto found = std::ranges::find(keys, brief, &ui::SectionKey::brief);
    return found == keys.end() ? ui::SectionKey{} : *found;
  };
  EXPECT_EQ(key("M: launch 1").colour, colours.shared);
  EXPECT_EQ(key("B: launch 2").colour, colours.global);
  const ui::Colour third = key("R, C: launch 3").colour;
  EXPECT_FALSE(third == 0 || third == colours.shared || third == colours.global);
}

TEST(Extents, TheSourceIsOfTheLaunchThatIsPointedAt) {
  const core::Result result = divided();
  core::Scene scene = scene_of(result, "grid");
  tests::Stage first(scene);
  first.draw(result);
  EXPECT_TRUE(tests::shows(first.trace(), "launch 1 of 3: shaders/transpose/divided.comp"));
  scene.view.tile = 41;  // the first of the right column
  tests::Stage third(scene);
  third.draw(result);
  EXPECT_TRUE(tests::shows(third.trace(), "launch 3 of 3: shaders/transpose/naive.comp"));
  EXPECT_TRUE(tests::shows(third.trace(), "3 of 3: Naive"));
}

}  // namespace

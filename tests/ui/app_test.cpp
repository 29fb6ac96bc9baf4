// Keys and snapshots in, requests out.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "ui/actions.h"
#include "ui/canvas/imgui_compat.h"
#include "ui/copy.h"
#include "ui/editor/editor.h"
#include "ui/fixture.h"
#include "ui/views.h"

namespace {

class AppTest : public tests::Keys {
 protected:
  AppTest() : Keys(tests::result_of("matmul/tiled", {64, 48, 80}, 16)) {}
};

TEST_F(AppTest, AFrameWithoutInputAsksForNothing) {
  const ui::Requests requests = stage_.draw(result_);
  EXPECT_FALSE(requests.experiment || requests.paused || requests.cancel || requests.restart ||
               requests.save_picture || requests.quit);
}

TEST_F(AppTest, AnExceptionInAViewCostsItsContentForThatFrame) {
  for (const std::string& view : ui::all_views()) {
    stage_.app().state().view.name = view;
    stage_.textures().failing = true;
    static_cast<void>(stage_.draw(result_));
    EXPECT_TRUE(tests::shows(stage_.trace(), "tile_a")) << view << ": the source is still drawn";
    stage_.textures().failing = false;
    EXPECT_EQ(stage_.draw(result_).not_drawn, std::vector<std::string>{}) << view;
    EXPECT_FALSE(tests::shows(stage_.trace(), "cannot draw")) << view;
  }
  stage_.app().state().view.name = "grid";
  stage_.textures().failing = true;
  const ui::Requests requests = stage_.draw(result_);
  ASSERT_EQ(requests.not_drawn.size(), 1U);
  EXPECT_TRUE(requests.not_drawn[0].starts_with("cannot draw the view \"grid\": "))
      << requests.not_drawn[0];
  EXPECT_TRUE(tests::shows(stage_.trace(), "cannot draw"));
}

// Between NewFrame and Render: an exception that leaves windows open and values pushed.
TEST_F(AppTest, StacksAreUnwoundAfterAnException) {
  ImGui::NewFrame();
  ImGui::Begin("outer");
  const ui::compat::StackDepth depth = ui::compat::stack_depth();
  ImGui::PushClipRect({0.0F, 0.0F}, {9.0F, 9.0F}, true);
  ImGui::PushID(1);
  ImGui::BeginChild("child");
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.5F);
  ui::compat::push_font(ImGui::GetFont());
  ImGui::Begin("inner");
  ImGui::PushStyleColor(ImGuiCol_Text, 0xFFU);
  ImGui::BeginTooltip();
  ui::compat::unwind_stacks(depth);
  EXPECT_EQ(ui::compat::stack_depth().windows, depth.windows);
  EXPECT_EQ(ui::compat::stack_depth().clips, depth.clips);
  ImGui::End();
  ImGui::Render();  // asserts that all was closed
  EXPECT_EQ(stage_.draw(result_).not_drawn, std::vector<std::string>{});
}

TEST_F(AppTest, TabAsksForTheNextVariantAtTheSameSizes) {
  const auto requests = press({ui::Key::tab, 0, false});
  ASSERT_TRUE(requests.experiment);
  EXPECT_EQ(requests.experiment->variant, "matmul/registers");
  EXPECT_EQ(requests.experiment->size, (core::Sizes{64, 48, 80}));
  EXPECT_EQ(requests.experiment->tile, 0U) << "the variant has no tile size; remove --tile";
}

TEST_F(AppTest, BracketsChangeTheTileAndStopAtTheEnds) {
  EXPECT_EQ(press(ui::letter(']')).experiment->tile, 32U);
  EXPECT_FALSE(press(ui::letter(']')).experiment) << "32 is the largest";
  EXPECT_EQ(press(ui::letter('[')).experiment->tile, 16U);
}

TEST_F(AppTest, AnotherWorkloadStartsAtItsOwnSizes) {
  const auto requests = press(ui::letter('w'));
  ASSERT_TRUE(requests.experiment);
  EXPECT_EQ(requests.experiment->variant, "transpose/tiled");
  EXPECT_TRUE(requests.experiment->size.empty());
}

TEST_F(AppTest, DoublingAndHalvingKeepSizesAboveZero) {
  EXPECT_EQ(press(ui::letter('.')).experiment->size, (core::Sizes{128, 96, 160}));
  for (int i = 0; i < 10; ++i) {
    press(ui::letter(','));
  }
  EXPECT_EQ(stage_.app().state().wanted.size, (core::Sizes{1, 1, 1}));
}

TEST_F(AppTest, TheNextDeviceIsAskedForByIndex) {
  EXPECT_EQ(press(ui::letter('d')).experiment->device, "0");
}

TEST_F(AppTest, SpacePausesAndGoesOn) {
  EXPECT_EQ(press({ui::Key::space, 0, false}).paused, true);
  result_.stage = core::Stage::paused;
  EXPECT_EQ(press({ui::Key::space, 0, false}).paused, false);
}

// Else the window would draw on and on.
TEST_F(AppTest, NothingIsOnItsWayWhereNothingMoves) {
  result_.stage = core::Stage::paused;
  for (const std::string& view : ui::views_of(result_)) {
    core::Scene still = scene();
    still.view.name = view;
    tests::Stage stage(still);
    for (int i = 0; i < 4; ++i) {
      stage.draw(result_);
    }
    EXPECT_FALSE(stage.app().busy()) << view;
    const std::size_t painted = stage.textures().painted;
    stage.draw(result_);
    EXPECT_EQ(stage.textures().painted, painted) << view;
  }
}

TEST_F(AppTest, EscapeClosesTheHelpBeforeItCancels) {
  result_.sliced = true;
  press(ui::letter('?'));
  EXPECT_TRUE(stage_.app().state().help);
  EXPECT_FALSE(press({ui::Key::escape, 0, false}).cancel);
  EXPECT_FALSE(stage_.app().state().help);
  EXPECT_TRUE(press({ui::Key::escape, 0, false}).cancel) << "a launch is under way";
}

TEST_F(AppTest, EscapePausesNothingThatEndsByItself) {
  press(ui::letter('?'));
  EXPECT_FALSE(press({ui::Key::escape, 0, false}).cancel);
  stage_.app().state().told = "The window was lost, and is open again.";
  EXPECT_FALSE(press({ui::Key::escape, 0, false}).cancel);
  EXPECT_TRUE(stage_.app().state().told.empty()) << "what stands is closed";
  result_.sliced = true;  // as launches are on a slow device, over and over
  result_.timing.samples_ms = {12.0, 13.0};
  result_.timing.spread = core::spread_of(result_.timing.samples_ms);
  const ui::Requests again = press({ui::Key::escape, 0, false});
  EXPECT_FALSE(again.cancel);
  EXPECT_FALSE(again.paused);
}

TEST_F(AppTest, ShiftAndArrowsPointAtTiles) {
  press({ui::Key::right, 0, true});
  const std::int64_t first = stage_.app().view().tile;
  EXPECT_GE(first, 0);
  press({ui::Key::down, 0, true});
  EXPECT_EQ(stage_.app().view().tile, first + 3) << "three tiles a row";
}

// In a narrow view the hint gives way after its first words, not within a number.
TEST(GridHint, IsNotCutWithinANumber) {
  const core::Result result = tests::result_of("matmul/tiled", {512, 512, 16}, 16);
  core::Scene scene;
  scene.experiment = result.experiment;
  scene.view.width = 1280;
  scene.view.height = 720;
  scene.view.scale = 2.0F;
  tests::Stage stage(scene);
  stage.draw(result);
  EXPECT_TRUE(tests::shows(stage.trace(), "1,024 workgroups"));
}

TEST_F(AppTest, TheSceneHoldsWhatIsSeen) {
  press(ui::letter('t'));
  press(ui::letter('+'));
  const core::Catalogue all = tests::catalogue();
  const auto scene = stage_.app().scene({result_, all, {}});
  EXPECT_EQ(scene.view.theme, "light");
  EXPECT_GT(std::get<double>(scene.view.settings.at("zoom")), 1.0);
  EXPECT_EQ(scene.view.name, "grid");
  EXPECT_EQ(scene.experiment, result_.experiment);
}

TEST_F(AppTest, HeatMapsArePaintedOncePerSnapshot) {
  const std::size_t before = stage_.textures().painted;
  stage_.draw(result_);
  EXPECT_EQ(stage_.textures().painted, before);
  result_.fields[2] = std::make_shared<const core::Field>(*result_.fields[2]);
  stage_.draw(result_);
  EXPECT_EQ(stage_.textures().painted, before + 1);
}

TEST_F(AppTest, ANewLabThatHasNothingYetIsDrawn) {
  const core::Result nothing;
  stage_.draw(nothing);
  EXPECT_GT(stage_.trace().entries.size(), 3U) << "empty panels say what will fill them";
}

TEST_F(AppTest, AComparisonIsAskedForAndShown) {
  EXPECT_TRUE(press(ui::letter('a')).compare);
  EXPECT_EQ(stage_.app().view().name, "compare");
  EXPECT_TRUE(press(ui::letter('E')).save_measurements);
}

TEST_F(AppTest, AStreamIsStartedShownAndStopped) {
  EXPECT_EQ(press(ui::letter('S')).stream, true);
  EXPECT_EQ(stage_.app().view().name, "stream");
  result_.stream = tests::stream(result_.problem.sizes, 2, true);
  EXPECT_EQ(press(ui::letter('S')).stream, false);
  result_.stream = tests::stream(result_.problem.sizes, 2, false);
  EXPECT_EQ(press(ui::letter('S')).stream, true);
}

TEST_F(AppTest, EscapeCancelsAComparison) {
  result_.comparing = true;
  EXPECT_TRUE(press({ui::Key::escape, 0, false}).cancel);
}

// A narrow view has a menu of the views where a wide one has their names.
TEST_F(AppTest, AllViewsAreNamedOrInAMenu) {
  const auto named = [](const tests::Stage& stage, const std::string& text) {
    return std::ranges::any_of(stage.trace().entries,
                               [&](const auto& e) { return e.text == text; });
  };
  core::Scene large = scene();
  large.view.width = 1920;
  tests::Stage wide(large);
  wide.draw(result_);
  EXPECT_TRUE(named(wide, "grid"));
  EXPECT_TRUE(named(wide, "roofline"));
  for (const char* name : {"grid", "tile", "barriers", "occupancy", "roofline", "compare"}) {
    core::Scene usual = scene();
    usual.view.width = 1280;
    usual.view.height = 720;
    tests::Stage at_1280(usual);
    tests::add_races(result_);
    at_1280.draw(result_);
    EXPECT_TRUE(named(at_1280, name)) << name << " is hidden at 1280";
  }
  core::Scene small = scene();
  small.view.scale = 3.0F;
  small.view.width = 1024;
  small.view.height = 640;
  tests::Stage narrow(small);
  narrow.draw(result_);
  EXPECT_TRUE(named(narrow, "view: grid")) << "the menu says what it is of";
  EXPECT_FALSE(named(narrow, "roofline"));
}

TEST_F(AppTest, CtrlCTakesTheLadderAsATableAndTheViewAsAPicture) {
  const std::string table = ui::ladder_tsv(result_);
  EXPECT_TRUE(table.starts_with("variant\ttile\tmedian ms"));
  EXPECT_EQ(std::ranges::count(table, '\n'), std::ssize(result_.ladder) + 1);
  EXPECT_EQ(std::ranges::count(table, '\t'), 5 * (std::ssize(result_.ladder) + 1));
  tests::add_races(result_);
  EXPECT_EQ(ui::findings_text({}, result_), result_.races->findings[0].sentence() + "\n" +
                                                result_.races->findings[1].sentence() + "\n");
  stage_.draw(result_);
  press(ui::ctrl('c'));
  EXPECT_GT(stage_.app().state().of<ui::CopyState>().picture.width(), 300.0F);
}

// Whatever the bar says, its fields stay where they are: a click on one never hits another.
TEST_F(AppTest, NothingMovesInTheTopBar) {
  const auto place = [&](const std::string& text) {
    for (const auto& entry : stage_.trace().entries) {
      if (entry.text == text && entry.rect.high.y < 60.0F) {
        return entry.rect.low.x;
      }
    }
    return -1.0F;
  };
  stage_.draw(result_);
  const float tile = place("tile");
  const float size = place("M");
  ASSERT_GT(tile, 0.0F);
  ASSERT_GT(size, tile);
  const auto stays = [&](const char* when) {
    stage_.draw(result_);
    EXPECT_EQ(place("tile"), tile) << when;
    EXPECT_EQ(place("M"), size) << when;
  };
  for (const auto stage : {core::Stage::compiling, core::Stage::verifying, core::Stage::paused}) {
    result_.stage = stage;
    stays("a stage");
  }
  result_.stage = core::Stage::running;
  result_.sliced = true;
  stays("a launch in slices");
  result_.check.done = false;
  stays("not compared yet");
  tests::add_races(result_);
  stays("races");
  result_.tuned = true;
  stays("a tuned tile");
  result_.variant = *tests::catalogue().find("matmul/registers");
  result_.experiment.variant = result_.variant.id();
  press({ui::Key::tab});
  EXPECT_EQ(place("M"), size) << "a variant without a tile";
}

core::Result not_set_up(const core::Result& before, const std::string& id,
                        const std::string& text) {
  core::Variant variant;
  if (const auto known = tests::catalogue().find(id)) {
    variant = *known;
  } else {
    variant.name = variant.title = id;
    variant.file = id;
  }
  variant.source = text;
  return core::not_set_up(before, variant, {.variant = id});
}

// In every view: its own text and error, and nothing that the kernel before was found to be.
TEST_F(AppTest, AKernelThatDoesNotRunShowsItsTextAndErrorAlone) {
  tests::add_races(result_);
  for (const char* id : {"transpose/tiled", "broken.comp"}) {
    core::Result broken = not_set_up(result_, id, "#version 460\nvoid main() {\n  oops;\n}\n");
    for (const std::string& view : ui::all_views()) {
      SCOPED_TRACE(std::string(id) + " in " + view);
      core::Scene first = scene();
      first.view.name = view;
      tests::Stage stage(first);
      stage.draw(result_);
      stage.app().state().wanted = broken.experiment;
      broken.stage = core::Stage::compiling;
      broken.error.reset();
      stage.draw(broken);
      EXPECT_TRUE(tests::shows(stage.trace(), "compiling"));
      broken.stage = core::Stage::failed;
      broken.error = core::Error{.fault = core::Fault::usage, .message = "no oops", .line = 3};
      stage.draw(broken);
      stage.draw(broken);
      EXPECT_TRUE(tests::shows(stage.trace(), "does not run"));
      EXPECT_TRUE(tests::shows(stage.trace(), "line 3: no oops"));
      EXPECT_TRUE(tests::shows(stage.trace(), "main"));
      broken.error->line = 1;  // of the header, which is folded
      stage.draw(broken);
      EXPECT_TRUE(tests::shows(stage.trace(), "#version"));
      for (const char* older : {"correct", "race-free", "2 races", "tile_a"}) {
        EXPECT_FALSE(tests::shows(stage.trace(), older)) << older;
      }
      EXPECT_TRUE(stage.app().state().of<ui::Editor>().sheets.empty());
      stage.app().press(ui::letter('/'));
      stage.draw(broken);
      EXPECT_EQ(stage.app().state().of<ui::Editor>().sheets.count(id), 1U) << "it can be edited";
    }
  }
}

// The line, the message below it and what stands before it can be seen.
TEST_F(AppTest, TheErrorOfAKernelIsInSight) {
  std::string text =
      "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
      "#include \"not_there.h\"\nvoid main() {\n}\n";
  core::Result broken = not_set_up(result_, "broken.comp", text);
  const auto fails_at = [&](int line) {
    tests::Stage stage(scene());
    stage.draw(result_);
    stage.app().state().wanted = broken.experiment;
    broken.stage = core::Stage::compiling;
    broken.error.reset();
    stage.draw(broken);
    broken.stage = core::Stage::failed;
    broken.error = core::Error{.fault = core::Fault::usage, .message = "no such", .line = line};
    for (int frame = 0; frame < 4; ++frame) {
      stage.draw(broken);
    }
    return stage.trace();
  };
  const auto header = fails_at(3);
  EXPECT_TRUE(tests::shows(header, "#version"));
  EXPECT_TRUE(tests::shows(header, "not_there"));
  for (int line = 6; line < 80; ++line) {
    text += "float of_line_" + std::to_string(line) + ";\n";
  }
  broken.variant.source = text;
  EXPECT_TRUE(tests::shows(fails_at(70), "of_line_70"));
  EXPECT_TRUE(tests::shows(fails_at(3), "not_there"));
}

// What was found out about the text before is not known of the one that is compiled.
TEST_F(AppTest, NoVerdictIsShownWhileAKernelIsCompiled) {
  tests::add_races(result_);
  result_.stage = core::Stage::compiling;
  stage_.draw(result_);
  EXPECT_FALSE(tests::shows(stage_.trace(), "2 races ·"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "compiling"));
  EXPECT_FALSE(tests::shows(stage_.trace(), "correct"));
}

TEST(Actions, EveryKeyHasOneMeaning) {
  std::vector<ui::KeyPress> keys;
  std::set<std::string_view> descriptions;
  for (const ui::Action& action : ui::actions()) {
    EXPECT_FALSE(action.keys.empty()) << action.description;
    EXPECT_TRUE(descriptions.insert(action.description).second) << action.description;
    for (const auto& [press, by] : action.keys) {
      EXPECT_EQ(std::ranges::count(keys, press), 0) << ui::to_string(press);
      keys.push_back(press);
    }
  }
}

TEST(Actions, KeysAreNamedAsOnTheKeyboard) {
  EXPECT_EQ(ui::to_string(ui::letter('w')), "W");
  EXPECT_EQ(ui::to_string(ui::letter('W')), "Shift+W");
  EXPECT_EQ(ui::to_string(ui::letter('[')), "[");
  EXPECT_EQ(ui::to_string({ui::Key::tab, 0, true}), "Shift+Tab");
}

// A machine that is busy draws five frames a second, and a frame takes one change of a button.
TEST(App, ADoubleClickMayTakeFourFrames) {
  const core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 16);
  core::Scene scene;
  scene.experiment = result.experiment;
  tests::Stage stage(scene);
  stage.draw(result);
  ImGuiIO& io = ImGui::GetIO();
  EXPECT_LT(io.MouseDoubleClickTime, 0.4F);
  io.DeltaTime = 0.2F;
  static_cast<void>(stage.app().prepare(*io.Fonts));
  EXPECT_GE(io.MouseDoubleClickTime, 0.8F);
}

}  // namespace

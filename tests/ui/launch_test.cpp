// A kernel's file without a workload: what it is launched with can be typed.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/fixture.h"
#include "ui/launch/launch_flags.h"
#include "ui/launch/launch_panel.h"

namespace {

core::Result stranger() {
  core::Result result = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  result.variant.workload.clear();
  result.variant.work = nullptr;
  result.variant.file = "/somewhere/scale.comp";
  result.experiment.variant = result.variant.id();
  result.experiment.size = {4, 1, 1};
  result.work = nullptr;
  result.tiles.local_size = {64, 1, 1};
  result.chosen = {"--groups 4,1,1", "--set n=256", "--spec 3=64", "--buffer 0.0=1024:random",
                   "--buffer 0.1=1024:zero"};
  result.buffers = {{.name = "from"}, {.name = "to"}};
  return result;
}

TEST(LaunchFields, AreThoseOfTheFlags) {
  const auto fields = ui::launch_fields(stranger());
  std::vector<std::string> said;
  for (const ui::LaunchField& field : fields) {
    said.push_back(field.shown + ": " + field.value);
  }
  const std::vector<std::string> wanted{
      "workgroups: 4,1,1", "invocations: 256,1,1",    "n: 256",
      "constant 3: 64",    "from (0.0): 1024:random", "to (0.1): 1024:zero"};
  EXPECT_EQ(said, wanted);
  EXPECT_TRUE(ui::launch_fields(tests::result_of("matmul/tiled", {64, 64, 64}, 8)).empty());
}

TEST(LaunchFields, ValuesGoWhereTheirFlagsWould) {
  const auto fields = ui::launch_fields(stranger());
  core::Experiment wanted;
  const auto set = [&](std::size_t at, const char* value) {
    return ui::set_field(fields[at], value, wanted).has_value();
  };
  EXPECT_TRUE(set(0, "8"));
  EXPECT_EQ(wanted.choices.groups, (core::Sizes{8, 1, 1}));
  EXPECT_TRUE(set(1, "1000,2"));
  EXPECT_EQ(wanted.choices.items, (core::Sizes{1000, 2, 1}));
  EXPECT_TRUE(wanted.choices.groups.empty()) << "one of the two";
  EXPECT_TRUE(set(2, "0.5"));
  EXPECT_EQ(wanted.settings["n"], "0.5");
  EXPECT_TRUE(set(3, "128"));
  EXPECT_EQ(wanted.choices.spec[3], 128U);
  EXPECT_TRUE(set(5, "4096:iota"));
  EXPECT_EQ(wanted.choices.buffers["0.1"], "4096:iota");
  EXPECT_EQ(ui::wanted_value(fields[5], wanted), "4096:iota");
  EXPECT_EQ(ui::wanted_value(fields[4], wanted), "1024:random");
  const core::Experiment before = wanted;
  for (const auto& [at, bad] : {std::pair{0, "0"},
                                {0, "a"},
                                {0, "1,2,3,4"},
                                {1, "1,,2"},
                                {1, ""},
                                {2, ""},
                                {3, "-1"},
                                {3, "1,2"},
                                {4, "zero"}}) {
    EXPECT_FALSE(set(static_cast<std::size_t>(at), bad)) << at << ": " << bad;
  }
  EXPECT_EQ(wanted, before) << "what is no value changes nothing";
}

class LaunchTest : public testing::Test {
 protected:
  LaunchTest() : result_(stranger()), stage_(scene(1280)) { stage_.draw(result_); }
  core::Scene scene(std::uint32_t width) const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    scene.view.width = width;
    return scene;
  }
  // As fast as can be: all within a frame.
  ui::Requests type(const std::string& text, ui::Key last) {
    for (const char letter : text) {
      stage_.app().press(ui::letter(static_cast<char32_t>(letter)));
    }
    stage_.app().press({last});
    return stage_.draw(result_);
  }

  core::Result result_;
  tests::Stage stage_;
};

TEST_F(LaunchTest, AreTypedInTheLaddersPlace) {
  EXPECT_TRUE(tests::shows(stage_.trace(), "Launched with"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "from (0.0)"));
  stage_.app().press(ui::letter('F'));
  const ui::Requests requests = type("16", ui::Key::tab);
  ASSERT_TRUE(requests.experiment);
  EXPECT_EQ(requests.experiment->choices.groups, (core::Sizes{16, 1, 1}));
  EXPECT_TRUE(tests::shows(stage_.trace(), "16,1,1")) << "marked as not yet running";
  type("", ui::Key::tab);
  const ui::Requests set = type("1000", ui::Key::enter);
  ASSERT_TRUE(set.experiment);
  EXPECT_EQ(set.experiment->settings.at("n"), "1000");
  EXPECT_FALSE(stage_.app().state().of<ui::LaunchPanel>().typing);
  EXPECT_EQ(stage_.app().state().wanted.variant, "/somewhere/scale.comp");
}

// A quick machine runs what was typed before the next key: what follows from it changes in a field
// that nobody typed at.
TEST_F(LaunchTest, AFieldThatNobodyTypedAtChangesNothing) {
  stage_.app().press(ui::letter('F'));
  ASSERT_TRUE(type("3", ui::Key::tab).experiment);
  result_.chosen.front() = "--groups 3,1,1";
  stage_.draw(result_);
  EXPECT_EQ(stage_.app().state().of<ui::LaunchPanel>().line.text(), "192,1,1");
  EXPECT_FALSE(type("", ui::Key::tab).experiment);
  EXPECT_FALSE(type("", ui::Key::enter).experiment);
  EXPECT_EQ(stage_.app().state().wanted.choices.groups, (core::Sizes{3, 1, 1}));
  EXPECT_TRUE(stage_.app().state().wanted.choices.items.empty());
}

// Both on the way to another kernel: keys wait for its fields, and none is taken for another's.
TEST_F(LaunchTest, KeysWaitForAKernelThatIsOnItsWay) {
  core::Result before = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  stage_.app().press(ui::letter('F'));
  stage_.app().press(ui::letter('2'));
  stage_.draw(before);
  stage_.app().press(ui::letter('5'));
  EXPECT_FALSE(stage_.draw(before).experiment);
  const ui::Requests requests = [&] {
    stage_.draw(result_);
    return type("", ui::Key::enter);
  }();
  ASSERT_TRUE(requests.experiment);
  EXPECT_EQ(requests.experiment->choices.groups, (core::Sizes{25, 1, 1}));
}

TEST_F(LaunchTest, WhoWaitsForAKernelMayGiveUp) {
  core::Result before = tests::result_of("matmul/tiled", {64, 64, 64}, 8);
  stage_.app().press(ui::letter('F'));
  stage_.draw(before);
  type("", ui::Key::escape);
  stage_.app().press(ui::letter('t'));
  stage_.draw(before);
  EXPECT_EQ(stage_.app().view().theme, "light") << "the keyboard is the window's again";
  before.error = core::Error{core::Fault::usage, "it does not compile"};
  stage_.app().press(ui::letter('F'));
  stage_.app().press(ui::letter('t'));
  stage_.draw(before);
  EXPECT_EQ(stage_.app().view().theme, "dark") << "none comes";
}

TEST_F(LaunchTest, WhatIsNoValueIsRefusedAndEscGivesUp) {
  stage_.app().press(ui::letter('F'));
  EXPECT_FALSE(type("0", ui::Key::enter).experiment);
  auto& panel = stage_.app().state().of<ui::LaunchPanel>();
  EXPECT_TRUE(panel.typing);
  EXPECT_FALSE(panel.refused.empty());
  EXPECT_FALSE(type("", ui::Key::escape).experiment);
  EXPECT_FALSE(panel.typing);
  EXPECT_TRUE(tests::shows(stage_.trace(), "4,1,1"));
}

TEST_F(LaunchTest, LieOverTheViewWhereThereIsNoLadder) {
  core::Scene narrow = scene(640);
  narrow.view.height = 480;
  tests::Stage stage(narrow);
  stage.draw(result_);
  EXPECT_FALSE(tests::shows(stage.trace(), "Launched with"));
  stage.app().press(ui::letter('F'));
  stage.draw(result_);
  EXPECT_TRUE(tests::shows(stage.trace(), "Launched with"));
  EXPECT_TRUE(tests::shows(stage.trace(), "more (wheel")) << "the others are counted";
  stage.app().press({ui::Key::escape});
  stage.draw(result_);
  EXPECT_FALSE(tests::shows(stage.trace(), "Launched with"));
}

}  // namespace

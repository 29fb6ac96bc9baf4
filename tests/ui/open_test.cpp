// What can be opened: the list, and the keys that go through it.
#include <algorithm>

#include <gtest/gtest.h>

#include "ui/canvas/theme.h"
#include "ui/fixture.h"
#include "ui/open/open_state.h"

namespace {

TEST(OpenRows, WordsAreLookedForInNamesAndPathsInTheirFolder) {
  ui::OpenState state;
  state.recent = {"/home/a/blur.comp", "matmul/naive"};
  const core::Catalogue catalogue = tests::catalogue();
  EXPECT_EQ(ui::open_rows(state, catalogue).front().target, "/home/a/blur.comp");
  state.line = ui::TextBuffer("BLUR");
  ASSERT_EQ(ui::open_rows(state, catalogue).size(), 1U);
  state.line = ui::TextBuffer("tiled mat");
  const auto rows = ui::open_rows(state, catalogue);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().target, "matmul/tiled");
  state.line = ui::TextBuffer("~/k");
  EXPECT_EQ(ui::wanted_folder("~/k"), "~/");
  EXPECT_TRUE(ui::open_rows(state, catalogue).empty()) << "the folder has not been read yet";
  state.listing = {"~/",
                   {{"back", true, false, ""},
                    {"kernel.comp", false, false, "kernel"},
                    {"kernels", true, false, ""}},
                   0,
                   0,
                   ""};
  const auto there = ui::open_rows(state, catalogue);
  ASSERT_EQ(there.size(), 3U);
  EXPECT_EQ(there[0].target, "~/kernel.comp");
  EXPECT_EQ(there[1].target, "~/kernels/");
  EXPECT_TRUE(there[1].enter);
  EXPECT_EQ(there[2].target, "~/back/") << "what has it elsewhere comes last";
}

TEST(OpenRows, TabCompletesAsFarAsAllAgree) {
  ui::OpenState state;
  state.listing = {"./",
                   {{"ker", true, false, ""},
                    {"kernel.comp", false, false, "kernel"},
                    {"scenes", true, false, ""}},
                   0,
                   0,
                   ""};
  state.line = ui::TextBuffer("./k");
  EXPECT_EQ(ui::completed(state), "./ker");
  state.line = ui::TextBuffer("./kern");
  EXPECT_EQ(ui::completed(state), "./kernel.comp");
  state.line = ui::TextBuffer("./s");
  EXPECT_EQ(ui::completed(state), "./scenes/");
  state.line = ui::TextBuffer("./none");
  EXPECT_EQ(ui::completed(state), "./none");
}

ui::KernelTree small_tree() {
  return {"code",
          {{"code/a/one.comp", "a/one.comp", "clean", 0, ""},
           {"code/a/b/two.comp", "a/b/two.comp", "racy, 2 findings", 2, ""},
           {"code/three.comp", "three.comp", "", 0, ""}},
          "",
          true};
}

TEST(OpenRows, AFolderIsATreeThatFoldsAndFilters) {
  ui::OpenState state;
  state.tree = small_tree();
  state.recent = {"/home/a/blur.comp"};
  const core::Catalogue catalogue = tests::catalogue();
  const auto labels = [&] {
    std::string all;
    for (const ui::OpenRow& row : ui::open_rows(state, catalogue)) {
      all += row.label + " [" + row.note + "]\n";
    }
    return all;
  };
  EXPECT_EQ(labels(),
            "▼ a/ [2 kernels: 1 clean, 1 racy]\n"
            "  one.comp [clean]\n"
            "  ▼ b/ [1 kernel: 1 racy]\n"
            "    two.comp [racy, 2 findings]\n"
            "three.comp [waiting]\n");
  state.folded = {"a/"};
  EXPECT_EQ(labels(), "▶ a/ [2 kernels: 1 clean, 1 racy]\nthree.comp [waiting]\n");
  state.line = ui::TextBuffer("racy");
  EXPECT_EQ(ui::open_rows(state, catalogue).front().target, "code/a/b/two.comp");
  EXPECT_TRUE(ui::open_rows(state, catalogue).front().found);
  EXPECT_EQ(ui::next_found(state.tree, "code/three.comp", 1), "code/a/b/two.comp");
  EXPECT_EQ(ui::next_found(state.tree, "elsewhere.comp", -1), "code/a/b/two.comp");
  EXPECT_EQ(ui::wanted_folder("x", "code/a/"), "code/a/");
  state.line = ui::TextBuffer("-D N=4");
  EXPECT_EQ(ui::open_rows(state, catalogue).front().target, "-D N=4");
}

class OpenKeys : public tests::Keys {
 protected:
  ui::OpenState& open() { return stage_.app().state().of<ui::OpenState>(); }
};

TEST_F(OpenKeys, CtrlOListsAndEnterOpens) {
  press(ui::letter('e'));  // from the editor, too
  const auto asked = press(ui::ctrl('o'));
  EXPECT_TRUE(open().shown || !asked.open);
  press({ui::Key::escape});
  press({ui::Key::escape});
  press(ui::ctrl('o'));
  ASSERT_TRUE(open().shown);
  EXPECT_EQ(stage_.draw(result_).list_folder, "./");
  for (const char c : std::string("naive")) {
    press(ui::letter(static_cast<char32_t>(c)));
  }
  EXPECT_TRUE(tests::shows(stage_.trace(), "matmul/naive"));
  EXPECT_FALSE(tests::shows(stage_.trace(), "matmul/tiled,"));
  const auto requests = press({ui::Key::enter});
  EXPECT_EQ(requests.open, "matmul/naive");
  EXPECT_FALSE(requests.experiment) << "no key of the window was meant";
  core::Scene opened;
  opened.experiment = tests::result_of("matmul/naive", {32, 32, 32}, 8).experiment;
  stage_.app().show(opened, false);
  EXPECT_FALSE(open().shown);
  EXPECT_EQ(stage_.app().state().wanted.variant, "matmul/naive");
}

TEST_F(OpenKeys, ShiftEnterPutsItBeside) {
  press(ui::ctrl('o'));
  for (const char c : std::string("naive")) {
    press(ui::letter(static_cast<char32_t>(c)));
  }
  press({ui::Key::enter, 0, true});
  const auto requests = stage_.draw(result_);
  ASSERT_TRUE(requests.beside);
  EXPECT_EQ(requests.beside->variant, "matmul/naive");
  EXPECT_EQ(requests.beside->size, result_.experiment.size);
}

TEST_F(OpenKeys, F8GoesOnToTheNextKernelOfTheTree) {
  EXPECT_FALSE(press({ui::Key::f8}).open) << "no folder is open";
  press({ui::Key::f8});
  open().tree = small_tree();
  EXPECT_EQ(press({ui::Key::f8}).open, "code/a/b/two.comp");
}

TEST_F(OpenKeys, CommandsOfAProjectAreAskedAbout) {
  press(ui::ctrl('o'));
  open().question = "tilescope.toml names commands\n  wgsl: naga";
  press(ui::letter('x'));
  EXPECT_TRUE(tests::shows(stage_.trace(), "wgsl: naga"));
  EXPECT_FALSE(open().answer);
  press({ui::Key::enter});
  EXPECT_FALSE(open().answer) << "Enter is no answer";
  press(ui::letter('y'));
  EXPECT_EQ(open().answer, true);
}

TEST_F(OpenKeys, ScenesAreSteppedThrough) {
  auto& scenes = stage_.app().state().of<ui::SceneList>();
  scenes.scenes = {{"a.toml", "First", ""}, {"b.toml", "Second", ""}};
  EXPECT_EQ(press({ui::Key::page_down, 0, false, true}).open_scene, 1U);
  EXPECT_TRUE(tests::shows(stage_.trace(), "1 of 2"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "First"));
  EXPECT_EQ(press({ui::Key::page_up, 0, false, true}).open_scene, 0U) << "the first stays";
}

TEST_F(OpenKeys, AWorkloadsSizesAreThereAgain) {
  press(ui::letter(','));
  const core::Sizes halved = stage_.app().state().wanted.size;
  EXPECT_EQ(halved, (core::Sizes{32, 32, 32}));
  press(ui::letter('w'));
  EXPECT_NE(stage_.app().state().wanted.workload(), "matmul");
  const auto back = press(ui::letter('W'));
  ASSERT_TRUE(back.experiment);
  EXPECT_EQ(back.experiment->workload(), "matmul");
  EXPECT_EQ(back.experiment->size, halved);
}

TEST_F(OpenKeys, ASizeThatIsTypedWithinAFrameIsTaken) {
  auto& app = stage_.app();
  app.press(ui::letter('M'));
  for (const char c : std::string("a1x23")) {
    app.press(ui::letter(static_cast<char32_t>(c)));
  }
  app.press({ui::Key::tab});
  app.press(ui::letter('7'));
  app.press({ui::Key::enter});
  app.press(ui::letter('t'));
  const auto requests = stage_.draw(result_);
  ASSERT_TRUE(requests.experiment);
  EXPECT_EQ(requests.experiment->size, (core::Sizes{123, 7, 64}));
  EXPECT_EQ(app.view().theme, "light") << "the keyboard is the window's again";
}

TEST_F(OpenKeys, ASizeIsNotTypedOnInWhatIsOpenedMeanwhile) {
  press(ui::letter('M'));
  press(ui::letter('9'));
  core::Scene opened;
  opened.experiment = tests::result_of("matmul/naive", {32, 32, 32}, 8).experiment;
  stage_.app().show(opened, false);
  press({ui::Key::enter});
  press(ui::letter('t'));
  EXPECT_EQ(stage_.app().state().wanted.size, (core::Sizes{32, 32, 32}));
  EXPECT_EQ(stage_.app().view().theme, "light") << "the keyboard is the window's again";
}

TEST_F(OpenKeys, ASizeThatDoesNotRunYetIsMarked) {
  const auto field = [this] {  // M's, as wide as its digits
    const auto& all = stage_.trace().entries;
    const auto found = std::ranges::find(all, "128", &ui::TextTrace::Entry::text);
    return found == all.end() ? ui::Rect() : found->rect;
  };
  press(ui::letter('M'));
  for (const char c : std::string("128")) {
    press(ui::letter(static_cast<char32_t>(c)));
  }
  ASSERT_TRUE(press({ui::Key::enter}).experiment);
  stage_.draw(result_);  // the lab is on its way
  ASSERT_FALSE(field().empty());
  const ui::Colour accent = ui::make_theme(true, 1.0F, {}).colours.accent;
  EXPECT_TRUE(tests::draws(accent, field()));
  result_.experiment.size[0] = 128;
  stage_.draw(result_);
  ASSERT_FALSE(field().empty());
  EXPECT_FALSE(tests::draws(accent, field())) << "it runs";
}

TEST_F(OpenKeys, NoSizeIsZero) {
  press(ui::letter('M'));
  press(ui::letter('0'));
  const auto requests = press({ui::Key::enter});
  EXPECT_FALSE(requests.experiment);
  EXPECT_TRUE(stage_.app().state().typing) << "it is still to be mended";
  press({ui::Key::escape});
  EXPECT_EQ(stage_.app().state().wanted.size, result_.experiment.size);
}

}  // namespace

// The editor in the source panel, by keys.
#include "ui/editor/editor.h"

#include <gtest/gtest.h>

#include "ui/fixture.h"

namespace {

class EditorTest : public tests::Keys {
 protected:
  ui::Requests type(const std::string& letters) {
    for (const char c : letters) {
      stage_.app().press(c == ' ' ? ui::KeyPress{ui::Key::space}
                                  : ui::letter(static_cast<char32_t>(c)));
    }
    return stage_.draw(result_);
  }
  // Frames for a second; what the last of those that asked for something asked for.
  std::optional<ui::EditedKernel> rest() {
    std::optional<ui::EditedKernel> asked;
    for (int i = 0; i < 60; ++i) {
      ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
      if (auto requests = stage_.draw(result_); requests.edit) {
        asked = requests.edit;
      }
    }
    return asked;
  }
  ui::Editor& editor() { return stage_.app().state().of<ui::Editor>(); }
};

TEST_F(EditorTest, WhatIsTypedIsCompiledOnceTheKeysRest) {
  press(ui::letter('e'));
  ASSERT_EQ(editor().focused, "matmul/tiled");
  press({ui::Key::home, 0, false, true});
  EXPECT_FALSE(type("// v").edit) << "the keys have not rested yet";
  EXPECT_TRUE(tests::shows(stage_.trace(), "an older text runs"));
  const auto asked = rest();
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->variant, "matmul/tiled");
  ASSERT_TRUE(asked->text);
  EXPECT_EQ(*asked->text, "// v" + result_.variant.source) << "no key of the window was meant";
  EXPECT_FALSE(rest()) << "once";
  EXPECT_TRUE(tests::shows(stage_.trace(), "compiling"));
  result_.error = core::Error{core::Fault::usage, "'x' : undeclared identifier", 1};
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "the last good text runs on"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "undeclared identifier"));
  result_.error.reset();
  result_.variant.source = *asked->text;
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "your text runs"));
}

TEST_F(EditorTest, EscapeGivesTheKeyboardBackAndKeepsTheText) {
  press(ui::letter('e'));
  type("x");
  press({ui::Key::escape});
  EXPECT_TRUE(editor().focused.empty());
  press(ui::letter('?'));
  EXPECT_TRUE(stage_.app().state().help);
  EXPECT_NE(editor().sheet_of("matmul/tiled")->buffer.text(), result_.variant.source);
}

TEST_F(EditorTest, CtrlSSavesTheWholeText) {
  press(ui::letter('e'));
  type("x");
  const auto requests = press(ui::ctrl('s'));
  ASSERT_TRUE(requests.save_kernel);
  EXPECT_EQ(requests.save_kernel->variant, "matmul/tiled");
  EXPECT_EQ(requests.save_kernel->text.size(), result_.variant.source.size() + 1);
}

TEST_F(EditorTest, SlashFinds) {
  press(ui::letter('/'));
  const std::string word = result_.variant.source.substr(result_.variant.source.size() / 2, 3);
  type(word);
  EXPECT_EQ(editor().sheet_of("matmul/tiled")->buffer.selected(), word);
  EXPECT_EQ(editor().sheet_of("matmul/tiled")->buffer.text(), result_.variant.source);
}

TEST_F(EditorTest, WhatIsChangedOutsideIsTakenInWhereNothingWasTyped) {
  press(ui::letter('e'));
  EXPECT_FALSE(stage_.app().file_is("matmul/tiled", "void main() { }\n")) << "the lab has it";
  EXPECT_EQ(editor().sheet_of("matmul/tiled")->buffer.text(), "void main() { }\n");
  EXPECT_FALSE(rest());
}

TEST_F(EditorTest, AConflictIsAskedAbout) {
  press(ui::letter('e'));
  press({ui::Key::home, 0, false, true});
  type("// mine");
  EXPECT_FALSE(stage_.app().file_is("matmul/tiled", "void main() { }\n"));
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "changed outside"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "Keep what is typed here"));
  const ui::Sheet& sheet = *editor().sheet_of("matmul/tiled");
  EXPECT_EQ(sheet.buffer.text(), "// mine" + result_.variant.source);
  EXPECT_EQ(sheet.theirs, "void main() { }\n");
  EXPECT_FALSE(stage_.app().file_is("matmul/tiled", "void main() { }\n")) << "the same again";
  EXPECT_TRUE(sheet.theirs);
  EXPECT_FALSE(stage_.app().file_is("matmul/tiled", sheet.buffer.text()));
  EXPECT_FALSE(sheet.theirs) << "both are the same now";
}

TEST_F(EditorTest, LettersThatDoNotRestAreKeptInADraft) {
  press(ui::letter('e'));
  std::optional<ui::KernelText> draft;
  for (int i = 0; i < 100 && !draft; ++i) {
    draft = type("x").draft;
  }
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->variant, "matmul/tiled");
  EXPECT_EQ(draft->begun, result_.variant.source);
  EXPECT_NE(draft->text.find("xxx"), std::string::npos);
}

TEST_F(EditorTest, AnIncludedFileIsEditedToo) {
  core::Launch launch;
  launch.kernel = "matmul/tiled";
  launch.source = result_.variant.source;
  launch.sources = {{"/k/tiled.comp", launch.source}, {"/k/bindings.glsl", "float one;\n"}};
  launch.tiles = result_.tiles;
  launch.facts = result_.facts;
  result_.launches = {launch};
  stage_.draw(result_);
  stage_.app().state().source_path = "/k/bindings.glsl";
  press(ui::letter('e'));
  ASSERT_EQ(editor().focused, "/k/bindings.glsl");
  press({ui::Key::home, 0, false, true});
  type("// v");
  const auto asked = rest();
  ASSERT_TRUE(asked);
  EXPECT_TRUE(asked->included);
  EXPECT_EQ(asked->variant, "/k/bindings.glsl");
  EXPECT_EQ(asked->text, "// vfloat one;\n");
  result_.error = core::Error{core::Fault::usage, "/k/bindings.glsl:1: 'v' : syntax error"};
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "syntax error")) << "under its line";
}

TEST_F(EditorTest, ADraftRunsAsSoonAsItsKernelIsShown) {
  tests::Stage later(scene());
  later.app().offer_draft({"matmul/tiled", "void main() {}\n"});
  const ui::Requests requests = later.draw(result_);
  ASSERT_TRUE(requests.edit);
  EXPECT_EQ(requests.edit->text, "void main() {}\n");
  EXPECT_TRUE(tests::shows(later.trace(), "main"));
}

TEST(LinesBefore, ChangedLinesHaveNone) {
  EXPECT_EQ(ui::lines_before("a\nb\nc", "a\nx\ny\nc"), (std::vector<std::uint32_t>{1, 0, 0, 3}));
  EXPECT_EQ(ui::lines_before("a\nb", "a\nb"), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(ui::lines_before("a\na", "a\na\na"), (std::vector<std::uint32_t>{1, 2, 0}));
}

}  // namespace

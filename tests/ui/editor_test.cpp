// The text that the editor edits, without the editor; and the editor in the source panel, by keys.
#include "ui/editor/editor.h"

#include <random>

#include <gtest/gtest.h>

#include "ui/editor/text_buffer.h"
#include "ui/fixture.h"

namespace {

using ui::TextBuffer;
using Step = ui::TextBuffer::Step;

TextBuffer at(const std::string& text, std::size_t cursor) {
  TextBuffer buffer(text);
  buffer.move_to(cursor, false);
  return buffer;
}

TEST(TextBuffer, TypesUndoesARunOfLettersAndRedoesIt) {
  TextBuffer b = at("int ;", 4);
  b.type("a");
  b.type("b");
  EXPECT_EQ(b.text(), "int ab;");
  EXPECT_TRUE(b.undo());
  EXPECT_EQ(b.text(), "int ;");
  EXPECT_EQ(b.cursor(), 4U);
  EXPECT_FALSE(b.undo());
  EXPECT_TRUE(b.redo());
  EXPECT_EQ(b.text(), "int ab;");
  b.move(Step::letter, -1, false);  // moving ends the run
  b.type("c");
  EXPECT_TRUE(b.undo());
  EXPECT_EQ(b.text(), "int ab;");
}

TEST(TextBuffer, LineBreaksKeepTheIndentationAndGoDeeperAfterABrace) {
  TextBuffer b = at("  for (;;) {", 12);
  b.new_line();
  EXPECT_EQ(b.text(), "  for (;;) {\n    ");
  b.type("}");
  EXPECT_EQ(b.text(), "  for (;;) {\n  }") << "a closing brace alone in its line steps out";
  b.new_line();
  EXPECT_EQ(b.text(), "  for (;;) {\n  }\n  ");
}

TEST(TextBuffer, GoingUpAndDownKeepsTheColumn) {
  TextBuffer b = at("abcdef\nx\nabcdef", 5);
  b.move(Step::line, 1, false);
  EXPECT_EQ(b.cursor(), 8U) << "the short line's end";
  b.move(Step::line, 1, false);
  EXPECT_EQ(b.cursor(), 14U);
  b.move(Step::line, -2, false);
  EXPECT_EQ(b.cursor(), 5U);
}

TEST(TextBuffer, LettersOfUtf8AreNeverTakenApart) {
  TextBuffer b = at("a×b", 1);
  b.move(Step::letter, 1, false);
  EXPECT_EQ(b.cursor(), 3U);
  EXPECT_EQ(b.place_of(3), (TextBuffer::Place{0, 2}));
  EXPECT_EQ(b.byte_of({0, 2}), 3U);
  b.erase(Step::letter, -1);
  EXPECT_EQ(b.text(), "ab");
}

TEST(TextBuffer, SelectionsAreReplacedCutAndIndented) {
  TextBuffer b("a\nb\nc");
  b.move_to(0, false);
  b.move(Step::line, 2, true);
  EXPECT_EQ(b.selected(), "a\nb\n");
  b.indent(1);
  EXPECT_EQ(b.text(), "  a\n  b\nc") << "the third line was not meant";
  b.indent(-1);
  EXPECT_EQ(b.text(), "a\nb\nc");
  EXPECT_EQ(b.cut(), "a\nb\n");
  b.insert("x\r\ny");
  EXPECT_EQ(b.text(), "x\nyc");
  b.select_all();
  b.type("z");
  EXPECT_EQ(b.text(), "z");
}

TEST(TextBuffer, HomeGoesToTheFirstLetterAndThenToTheStart) {
  TextBuffer b = at("  ab", 4);
  b.move(Step::line_end, -1, false);
  EXPECT_EQ(b.cursor(), 2U);
  b.move(Step::line_end, -1, false);
  EXPECT_EQ(b.cursor(), 0U);
  b.move(Step::line_end, 1, false);
  EXPECT_EQ(b.cursor(), 4U);
}

TEST(TextBuffer, FindsRoundTheEndBothWays) {
  TextBuffer b("bar foo bar");
  EXPECT_TRUE(b.find("bar", 1));
  EXPECT_EQ(b.selection().first, 0U);
  EXPECT_TRUE(b.find("bar", 1));
  EXPECT_EQ(b.selection().first, 8U);
  EXPECT_TRUE(b.find("bar", 1));
  EXPECT_EQ(b.selection().first, 0U);
  EXPECT_TRUE(b.find("bar", -1));
  EXPECT_EQ(b.selection().first, 8U);
  EXPECT_FALSE(b.find("nothing", 1));
}

TEST(TextBuffer, FindsTheOtherBracket) {
  EXPECT_EQ(at("f(a[1])", 1).matching(), 6U);
  EXPECT_EQ(at("f(a[1])", 7).matching(), 1U) << "that before the cursor, at the text's end";
  EXPECT_EQ(at("f(a", 1).matching(), std::string::npos);
}

// Whatever is done can be undone to the text of the start, and redone to that of the end.
TEST(TextBuffer, EverythingCanBeUndone) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto pick = [&random](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  TextBuffer b("void main() {\n  a[i] = 2 × b;\n}\n");
  const std::string start = b.text();
  for (int n = 0; n < 200; ++n) {
    b.move(static_cast<Step>(pick(6)), pick(2) == 0 ? -1 : 1, pick(3) == 0);
    switch (pick(6)) {
      case 0:
        b.type("}");
        break;
      case 1:
        b.new_line();
        break;
      case 2:
        b.erase(static_cast<Step>(pick(2)), pick(2) == 0 ? -1 : 1);
        break;
      case 3:
        b.indent(pick(2) == 0 ? -1 : 1);
        break;
      case 4:
        b.insert("ü{\n");
        break;
      default:
        static_cast<void>(b.cut());
        break;
    }
    ASSERT_LE(b.cursor(), b.text().size());
    ASSERT_EQ(b.byte_of(b.place_of(b.cursor())), b.cursor());
  }
  const std::string end = b.text();
  while (b.undo()) {
  }
  EXPECT_EQ(b.text(), start);
  while (b.redo()) {
  }
  EXPECT_EQ(b.text(), end);
}

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

// Nobody types where nothing is seen.
TEST_F(EditorTest, TheCursorIsFollowedSideways) {
  press(ui::letter('e'));
  press({ui::Key::home, 0, false, true});
  const std::string much(400, 'w');
  type(much + "END");
  stage_.draw(result_);
  const auto sees = [&](const std::string& end) {
    return std::ranges::any_of(stage_.trace().entries, [&](const auto& entry) {
      return entry.scrolls && entry.text.ends_with(end) && entry.rect.high.x <= entry.clip.high.x;
    });
  };
  stage_.draw(result_);
  EXPECT_TRUE(sees("wEND"));
  press({ui::Key::home});
  stage_.draw(result_);
  stage_.draw(result_);
  EXPECT_FALSE(sees("wEND"));
}

// A race that is found meanwhile is brought into sight only as far as the cursor's line stays.
TEST_F(EditorTest, TheLineThatIsTypedIntoStaysWhateverIsFound) {
  tests::add_races(result_);
  const auto found = std::exchange(result_.races, nullptr);
  stage_.draw(result_);
  press(ui::letter('e'));
  press({ui::Key::end, 0, false, true});
  for (int i = 0; i < 40; ++i) {
    press({ui::Key::enter});
  }
  type("// here");
  const auto sees = [&](const std::string& text) {
    return std::ranges::any_of(stage_.trace().entries, [&](const auto& entry) {
      return entry.scrolls && entry.text == text &&
             entry.clip.contains(entry.rect.inset(1.0F, 1.0F));
    });
  };
  const auto frames = [&] {
    for (int i = 0; i < 4; ++i) {
      stage_.draw(result_);
    }
  };
  frames();
  ASSERT_TRUE(sees("// here"));
  ASSERT_FALSE(sees("tile_a")) << "all of it has room";
  result_.variant.source = editor().sheet_of("matmul/tiled")->buffer.text();
  result_.races = found;
  frames();
  EXPECT_TRUE(sees("// here"));
}

TEST_F(EditorTest, WhatIsTypedIsCompiledOnceTheKeysRest) {
  press(ui::letter('e'));
  ASSERT_EQ(editor().focused, "matmul/tiled");
  press({ui::Key::home, 0, false, true});
  EXPECT_FALSE(type("// v").edit) << "the keys have not rested yet";
  EXPECT_TRUE(tests::shows(stage_.trace(), "the previous text runs"));
  const auto asked = rest();
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->variant, "matmul/tiled");
  ASSERT_TRUE(asked->text);
  EXPECT_EQ(*asked->text, "// v" + result_.variant.source) << "no key of the window was meant";
  EXPECT_FALSE(rest()) << "once";
  EXPECT_TRUE(tests::shows(stage_.trace(), "compiling"));
  result_.error = core::Error{core::Fault::usage, "'x' : undeclared identifier", 1};
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "the last text that compiled runs"));
  EXPECT_TRUE(tests::shows(stage_.trace(), "undeclared identifier"));
  result_.error.reset();
  result_.variant.source = *asked->text;
  stage_.draw(result_);
  EXPECT_TRUE(tests::shows(stage_.trace(), "edited text runs"));
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

TEST_F(EditorTest, CtrlSSavesWhereverTheKeyboardIs) {
  EXPECT_FALSE(press(ui::ctrl('s')).save_kernel);
  EXPECT_TRUE(tests::shows(stage_.trace(), "Nothing to save"));
  press(ui::letter('e'));
  type("x");
  press({ui::Key::escape});
  EXPECT_TRUE(press(ui::ctrl('s')).save_kernel) << "in the source";
  press(ui::letter('M'));
  EXPECT_TRUE(press(ui::ctrl('s')).save_kernel) << "while a size is typed";
  press({ui::Key::escape});
  press(ui::ctrl('o'));
  EXPECT_TRUE(press(ui::ctrl('s')).save_kernel) << "while a file is looked for";
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
  EXPECT_TRUE(tests::shows(stage_.trace(), "Keep my text"));
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

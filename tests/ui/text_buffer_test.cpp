// The text that the editor edits, without the editor.
#include "ui/editor/text_buffer.h"

#include <random>

#include <gtest/gtest.h>

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

}  // namespace

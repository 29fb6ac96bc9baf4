// Edits of documents by lines and UTF-16 code units.
#include "cli/lsp/text_positions.h"

#include <string>

#include <gtest/gtest.h>

namespace {

using cli::TextRange;

std::string edited(std::string text, const TextRange& range, const char* with) {
  cli::replace_range(text, range, with);
  return text;
}

TEST(LspText, EditsReplaceRanges) {
  const std::string text = "one\ntwo\nthree\n";
  EXPECT_EQ(edited(text, {{1, 0}, {2, 0}}, ""), "one\nthree\n");
  EXPECT_EQ(edited(text, {{1, 3}, {1, 3}}, ";"), "one\ntwo;\nthree\n");
  EXPECT_EQ(edited(text, {{3, 0}, {3, 0}}, "four"), text + "four");
  EXPECT_EQ(edited("", {{0, 0}, {0, 0}}, "a"), "a");
}

TEST(LspText, PositionsBeyondTheTextAreItsEnds) {
  EXPECT_EQ(edited("ab\ncd", {{0, 9}, {0, 9}}, "!"), "ab!\ncd");
  EXPECT_EQ(edited("ab\ncd", {{7, 0}, {4000000000U, 7}}, "!"), "ab\ncd!");
  EXPECT_EQ(edited("ab", {{0, 2}, {0, 0}}, "!"), "ab!");
}

TEST(LspText, CharactersAreUtf16Units) {
  // é is one unit, 🎈 two.
  EXPECT_EQ(cli::utf16_length("é🎈a"), 4U);
  EXPECT_EQ(edited("é🎈a", {{0, 1}, {0, 3}}, "x"), "éxa");
  EXPECT_EQ(edited("é🎈a", {{0, 2}, {0, 2}}, "x"), "éx🎈a");  // never inside a character
  EXPECT_EQ(cli::utf16_length("\xff\xe2\x82"), 3U);
}

TEST(LspText, LinesEndInThreeWays) {
  const std::string text = "a\r\nb\rc\nd";
  EXPECT_EQ(cli::line_at(text, 0), "a");
  EXPECT_EQ(cli::line_at(text, 1), "b");
  EXPECT_EQ(cli::line_at(text, 2), "c");
  EXPECT_EQ(cli::line_at(text, 3), "d");
  EXPECT_EQ(cli::line_at(text, 4), "");
  EXPECT_EQ(edited(text, {{0, 1}, {1, 0}}, "\n"), "a\nb\rc\nd");
}

}  // namespace

#include "ui/widgets/glsl_tokens.h"

#include <gtest/gtest.h>

namespace {

using ui::TokenKind;

std::string joined(const ui::GlslLine& line) {
  std::string text;
  for (const ui::Token& token : line.tokens) {
    text += token.text;
  }
  return text;
}

TokenKind kind_of(const ui::GlslLine& line, std::string_view word) {
  for (const ui::Token& token : line.tokens) {
    if (token.text == word) {
      return token.kind;
    }
  }
  ADD_FAILURE() << "no token " << word;
  return TokenKind::plain;
}

constexpr std::string_view kSource =
    "//! title = \"T\"\n"
    "#version 450\n"
    "\n"
    "shared vec4 tile[16];\n"
    "void main() {\n"
    "  tile[k] = a[i] * 2.5e3; /* two\n"
    "  lines */ barrier(); // done a[0]\n"
    "  float at_rest = tile[k];\n"
    "}";

TEST(GlslTokens, JoinToTheSource) {
  const auto listing = ui::tokenize_glsl(kSource, {"A"});
  std::string all;
  for (const ui::GlslLine& line : listing.lines) {
    all += (all.empty() ? "" : "\n") + joined(line);
  }
  EXPECT_EQ(all, kSource);
  EXPECT_EQ(listing.header_lines, 3U);
}

TEST(GlslTokens, AComponentIsNoVariableOfItsName) {
  const auto listing = ui::tokenize_glsl("shared float x[4];\nv = p.x + x[0];\nw = p.\nx[1];", {});
  const auto& line = listing.lines[1].tokens;
  std::vector<TokenKind> kinds;
  for (const ui::Token& token : line) {
    if (token.text == "x") {
      kinds.push_back(token.kind);
    }
  }
  EXPECT_EQ(kinds, (std::vector{TokenKind::plain, TokenKind::shared}));
}

TEST(GlslTokens, TellMemoriesApart) {
  const auto listing = ui::tokenize_glsl(kSource, {"A"});
  EXPECT_EQ(kind_of(listing.lines[3], "shared"), TokenKind::shared);
  EXPECT_EQ(kind_of(listing.lines[3], "vec4"), TokenKind::type);
  EXPECT_EQ(kind_of(listing.lines[5], "tile"), TokenKind::shared);
  EXPECT_EQ(kind_of(listing.lines[5], "a"), TokenKind::global);
  EXPECT_EQ(kind_of(listing.lines[5], "2.5e3"), TokenKind::number);
  EXPECT_EQ(listing.lines[5].globals, std::vector<std::string>{"a"});
  EXPECT_EQ(kind_of(listing.lines[6], "barrier"), TokenKind::barrier);
  EXPECT_TRUE(listing.lines[6].globals.empty()) << "a comment reads nothing";
  EXPECT_EQ(kind_of(listing.lines[7], "at_rest"), TokenKind::plain);
}

TEST(GlslTokens, EndAtAnyTruncation) {
  for (std::size_t length = 0; length <= kSource.size(); ++length) {
    const auto listing = ui::tokenize_glsl(kSource.substr(0, length), {"A"});
    std::size_t characters = 0;
    for (const ui::GlslLine& line : listing.lines) {
      characters += joined(line).size() + 1;
    }
    EXPECT_GE(characters + 1, length);
  }
}

}  // namespace

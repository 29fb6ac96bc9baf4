// Places in the text of a kernel, found without a parser.
#include "cli/lsp/kernel_text.h"

#include <string>

#include <gtest/gtest.h>

namespace {

TEST(LspKernelText, TheLanguageComesFromTheName) {
  EXPECT_EQ(cli::language_of_file("a.comp"), "glsl");
  EXPECT_EQ(cli::language_of_file("include/shared.h"), "glsl");
  EXPECT_EQ(cli::language_of_file("a.hlsl"), "hlsl");
  EXPECT_EQ(cli::language_of_file("a.wgsl"), "wgsl");
  EXPECT_EQ(cli::language_of_file("sky.frag"), "");
  EXPECT_EQ(cli::language_of_file("sky.vert.glsl"), "");
}

TEST(LspKernelText, FindsTheEntryPoint) {
  EXPECT_EQ(cli::entry_line_of("// void main()\nvoid\tmain ( ) {}\n", "glsl"), 2U);
  EXPECT_EQ(cli::entry_line_of("/* void main() */ void domain() {}\n", "glsl"), 0U);
  EXPECT_EQ(cli::entry_line_of("\n[numthreads(8, 1, 1)]\nvoid CS() {}\n", "hlsl"), 2U);
  EXPECT_EQ(cli::entry_line_of("@compute @workgroup_size(64)\nfn main() {}\n", "wgsl"), 1U);
}

TEST(LspKernelText, AStatementMayHaveSeveralLines) {
  const std::string text = "{\n  a = 1;\n  b[i] =\n      c[i];\n#if X\n  if (x)\n    d = 2;\n}\n";
  EXPECT_EQ(cli::statement_line(text, 2), 2U);
  EXPECT_EQ(cli::statement_line(text, 4), 3U);
  EXPECT_EQ(cli::statement_line(text, 7), 6U);
  EXPECT_EQ(cli::indentation_of(text, 4), "      ");
}

}  // namespace

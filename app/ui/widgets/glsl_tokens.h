// Splits a kernel's source into coloured pieces, and finds what a reader looks for in it: the lines
// that touch global memory, shared memory and barriers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

enum class TokenKind {
  plain,
  keyword,
  type,
  number,
  comment,
  header,
  preprocessor,
  global,
  shared,
  barrier
};

struct Token {
  TokenKind kind = TokenKind::plain;
  std::string_view text;  ///< of the listing's own copy of the source
};

struct GlslLine {
  std::vector<Token> tokens;         ///< whitespace included, so that they join to the line
  std::vector<std::string> globals;  ///< buffers that the line indexes, lower case
};

struct GlslListing {
  std::vector<GlslLine> lines;
  std::size_t header_lines = 0;  ///< at the top: `//!`, preprocessor and empty lines
};

/// `buffers` are the names of the workload's buffers; in the source they may be in any case. The
/// result points into `source`.
[[nodiscard]] GlslListing tokenize_glsl(std::string_view source,
                                        const std::vector<std::string>& buffers);

/// The arrays that are members of a text's buffer blocks, as it names them.
[[nodiscard]] std::vector<std::string> buffer_arrays(std::string_view source);

}  // namespace ui

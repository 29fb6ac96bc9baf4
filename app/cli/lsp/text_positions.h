// Positions in texts as the Language Server Protocol counts them: lines from 0, and UTF-16 code
// units in a line. Lines end with \n, \r\n or \r.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
};

struct TextRange {
  TextPosition start;
  TextPosition end;
};

/// Returns the number of UTF-16 code units of a text in UTF-8. A byte that is not UTF-8 counts as
/// one.
[[nodiscard]] std::uint32_t utf16_length(std::string_view text);

/// Returns the byte of a position. A position behind the end of its line is that end, one behind
/// the last line is the end of the text.
[[nodiscard]] std::size_t offset_of(std::string_view text, TextPosition position);

/// Returns a line, counted from 0, without its end. Empty if the text is shorter.
[[nodiscard]] std::string_view line_at(std::string_view text, std::uint32_t line);

/// Replaces a range. A range whose end is before its start is empty.
void replace_range(std::string& text, const TextRange& range, std::string_view with);

}  // namespace cli

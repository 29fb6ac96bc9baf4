#include "cli/lsp/text_positions.h"

#include <algorithm>

namespace cli {
namespace {

// Bytes of the character at the start of a text that is not empty; 1 if it is not UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80                     ? 1
                            : first >= 0xC2 && first < 0xE0  ? 2
                            : first >= 0xE0 && first < 0xF0  ? 3
                            : first >= 0xF0 && first <= 0xF4 ? 4
                                                             : 1;
  const std::string_view rest = text.substr(1, bytes - 1);
  const bool whole = rest.size() == bytes - 1 && std::ranges::all_of(rest, [](unsigned char c) {
                       return (c & 0xC0U) == 0x80U;
                     });
  return whole ? bytes : 1;
}

std::size_t units_of(std::size_t bytes) {
  return bytes == 4 ? 2 : 1;
}

// The first byte of a line; the end of the text if it has fewer lines.
std::size_t start_of_line(std::string_view text, std::uint32_t line) {
  std::size_t at = 0;
  for (std::uint32_t n = 0; n < line; ++n) {
    at = text.find_first_of("\r\n", at);
    if (at == std::string_view::npos) {
      return text.size();
    }
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
  }
  return at;
}

}  // namespace

std::uint32_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    units += units_of(bytes);
    text.remove_prefix(bytes);
  }
  return static_cast<std::uint32_t>(units);
}

std::string_view line_at(std::string_view text, std::uint32_t line) {
  text.remove_prefix(start_of_line(text, line));
  return text.substr(0, text.find_first_of("\r\n"));
}

std::size_t offset_of(std::string_view text, TextPosition position) {
  const std::size_t begin = start_of_line(text, position.line);
  std::string_view line = text.substr(begin);
  line = line.substr(0, line.find_first_of("\r\n"));
  std::size_t at = 0;
  for (std::size_t units = 0; at < line.size();) {
    const std::size_t bytes = character_bytes(line.substr(at));
    units += units_of(bytes);
    if (units > position.character) {
      break;
    }
    at += bytes;
  }
  return begin + at;
}

void replace_range(std::string& text, const TextRange& range, std::string_view with) {
  const std::size_t begin = offset_of(text, range.start);
  const std::size_t end = std::max(begin, offset_of(text, range.end));
  text.replace(begin, end - begin, with);
}

}  // namespace cli

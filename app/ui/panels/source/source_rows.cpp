#include "ui/panels/source/source_rows.h"

#include <algorithm>

namespace ui {
namespace {

constexpr std::size_t kFurther = 4;
constexpr std::size_t kFewest = 12;  // letters of a row; narrower panels cut the line

// Where the first `letters` of UTF-8 end.
std::size_t end_of(std::string_view text, std::size_t letters) {
  std::size_t at = 0;
  while (at < text.size() && letters > 0) {
    do {
      ++at;
    } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
    --letters;
  }
  return at;
}

// At most so many letters, and where there are more, up to behind the last space among them;
// without one behind a bracket or a comma, so that no name is torn.
std::size_t break_of(std::string_view text, std::size_t letters) {
  const std::size_t most = end_of(text, letters);
  if (most == text.size()) {
    return most;
  }
  const std::size_t word = text.find_first_not_of(' ');
  const std::size_t space = text.rfind(' ', most);
  if (space != std::string_view::npos && space > word) {
    return std::min(space + 1, most);
  }
  const std::size_t joint = text.find_last_of("([,", most - 1);
  return joint == std::string_view::npos || joint < word ? most : joint + 1;
}

// The last row in two, where that leaves room behind it.
void split_last(std::string_view line, std::size_t indent, std::vector<RowPart>& parts) {
  RowPart& last = parts.back();
  const std::size_t word = line.find_first_not_of(' ', last.begin);
  const std::size_t space = line.find_last_of(' ', last.end - 1);
  if (word < last.end && space != std::string_view::npos && space > word) {
    const RowPart next{space + 1, last.end, indent};
    last.end = space + 1;
    parts.push_back(next);
  }
}

}  // namespace

std::vector<RowPart> row_parts(std::string_view line, std::size_t columns, std::size_t behind) {
  const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t indent = own + kFurther + kFewest <= columns ? own + kFurther : 0;
  if (columns < kFewest) {
    return {{0, line.size(), 0}};
  }
  std::vector<RowPart> parts;
  for (std::size_t begin = 0; parts.empty() || begin < line.size();) {
    const std::size_t before = parts.empty() ? 0 : indent;
    const std::size_t end = begin + break_of(line.substr(begin), columns - before);
    parts.push_back({begin, end, before});
    begin = end;
  }
  const RowPart& last = parts.back();
  if (behind > 0 && last.indent + last.end - last.begin + behind > columns) {
    split_last(line, indent, parts);
  }
  return parts;
}

}  // namespace ui

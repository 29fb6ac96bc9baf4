#include "ui/editor/text_buffer.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace ui {
namespace {

constexpr std::size_t kIndent = 2;
constexpr int kPage = 12;                 // lines
constexpr std::size_t kMostUndone = 500;  // versions that are kept

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

bool in_word(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_' ||
         static_cast<unsigned char>(byte) >= 0x80U;
}

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues(byte); }));
}

std::size_t next_letter(std::string_view text, std::size_t at) {
  for (at = std::min(at + 1, text.size()); at < text.size() && continues(text[at]); ++at) {
  }
  return at;
}

std::size_t previous_letter(std::string_view text, std::size_t at) {
  for (at = at > 0 ? at - 1 : 0; at > 0 && continues(text[at]); --at) {
  }
  return at;
}

std::size_t next_word(std::string_view text, std::size_t at) {
  while (at < text.size() && in_word(text[at])) {
    ++at;
  }
  while (at < text.size() && !in_word(text[at])) {
    ++at;
  }
  return at;
}

std::size_t previous_word(std::string_view text, std::size_t at) {
  while (at > 0 && !in_word(text[at - 1])) {
    --at;
  }
  while (at > 0 && in_word(text[at - 1])) {
    --at;
  }
  return at;
}

constexpr std::string_view kOpening = "([{";
constexpr std::string_view kClosing = ")]}";

}  // namespace

std::pair<std::size_t, std::size_t> TextBuffer::selection() const {
  return std::minmax(cursor_, anchor_);
}

std::string TextBuffer::selected() const {
  const auto [first, last] = selection();
  return text_.substr(first, last - first);
}

std::size_t TextBuffer::line_start(std::size_t byte) const {
  const std::size_t before = byte > 0 ? text_.rfind('\n', byte - 1) : std::string::npos;
  return before == std::string::npos ? 0 : before + 1;
}

std::size_t TextBuffer::line_end(std::size_t byte) const {
  return std::min(text_.find('\n', byte), text_.size());
}

TextBuffer::Place TextBuffer::place_of(std::size_t byte) const {
  const std::string_view before = std::string_view(text_).substr(0, byte);
  return {static_cast<std::size_t>(std::ranges::count(before, '\n')),
          letters_in(before.substr(line_start(byte)))};
}

std::size_t TextBuffer::byte_of(Place place) const {
  std::size_t at = 0;
  for (; place.line > 0; --place.line) {
    const std::size_t end = line_end(at);
    if (end == text_.size()) {
      return end;
    }
    at = end + 1;
  }
  for (const std::size_t end = line_end(at); place.column > 0 && at < end; --place.column) {
    at = next_letter(text_, at);
  }
  return at;
}

std::size_t TextBuffer::stepped(Step step, int by) {
  const bool on = by > 0;
  std::size_t at = cursor_;
  switch (step) {
    case Step::letter:
      return on ? next_letter(text_, at) : previous_letter(text_, at);
    case Step::word:
      return on ? next_word(text_, at) : previous_word(text_, at);
    case Step::all:
      return on ? text_.size() : 0;
    case Step::line_end: {
      const std::size_t start = line_start(at);
      const std::size_t end = line_end(at);
      const std::size_t first = std::min(text_.find_first_not_of(' ', start), end);
      return on ? end : (at == first ? start : first);
    }
    case Step::line:
    case Step::page:
      break;
  }
  const Place now = place_of(at);
  column_ = keeps_column_ ? column_ : now.column;
  const int lines = by * (step == Step::page ? kPage : 1);
  if (lines < 0 && static_cast<std::size_t>(-lines) > now.line) {
    return now.line == 0 ? 0 : byte_of({0, column_});
  }
  return byte_of(
      {static_cast<std::size_t>(static_cast<std::ptrdiff_t>(now.line) + lines), column_});
}

void TextBuffer::move(Step step, int by, bool select) {
  const auto [first, last] = selection();
  // A step aside lets go of the selection at that end.
  const bool lets_go = !select && first != last && step == Step::letter;
  const bool vertical = step == Step::line || step == Step::page;
  cursor_ = lets_go ? (by > 0 ? last : first) : stepped(step, by);
  anchor_ = select ? anchor_ : cursor_;
  keeps_column_ = vertical;
  typing_ = false;
}

void TextBuffer::move_to(std::size_t place, bool select) {
  cursor_ = std::min(place, text_.size());
  anchor_ = select ? anchor_ : cursor_;
  keeps_column_ = typing_ = false;
}

void TextBuffer::select_all() {
  anchor_ = 0;
  cursor_ = text_.size();
  keeps_column_ = typing_ = false;
}

void TextBuffer::select_word(std::size_t place) {
  place = std::min(place, text_.size());
  anchor_ = place;
  while (anchor_ > 0 && in_word(text_[anchor_ - 1])) {
    --anchor_;
  }
  cursor_ = place;
  while (cursor_ < text_.size() && in_word(text_[cursor_])) {
    ++cursor_;
  }
  keeps_column_ = typing_ = false;
}

void TextBuffer::remember(bool typing) {
  if (!(typing && typing_)) {
    past_.push_back({text_, cursor_, anchor_});
    if (past_.size() > kMostUndone) {
      past_.erase(past_.begin());
    }
  }
  typing_ = typing;
  future_.clear();
  keeps_column_ = false;
}

void TextBuffer::replace(std::size_t first, std::size_t last, std::string_view letters) {
  text_.replace(first, last - first, letters);
  cursor_ = anchor_ = first + letters.size();
}

void TextBuffer::insert(std::string_view letters) {
  const auto [first, last] = selection();
  remember(false);
  std::string plain(letters);
  std::erase(plain, '\r');
  replace(first, last, plain);
}

void TextBuffer::type(std::string_view letter) {
  const auto [first, last] = selection();
  const std::size_t start = line_start(cursor_);
  const std::string_view before = std::string_view(text_).substr(start, first - start);
  remember(first == last);
  // Alone in its line, `}` steps out.
  if (letter == "}" && first == last && before.size() >= kIndent &&
      before.find_first_not_of(' ') == std::string_view::npos) {
    replace(cursor_ - kIndent, cursor_, letter);
    return;
  }
  replace(first, last, letter);
}

void TextBuffer::new_line() {
  const auto [first, last] = selection();
  const std::size_t start = line_start(first);
  const std::string_view line = std::string_view(text_).substr(start, first - start);
  std::size_t depth = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t code = line.find_last_not_of(' ');
  depth += code != std::string_view::npos && line[code] == '{' ? kIndent : 0;
  remember(false);
  replace(first, last, "\n" + std::string(depth, ' '));
}

void TextBuffer::erase(Step step, int by) {
  auto [first, last] = selection();
  if (first == last) {
    const std::size_t other = stepped(step, by);
    std::tie(first, last) = std::minmax(cursor_, other);
  }
  if (first != last) {
    remember(false);
    replace(first, last, {});
  }
}

void TextBuffer::indent(int by) {
  auto [first, last] = selection();
  if (by > 0 && first == last) {
    const std::size_t column = place_of(first).column;
    remember(false);
    replace(first, last, std::string(kIndent - column % kIndent, ' '));
    return;
  }
  remember(false);
  std::size_t at = line_start(first);
  // A selection that ends at the start of a line does not mean that line.
  last = last > first && last > 0 && text_[last - 1] == '\n' ? last - 1 : last;
  for (bool more = true; more;) {
    std::ptrdiff_t change = 0;
    if (by > 0) {
      text_.insert(at, kIndent, ' ');
      change = kIndent;
    } else {
      std::size_t spaces = 0;
      while (spaces < kIndent && at + spaces < text_.size() && text_[at + spaces] == ' ') {
        ++spaces;
      }
      text_.erase(at, spaces);
      change = -static_cast<std::ptrdiff_t>(spaces);
    }
    const auto moved = [&](std::size_t place) {
      const auto now = static_cast<std::ptrdiff_t>(place) + change;
      return place <= at ? place
                         : std::max(at, static_cast<std::size_t>(std::max<std::ptrdiff_t>(now, 0)));
    };
    cursor_ = moved(cursor_);
    anchor_ = moved(anchor_);
    last = moved(last);
    const std::size_t end = line_end(at);
    more = end < last;
    at = end + 1;
  }
}

std::string TextBuffer::cut() {
  auto [first, last] = selection();
  if (first == last) {
    first = line_start(cursor_);
    last = std::min(line_end(cursor_) + 1, text_.size());
  }
  std::string taken = text_.substr(first, last - first);
  remember(false);
  replace(first, last, {});
  return taken;
}

bool TextBuffer::go_to(std::vector<Version>& from, std::vector<Version>& to) {
  if (from.empty()) {
    return false;
  }
  to.push_back({std::move(text_), cursor_, anchor_});
  text_ = std::move(from.back().text);
  cursor_ = from.back().cursor;
  anchor_ = from.back().anchor;
  from.pop_back();
  keeps_column_ = typing_ = false;
  return true;
}

bool TextBuffer::undo() {
  return go_to(past_, future_);
}

bool TextBuffer::redo() {
  return go_to(future_, past_);
}

bool TextBuffer::find(std::string_view letters, int by) {
  if (letters.empty()) {
    return false;
  }
  const auto [first, last] = selection();
  std::size_t found = std::string::npos;
  if (by > 0) {
    found = text_.find(letters, last);
    found = found == std::string::npos ? text_.find(letters) : found;
  } else {
    found = first > 0 ? text_.rfind(letters, first - 1) : std::string::npos;
    found = found == std::string::npos ? text_.rfind(letters) : found;
  }
  if (found == std::string::npos) {
    return false;
  }
  anchor_ = found;
  cursor_ = found + letters.size();
  keeps_column_ = typing_ = false;
  return true;
}

std::size_t TextBuffer::matching() const {
  for (const std::size_t at : {cursor_, cursor_ > 0 ? cursor_ - 1 : std::string::npos}) {
    if (at >= text_.size()) {
      continue;
    }
    const std::size_t opens = kOpening.find(text_[at]);
    const std::size_t closes = kClosing.find(text_[at]);
    if (opens == std::string_view::npos && closes == std::string_view::npos) {
      continue;
    }
    const bool on = opens != std::string_view::npos;
    const char own = text_[at];
    const char other = on ? kClosing[opens] : kOpening[closes];
    int depth = 0;
    for (std::size_t i = at; i < text_.size(); i += on ? 1 : static_cast<std::size_t>(-1)) {
      depth += text_[i] == own ? 1 : text_[i] == other ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
  }
  return std::string::npos;
}

}  // namespace ui

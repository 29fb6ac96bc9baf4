// A text that is edited: places, a selection, undo. Pure data, for the editor in the source panel.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ui {

class TextBuffer {
 public:
  explicit TextBuffer(std::string text = {}) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Byte where the next letter goes; between letters of UTF-8, never inside of one.
  [[nodiscard]] std::size_t cursor() const { return cursor_; }
  /// Bytes that are selected, half-open; empty at the cursor when nothing is.
  [[nodiscard]] std::pair<std::size_t, std::size_t> selection() const;
  [[nodiscard]] std::string selected() const;

  enum class Step { letter, word, line, line_end, page, all };
  /// Moves the cursor by a step back (by < 0) or on, so many times; `select` keeps the other end.
  /// Step::line goes up and down, and remembers its column; Step::line_end goes to an end of the
  /// line (to its first letter, then to its start), Step::all to an end of the text.
  void move(Step step, int by, bool select);
  /// To a byte, as a click does.
  void move_to(std::size_t place, bool select);
  void select_all();
  void select_word(std::size_t place);

  /// Instead of what is selected. Letters typed one after the other are undone together.
  void insert(std::string_view letters);
  /// A letter of the keyboard; `}` alone in its line steps out.
  void type(std::string_view letter);
  /// A line break, and the indentation of the line before; deeper after `{`.
  void new_line();
  /// What is selected; nothing: a step back or on.
  void erase(Step step, int by);
  /// The selected lines, or this one, by two spaces deeper or (by < 0) less deep. Without a
  /// selection, deeper inserts spaces up to the next stop.
  void indent(int by);
  /// Cuts what is selected, the whole line where nothing is.
  [[nodiscard]] std::string cut();

  bool undo();
  bool redo();

  /// Selects the next (by = 1) or previous place with these letters, round the end. False: none.
  bool find(std::string_view letters, int by);

  /// The bracket that belongs to the one at or before the cursor; npos: there is none.
  [[nodiscard]] std::size_t matching() const;

  /// Line from 0 and column in letters from 0, and back.
  struct Place {
    std::size_t line = 0, column = 0;
    bool operator==(const Place&) const = default;
  };
  [[nodiscard]] Place place_of(std::size_t byte) const;
  [[nodiscard]] std::size_t byte_of(Place place) const;

 private:
  struct Version {
    std::string text;
    std::size_t cursor, anchor;
  };
  void remember(bool typing);
  void replace(std::size_t first, std::size_t last, std::string_view letters);
  [[nodiscard]] std::size_t stepped(Step step, int by);
  [[nodiscard]] std::size_t line_start(std::size_t byte) const;
  [[nodiscard]] std::size_t line_end(std::size_t byte) const;
  bool go_to(std::vector<Version>& from, std::vector<Version>& to);

  std::string text_;
  std::size_t cursor_ = 0;
  std::size_t anchor_ = 0;  // the selection's other end
  std::size_t column_ = 0;  // that going up and down keeps to
  bool keeps_column_ = false;
  bool typing_ = false;  // the next letter is undone with those before
  std::vector<Version> past_, future_;
};

}  // namespace ui

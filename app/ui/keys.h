// Key presses as the actions see them. The studio makes them from the window system's events;
// printing keys come as the character that the keyboard's layout gives, so that `?` and `[` are
// where the keyboard says.
#pragma once

#include <string>

namespace ui {

enum class Key {
  character,
  tab,
  escape,
  enter,
  space,
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  backspace,
  erase,
  f1,
  f5,
  f6,
  f7,
  f8,
  f9,
  f11
};

struct KeyPress {
  Key key = Key::character;
  char32_t character = 0;  ///< of Key::character; upper case when shift is held
  bool shift = false;      ///< of the named keys, and of letters with Ctrl
  bool ctrl = false;       ///< a letter is then the lower-case one

  bool operator==(const KeyPress&) const = default;
};

[[nodiscard]] constexpr KeyPress ctrl(char32_t character) {
  return {Key::character, character, false, true};
}
[[nodiscard]] constexpr KeyPress letter(char32_t character) {
  return {Key::character, character};
}

/// As a keyboard shows it: "Tab", "Shift+←", "t", "?".
[[nodiscard]] std::string to_string(const KeyPress& press);

}  // namespace ui

#include "ui/keys.h"

#include <array>

namespace ui {
namespace {

// In the order of Key; a character is its own.
constexpr std::array kNames{"",   "Tab",    "Esc",    "Enter", "Space", "←",         "→",      "↑",
                            "↓",  "Page ↑", "Page ↓", "Home",  "End",   "Backspace", "Delete", "F1",
                            "F5", "F6",     "F7",     "F8",    "F9",    "F11"};

std::string name_of(const KeyPress& press) {
  if (press.key != Key::character) {
    return kNames.at(static_cast<std::size_t>(press.key));
  }
  const char32_t c = press.character;
  if (c >= U'a' && c <= U'z') {
    return {static_cast<char>(c - U'a' + U'A')};
  }
  const bool upper = c >= U'A' && c <= U'Z';
  return (upper ? "Shift+" : "") + std::string(1, static_cast<char>(c));
}

}  // namespace

std::string to_string(const KeyPress& press) {
  return std::string(press.ctrl ? "Ctrl+" : "") + (press.shift ? "Shift+" : "") + name_of(press);
}

}  // namespace ui

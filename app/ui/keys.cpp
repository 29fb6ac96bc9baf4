#include "ui/keys.h"

namespace ui {
namespace {

std::string name_of(const KeyPress& press) {
  switch (press.key) {
    case Key::tab:
      return "Tab";
    case Key::escape:
      return "Esc";
    case Key::enter:
      return "Enter";
    case Key::space:
      return "Space";
    case Key::left:
      return "←";
    case Key::right:
      return "→";
    case Key::up:
      return "↑";
    case Key::down:
      return "↓";
    case Key::page_up:
      return "Page ↑";
    case Key::page_down:
      return "Page ↓";
    case Key::home:
      return "Home";
    case Key::end:
      return "End";
    case Key::backspace:
      return "Backspace";
    case Key::erase:
      return "Delete";
    case Key::f1:
      return "F1";
    case Key::character:
      break;
  }
  const auto lower = static_cast<char>(press.character | 0x20U);
  if (press.character >= U'a' && press.character <= U'z') {
    return std::string(1, static_cast<char>(press.character - 0x20U));
  }
  const bool upper = press.character >= U'A' && press.character <= U'Z';
  return upper ? "Shift+" + std::string(1, static_cast<char>(lower - 0x20))
               : std::string(1, static_cast<char>(press.character));
}

}  // namespace

std::string to_string(const KeyPress& press) {
  return std::string(press.ctrl ? "Ctrl+" : "") + (press.shift ? "Shift+" : "") + name_of(press);
}

}  // namespace ui

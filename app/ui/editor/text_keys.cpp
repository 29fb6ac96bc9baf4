#include "ui/editor/text_keys.h"

#include "ui/canvas/imgui_compat.h"

namespace ui {
namespace {

using Step = TextBuffer::Step;

void copy(const TextBuffer& buffer) {
  if (const std::string selected = buffer.selected(); !selected.empty()) {
    ImGui::SetClipboardText(selected.c_str());
  }
}

void paste(TextBuffer& buffer) {
  if (const char* text = ImGui::GetClipboardText(); text != nullptr) {
    buffer.insert(text);
  }
}

bool with_ctrl(TextBuffer& buffer, const KeyPress& key) {
  switch (key.character) {
    case U'z':
      static_cast<void>(key.shift ? buffer.redo() : buffer.undo());
      return true;
    case U'y':
      buffer.redo();
      return true;
    case U'a':
      buffer.select_all();
      return true;
    case U'c':
      copy(buffer);
      return true;
    case U'x':
      ImGui::SetClipboardText(buffer.cut().c_str());
      return true;
    case U'v':
      paste(buffer);
      return true;
    default:
      return false;
  }
}

bool move(TextBuffer& buffer, const KeyPress& key) {
  struct Move {
    Key key;
    Step step;
    int by;
  };
  const Step aside = key.ctrl ? Step::word : Step::letter;
  const Step end = key.ctrl ? Step::all : Step::line_end;
  for (const Move& move :
       {Move{Key::left, aside, -1}, Move{Key::right, aside, 1}, Move{Key::up, Step::line, -1},
        Move{Key::down, Step::line, 1}, Move{Key::page_up, Step::page, -1},
        Move{Key::page_down, Step::page, 1}, Move{Key::home, end, -1}, Move{Key::end, end, 1}}) {
    if (key.key == move.key) {
      buffer.move(move.step, move.by, key.shift);
      return true;
    }
  }
  return false;
}

}  // namespace

std::string utf8(char32_t c) {
  const auto part = [](char32_t bits, unsigned lead) {
    return static_cast<char>(static_cast<unsigned char>(lead | static_cast<unsigned>(bits)));
  };
  if (c < 0x80) {
    return {static_cast<char>(c)};
  }
  if (c < 0x800) {
    return {part(c >> 6U, 0xC0U), part(c & 0x3FU, 0x80U)};
  }
  if (c < 0x10000) {
    return {part(c >> 12U, 0xE0U), part(c >> 6U & 0x3FU, 0x80U), part(c & 0x3FU, 0x80U)};
  }
  return {part(c >> 18U, 0xF0U), part(c >> 12U & 0x3FU, 0x80U), part(c >> 6U & 0x3FU, 0x80U),
          part(c & 0x3FU, 0x80U)};
}

bool take_text_key(TextBuffer& buffer, const KeyPress& key) {
  const Step aside = key.ctrl ? Step::word : Step::letter;
  switch (key.key) {
    case Key::character:
      if (key.ctrl) {
        return with_ctrl(buffer, key);
      }
      buffer.type(utf8(key.character));
      return true;
    case Key::space:
      buffer.type(" ");
      return true;
    case Key::backspace:
      buffer.erase(aside, -1);
      return true;
    case Key::erase:
      buffer.erase(aside, 1);
      return true;
    default:
      return move(buffer, key);
  }
}

}  // namespace ui

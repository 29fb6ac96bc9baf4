// What keys do in any text that is typed: the source, a path, a number.
#pragma once

#include <string>

#include "ui/editor/text_buffer.h"
#include "ui/keys.h"

namespace ui {

[[nodiscard]] std::string utf8(char32_t letter);
/// Letters, moves, erasing, selecting, undo, redo and the clipboard. False: this key is not one of
/// them (Tab, Enter, Esc, others with Ctrl).
bool take_text_key(TextBuffer& buffer, const KeyPress& key);

}  // namespace ui

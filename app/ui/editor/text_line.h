// A line of text that is typed: a path, a size, an element.
#pragma once

#include <string_view>

#include "ui/canvas/canvas.h"
#include "ui/editor/text_buffer.h"

namespace ui {

/// Draws the text with its selection and cursor. The cursor is always visible: a longer text is
/// moved to the left. `hint` is shown while there is no text.
void draw_text_line(const Canvas& canvas, const Rect& inside, const TextBuffer& line,
                    std::string_view hint = {});

}  // namespace ui

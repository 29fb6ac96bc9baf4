// What the editor draws over the lines of the source: the selection, the cursor, and where the
// mouse puts it; and in the panel's head, how the text stands to what runs.
#pragma once

#include <vector>

#include "ui/editor/editor.h"

namespace ui {

/// A line of the source as it lies on the screen, or a row of one that is wrapped; its code begins
/// at the left edge of `code`.
struct PlacedLine {
  std::size_t begin = 0;  ///< bytes of the text, half-open, without the line break
  std::size_t end = 0;
  bool goes_on = false;  ///< in the next row
  Rect code;
};

/// Below the letters of a line.
void draw_selection(const Canvas& canvas, const Sheet& sheet, const PlacedLine& line);
/// Over them: the cursor where the keyboard types, and the bracket that belongs to the one beside.
void draw_cursor(const Canvas& canvas, const Sheet& sheet, const PlacedLine& line);
/// A click begins to edit where it is; dragging selects, a double click a word.
void take_editor_mouse(const Frame& frame, const Canvas& canvas, const Rect& area,
                       const std::vector<PlacedLine>& lines);
/// From the right end of the panel's head, as far as there is room: what was typed can be saved or
/// given up, and whether it runs. Takes their room off `head`.
void draw_editor_head(const Frame& frame, Strip& head);
/// Where the file was changed outside while it was typed at: what is to become of it. Takes its
/// room off `rest`.
void draw_conflict(const Frame& frame, const Canvas& canvas, Stack& rest);
/// Above the view, while what is typed does not compile: that the view is of an older text. Returns
/// what is left of the view.
[[nodiscard]] Rect draw_older_mark(const Frame& frame, const Rect& view);
/// What is looked for, in one line.
void draw_find(const Frame& frame, const Canvas& canvas, const Rect& area);

}  // namespace ui

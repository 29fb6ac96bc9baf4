// Places things without anybody counting pixels: a Stack from the top down, a Strip from both ends
// of a line. Lengths are lines of text, and gaps that the theme has names for. What takes the mouse
// in them is here, too.
#pragma once

#include <string>
#include <string_view>

#include "ui/canvas/canvas.h"

namespace ui {

/// A place that takes the mouse.
struct Hit {
  bool hovered = false;
  bool clicked = false;
  bool held = false;
};
[[nodiscard]] Hit hit(const char* id, const Rect& area);
/// One of several of which one is chosen: lights up under the mouse, and has a mark when chosen.
[[nodiscard]] Hit choosable(const Canvas& canvas, const std::string& id, const Rect& area,
                            bool chosen);
/// A word that is underlined when it is on.
[[nodiscard]] bool tab(const Canvas& canvas, const Rect& area, const std::string& id,
                       std::string_view word, bool on);
/// A triangle to press, as high as the area.
[[nodiscard]] bool arrow_button(const Canvas& canvas, const Rect& area, const char* id, bool left);
/// Beside the mouse, for as long as this is called in each frame.
void tell(const std::string& words);
/// Where the words have a term of the glossary (core/base/glossary.h): dots below them, and what it
/// means beside the mouse that rests there.
void explain(const Canvas& canvas, const Rect& words_at, std::string_view words);
/// A thin line, of which `share` (0 to 1) is done.
void draw_progress_line(const Canvas& canvas, const Rect& line, double share);

/// A line of which both ends are taken, piece by piece.
struct Strip {
  const Canvas& canvas;
  Rect rest;  ///< what is left between the ends

  /// Words at an end, and a gap.
  void left(std::string_view words, const Pen& pen = pen::text);
  void right(std::string_view words, const Pen& pen = pen::text);
  /// The same, and true, only if all of them fit.
  bool left_if(std::string_view words, const Pen& pen = pen::text);
  bool right_if(std::string_view words, const Pen& pen = pen::text);
  /// In what is left.
  void write(std::string_view words, const Pen& pen = pen::text, Align align = Align::left) const;
  void fitting(const Wordings& words, const Pen& pen = pen::text) const;
  /// Only if all of it fits; at the right end.
  void hint(std::string_view words) const;
  /// A square at the left end, in the middle of the line's height, and a gap.
  Rect square(float side);
  /// A word at the right end that the mouse can press. A line that is too short has none.
  [[nodiscard]] bool press(const std::string& word) { return press({word}, 0, true); }
  /// The same, one of several words that take turns in one place; it is dim, and can't be pressed,
  /// unless `on`.
  [[nodiscard]] bool press(const std::vector<std::string>& words, std::size_t shown, bool on);
};

/// Takes room off a rectangle from the top, or the bottom.
struct Stack {
  const Canvas& canvas;
  Rect rest;  ///< what is left

  [[nodiscard]] const Theme& theme() const { return canvas.theme(); }
  /// There is room for so many lines of text.
  [[nodiscard]] bool has(float lines) const;
  Rect lines(float count = 1.0F, const Pen& pen = pen::text);
  Strip strip() { return {canvas, lines()}; }
  void gap(float height) { rest.cut_top(height); }

  /// A line, shortened where it does not fit; nothing where there is no room.
  void say(std::string_view words, const Pen& pen = pen::text);
  void fitting(const Wordings& words, const Pen& pen = pen::text);
  /// As many lines as it needs.
  void wrap(std::string_view words, const Pen& pen = pen::text);
  /// As many lines as it needs at the bottom, and a gap above it; false, and nothing, if it would
  /// leave less than `least` pixels.
  bool foot(std::string_view words, const Pen& pen = pen::text, float least = 0.0F);
  /// What it is, and in dim letters how the numbers came about.
  void heading(std::string_view title, std::string_view note);
  /// A name to the left, its number to the right.
  void row(std::string_view name, std::string_view number);
};

}  // namespace ui

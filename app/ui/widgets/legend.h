// What marks and colours mean: a line of them, or several, that gets shorter where room is short.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/canvas/canvas.h"
#include "ui/canvas/textures.h"

namespace ui {

/// A bar of viridis, or of differences, with its name, its ends and its unit.
struct ColourScale {
  std::string name;
  std::string low, high, unit;
  glm::vec2 shades{0.0F, 1.0F};  ///< the part of viridis that is used
  bool difference = false;       ///< blue, white, orange instead
};

/// Draws a mark into a square.
using Mark = std::function<void(const Canvas& canvas, const Rect& box)>;
namespace mark {
[[nodiscard]] Mark fill(Colour colour);
[[nodiscard]] Mark outline(Colour colour);
/// Filled faintly, with an outline.
[[nodiscard]] Mark area(Colour colour, float opacity = 0.25F);
[[nodiscard]] Mark stripes(Colour colour);
/// Both: a race.
[[nodiscard]] Mark hatched(Colour colour);
[[nodiscard]] Mark line(Colour colour);
[[nodiscard]] Mark dot(Colour colour);
[[nodiscard]] Mark diamond(Colour colour);
}  // namespace mark

struct LegendItem {
  Mark mark;
  std::string text, brief;  ///< the second where room is short
  int importance = 0;       ///< the least important gets shorter first; if all are, vanishes first
  ColourScale scale = {};   ///< instead of mark and text, where it has a name
};
[[nodiscard]] LegendItem legend_scale(ColourScale scale, int importance = 0);

/// From the left, broken into lines; in as many as the area is high. Returns what is left of the
/// last line. `hint` stands there, if it fits.
Rect draw_legend(const Canvas& canvas, Textures& textures, const Rect& area,
                 const std::vector<LegendItem>& items, const std::string& hint = {});
/// Lines that all of it needs; where that is more than `most`, with the brief wordings.
[[nodiscard]] float legend_lines(const Canvas& canvas, float width,
                                 const std::vector<LegendItem>& items, float most);

/// A diamond of that radius.
void draw_diamond(const Canvas& canvas, glm::vec2 at, float radius, Colour colour);

}  // namespace ui

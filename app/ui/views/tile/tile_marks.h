// Arrows and outlines over the figure of the tile view.
#pragma once

#include <array>

#include "ui/views/tile/tile_view.h"

namespace ui {

/// The head of an arrow whose tip is at `tip`, which comes from `tip - along`.
void arrow_head(const TileScene& scene, glm::vec2 tip, glm::vec2 along, Colour colour);
/// The side of `rect` that faces a point: its two ends.
[[nodiscard]] std::array<glm::vec2, 2> facing_side(const Rect& rect, glm::vec2 from);
/// An arrow along an arc, as wide as that many pixels.
[[nodiscard]] Stroke stroke_of(const Arc& arc, float wide);
/// From the middle of a side to the middle of another one: of a cell, and of what it is linked to.
[[nodiscard]] std::array<glm::vec2, 2> beam_line(const Rect& cell, const Rect& area);
/// From a cell to a rectangle of cells, which may be a single one. The arrow goes where data go.
void draw_beam(const TileScene& scene, const Rect& cell, const Rect& area, bool towards_area,
               Colour colour);
/// The smallest rectangle around all of them; there is at least one.
[[nodiscard]] Rect around(const std::vector<Rect>& areas);

void outline(const TileScene& scene, const Rect& area, Colour colour);
/// A cell of the figure, which may lie out of sight.
void outline_cell(const TileScene& scene, const Rect& cell, Colour colour);
/// The figure, with a rim for the outlines of what lies at its edge and ends there.
[[nodiscard]] Rect in_sight(const TileScene& scene);

}  // namespace ui

#include "ui/views/tile/tile_marks.h"

#include <algorithm>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace ui {
namespace {

// With a rim in the background's colour, so that it is seen on any heat map.
void strong_line(const TileScene& scene, glm::vec2 from, glm::vec2 to, Colour colour) {
  const float w = scene.theme().gap.thin;
  scene.canvas.list().AddLine(im(from), im(to), fade(scene.theme().colours.background, 0.8F),
                              w + scene.theme().gap.thin);
  scene.canvas.list().AddLine(im(from), im(to), colour, w);
}

}  // namespace

void arrow_head(const TileScene& scene, glm::vec2 tip, glm::vec2 along, Colour colour) {
  const float length = glm::length(along);
  if (length < 1e-3F) {
    return;
  }
  const glm::vec2 d = along / length * scene.theme().px(9);
  const glm::vec2 side = glm::vec2(-d.y, d.x) * 0.45F;
  const Colour ground = scene.theme().colours.background;
  const glm::vec2 more = d * 0.2F;
  scene.canvas.list().AddTriangleFilled(im(tip + more), im(tip - d - more * 0.6F + side * 1.5F),
                                        im(tip - d - more * 0.6F - side * 1.5F), ground);
  scene.canvas.list().AddTriangleFilled(im(tip), im(tip - d + side), im(tip - d - side), colour);
}

std::array<glm::vec2, 2> facing_side(const Rect& rect, glm::vec2 from) {
  const glm::vec2 low = rect.low;
  const glm::vec2 high = rect.high;
  const float beside = std::max(low.x - from.x, from.x - high.x);
  const float above = std::max(low.y - from.y, from.y - high.y);
  if (above > beside) {
    const float y = from.y < low.y ? low.y : high.y;
    return {glm::vec2(low.x, y), glm::vec2(high.x, y)};
  }
  const float x = from.x < low.x ? low.x : high.x;
  return {glm::vec2(x, low.y), glm::vec2(x, high.y)};
}

Stroke stroke_of(const Arc& arc, float wide) {
  constexpr int kPieces = 24;
  Stroke stroke;
  for (int i = 0; i < kPieces; ++i) {
    const glm::vec2 p = arc.at(static_cast<float>(i) / kPieces);
    const glm::vec2 q = arc.at(static_cast<float>(i + 1) / kPieces);
    const float apart = 0.5F * wide;
    stroke.push_back(Rect{glm::min(p, q), glm::max(p, q)}.inset(-apart, -apart));
  }
  return stroke;
}

std::array<glm::vec2, 2> beam_line(const Rect& cell, const Rect& area) {
  const auto side = facing_side(area, cell.centre());
  const glm::vec2 middle = 0.5F * (side[0] + side[1]);
  const auto near = facing_side(cell, middle);
  return {0.5F * (near[0] + near[1]), middle};
}

void draw_beam(const TileScene& scene, const Rect& cell, const Rect& area, bool towards_area,
               Colour colour) {
  const auto side = facing_side(area, cell.centre());
  const auto [from, middle] = beam_line(cell, area);
  const float wide = glm::length(side[1] - side[0]);
  if (wide > scene.theme().gap.huge) {
    ImDrawList& list = scene.canvas.list();
    list.AddTriangleFilled(im(from), im(side[0]), im(side[1]), fade(colour, 0.28F));
    list.AddLine(im(from), im(side[0]), fade(colour, 0.9F), scene.theme().px(1.5F));
    list.AddLine(im(from), im(side[1]), fade(colour, 0.9F), scene.theme().px(1.5F));
  }
  strong_line(scene, from, middle, colour);
  arrow_head(scene, towards_area ? middle : from, towards_area ? middle - from : from - middle,
             colour);
}

Rect around(const std::vector<Rect>& areas) {
  Rect all = areas.front();
  for (const Rect& area : areas) {
    all = {glm::min(all.low, area.low), glm::max(all.high, area.high)};
  }
  return all;
}

void outline(const TileScene& scene, const Rect& area, Colour colour) {
  const float w = scene.theme().gap.thin;
  const Rect seen = area.inset(-w, -w);
  scene.canvas.frame(seen.inset(-1.0F, -1.0F), scene.theme().colours.background, w + 2.0F);
  scene.canvas.frame(seen, colour, w);
}

Rect in_sight(const TileScene& scene) {
  const float rim = scene.theme().gap.small;
  Rect seen = scene.figure.inset(-rim, -rim);
  for (const CellBlock& block : scene.blocks) {  // what goes on out of sight has no end to outline
    const Rect& area = block.area;
    const Rect& room = scene.figure;
    seen.low.x = area.low.x < room.low.x - 1.0F ? room.low.x : seen.low.x;
    seen.low.y = area.low.y < room.low.y - 1.0F ? room.low.y : seen.low.y;
    seen.high.x = area.high.x > room.high.x + 1.0F ? room.high.x : seen.high.x;
    seen.high.y = area.high.y > room.high.y + 1.0F ? room.high.y : seen.high.y;
  }
  return seen;
}

void outline_cell(const TileScene& scene, const Rect& cell, Colour colour) {
  if (scene.figure.contains(cell.centre()) || cell.contains(scene.figure.centre())) {
    const Clip clip(scene.canvas, in_sight(scene));
    outline(scene, cell, colour);
  }
}

}  // namespace ui

// Who touches what: from invocations to cells and back.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

constexpr std::size_t kMostFaint = 300;  // links of all others at once
constexpr std::size_t kMostBeams = 24;   // more are one, to all of them
constexpr std::size_t kMostOutlines = 600;

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

// With a rim in the background's colour, so that it is seen on any heat map.
void strong_line(const TileScene& scene, glm::vec2 from, glm::vec2 to, Colour colour) {
  const float w = scene.theme().gap.thin;
  scene.canvas.list().AddLine(im(from), im(to), fade(scene.theme().colours.background, 0.8F),
                              w + scene.theme().gap.thin);
  scene.canvas.list().AddLine(im(from), im(to), colour, w);
}

// The side of `rect` that faces a point: its two ends.
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

// From a cell to a rectangle of cells, which may be a single one. The arrow goes where data go.
void draw_beam(const TileScene& scene, const Rect& cell, const Rect& area, bool towards_area,
               Colour colour) {
  const auto side = facing_side(area, cell.centre());
  const glm::vec2 middle = 0.5F * (side[0] + side[1]);
  const auto near = facing_side(cell, middle);
  const glm::vec2 from = 0.5F * (near[0] + near[1]);
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

void outline(const TileScene& scene, const Rect& area, Colour colour) {
  const float w = scene.theme().gap.thin;
  const Rect seen = area.inset(-w, -w);
  scene.canvas.frame(seen.inset(-1.0F, -1.0F), scene.theme().colours.background, w + 2.0F);
  scene.canvas.frame(seen, colour, w);
}

// To cells of a block: a beam each, or one to them all.
void draw_beams(const TileScene& scene, const Rect& from, const std::vector<Rect>& areas,
                bool towards_area, Colour colour) {
  if (areas.size() > kMostBeams) {
    Rect all = areas.front();
    for (const Rect& area : areas) {
      all = {glm::min(all.low, area.low), glm::max(all.high, area.high)};
    }
    draw_beam(scene, from, all, towards_area, colour);
  } else {
    for (const Rect& area : areas) {
      draw_beam(scene, from, area, towards_area, colour);
    }
  }
  for (std::size_t i = 0; i < std::min(areas.size(), kMostOutlines); ++i) {
    outline(scene, areas[i], colour);
  }
}

const CellBlock* block_of(const TileScene& scene, std::uint32_t variable) {
  if (const CellBlock* array = scene.array(variable)) {
    return array;
  }
  const auto plate = std::ranges::find(scene.plates, variable, &GlobalPlate::variable);
  return plate == scene.plates.end() ? nullptr : &plate->block;
}

// From the invocation to all that it touches.
void draw_reach(const TileScene& scene, std::uint32_t invocation) {
  std::map<std::pair<std::uint32_t, bool>, std::vector<std::uint64_t>> cells;
  for (const Touch& t : scene.own) {
    for (std::uint64_t e = t.element; e < t.element + t.elements; ++e) {
      cells[{t.variable, t.writes}].push_back(e);
    }
  }
  const Rect from = scene.invocations().cell(invocation);
  for (auto& [key, elements] : cells) {
    const auto [variable, writes] = key;
    const CellBlock* block = block_of(scene, variable);
    if (block == nullptr) {
      continue;
    }
    sort_unique(elements);
    const Palette& c = scene.theme().colours;
    const Colour colour = scene.shared(variable) ? c.shared_text : c.global_text;
    std::vector<Rect> areas;
    for (const CellRun& run : runs_of(*block, elements)) {
      areas.push_back(area_of(*block, run).at_least(scene.theme().gap.small));
    }
    draw_beams(scene, from, areas, writes, colour);
  }
  outline(scene, from, scene.theme().colours.accent);
}

// From the cell to all that touch it.
void draw_visitors(const TileScene& scene, std::uint32_t variable, std::uint64_t element,
                   Colour colour) {
  const CellBlock* block = scene.array(variable);
  if (block == nullptr) {
    return;
  }
  const Rect cell = block->cell(element);
  for (const bool writes : {false, true}) {
    std::vector<std::uint64_t> who;
    for (const Touch& t : scene.own) {
      if (t.writes == writes) {
        who.push_back(t.invocation);
      }
    }
    sort_unique(who);
    if (who.empty()) {
      continue;
    }
    std::vector<Rect> areas;
    for (const CellRun& run : runs_of(scene.invocations(), who)) {
      areas.push_back(area_of(scene.invocations(), run));
    }
    draw_beams(scene, cell, areas, !writes, colour);
  }
  outline(scene, cell, scene.theme().colours.accent);
}

// Bent, so that the two sides of a race are told apart where they lie on one line.
void draw_arc(const TileScene& scene, const Rect& from, const Rect& to, bool towards, float bend,
              Colour colour) {
  const glm::vec2 straight = to.centre() - from.centre();
  const glm::vec2 middle =
      0.5F * (from.centre() + to.centre()) + glm::vec2(-straight.y, straight.x) * bend;
  const auto side = [&middle](const Rect& cell) {
    const auto ends = facing_side(cell, middle);
    return 0.5F * (ends[0] + ends[1]);
  };
  const glm::vec2 a = side(from);
  const glm::vec2 b = side(to);
  ImDrawList& list = scene.canvas.list();
  const float w = scene.theme().px(2.5F);
  list.AddBezierQuadratic(im(a), im(middle), im(b), scene.theme().colours.background,
                          w + scene.theme().px(3));
  list.AddBezierQuadratic(im(a), im(middle), im(b), colour, w);
  arrow_head(scene, towards ? b : a, (towards ? b : a) - middle, colour);
}

// What an invocation does, beside it; left out where it would leave the invocations.
void put_label(const TileScene& scene, const Rect& cell, bool above, const std::string& text,
               Rect& taken) {
  const Theme& theme = scene.theme();
  const Rect& room = scene.invocations().area;
  const float line = scene.canvas.line_height();
  const float width = scene.canvas.width(text) + 1.0F;
  const float x = std::min(cell.low.x, room.high.x - width);
  const float y = above ? cell.low.y - line - theme.px(6) : cell.high.y + theme.px(6);
  const Rect label{{x, y}, {x + width, y + line}};
  if (room.contains(label) && scene.figure.contains(label) && !label.overlaps(taken)) {
    put_words(scene, label, text, pen::text);
    taken = label;
  }
}

void draw_race(const TileScene& scene, const RacingPair& race) {
  const CellBlock* block = scene.array(race.variable);
  if (block == nullptr) {
    return;
  }
  const Theme& theme = scene.theme();
  const Rect cell = block->cell(race.element);
  Rect taken;
  float bend = 0.16F;
  for (const std::uint64_t place : {race.first, race.second}) {
    const core::TracedAccess& access = scene.trace().accesses[place];
    const bool writes = scene.trace().sites[access.site].writes;
    const Rect from = scene.invocations().cell(access.invocation);
    draw_arc(scene, from, cell, writes, bend, theme.colours.race);
    outline(scene, from, theme.colours.race);
    put_label(scene, from, bend > 0.0F,
              invocation_name(scene.trace(), access.invocation) + (writes ? " writes" : " reads"),
              taken);
    bend = -bend;
  }
  outline(scene, cell, theme.colours.text);
}

// All links of a moment, so faint that their pattern shows and not each of them.
void draw_faint(const TileScene& scene) {
  const auto touches = scene.moment.touches;
  if (scene.moment.moment == 0 || touches.size() > kMostFaint) {
    return;
  }
  const float alpha = touches.size() <= 24 ? 0.7F : touches.size() <= 64 ? 0.2F : 0.08F;
  for (const Touch& t : touches) {
    if (const CellBlock* block = block_of(scene, t.variable)) {
      const glm::vec2 from = scene.invocations().cell(t.invocation).centre();
      const glm::vec2 to = block->cell(t.element).centre();
      scene.canvas.list().AddLine(im(from), im(to), fade(scene.colour_of(t), alpha), 1.0F);
    }
  }
}

}  // namespace

void draw_links(const TileScene& scene) {
  if (scene.shows_conflict()) {
    return draw_conflict(scene);
  }
  draw_faint(scene);
  switch (scene.focus.what) {
    case TileFocus::What::invocation:
      return draw_reach(scene, scene.focus.invocation);
    case TileFocus::What::cell:
      draw_visitors(scene, scene.focus.variable, scene.focus.element,
                    scene.theme().colours.shared_text);
      break;
    case TileFocus::What::race:
    case TileFocus::What::all:
      break;
  }
  if (scene.focus.race != nullptr) {
    draw_race(scene, *scene.focus.race);
  }
}

}  // namespace ui

// Who touches what: from invocations to cells and back.
#include <algorithm>
#include <map>
#include <utility>

#include "ui/picking.h"
#include "ui/views/tile/tile_marks.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

constexpr std::size_t kMostFaint = 300;  // links of all others at once
constexpr std::size_t kMostBeams = 24;   // more are one, to all of them
constexpr std::size_t kMostOutlines = 600;

// To cells of a block: a beam each, or one to them all.
void draw_beams(const TileScene& scene, const Rect& from, const std::vector<Rect>& areas,
                bool towards_area, Colour colour) {
  if (areas.size() > kMostBeams) {
    draw_beam(scene, from, around(areas), towards_area, colour);
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
    if (scene.shared(variable)) {
      const Clip clip(scene.canvas, in_sight(scene));
      draw_beams(scene, from, areas, writes, colour);
    } else {
      draw_beams(scene, from, areas, writes, colour);
    }
  }
  outline_cell(scene, from, scene.theme().colours.accent);
}

// From the cell to all that touch it.
void draw_visitors(const TileScene& scene, std::uint32_t variable, std::uint64_t element,
                   Colour colour) {
  const CellBlock* block = scene.array(variable);
  if (block == nullptr) {
    return;
  }
  const Rect cell = block->cell(element);
  const Clip clip(scene.canvas, in_sight(scene));
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
  outline_cell(scene, cell, scene.theme().colours.accent);
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

void outline_place(const TileScene& scene, const core::ClickedOn& on, std::uint64_t place,
                   Colour colour) {
  for (const CellBlock& block : scene.blocks) {
    if (!block.invocations && place < block.count &&
        scene.trace().variables[block.variable].name == on.array) {
      outline_cell(scene, block.cell(place), colour);
    }
  }
}

// The cells that an answer was looked for among: those that it is, and the one that was said. What
// one invocation touches has its beams.
void draw_told(const TileScene& scene) {
  const Picking& picking = scene.frame.state.of<Picking>();
  const auto on = core::clicked_on(picking.told);
  const auto places = core::lesson_places(picking.told, scene.frame.model.result);
  if (!on || on->what != core::ClickedOn::What::cells || !places) {
    return;
  }
  const Palette& c = scene.theme().colours;
  for (const std::uint64_t place : on->about ? *places : std::vector<std::uint64_t>()) {
    outline_place(scene, *on, place, c.text);
  }
  if (picking.said && !std::ranges::binary_search(*places, *picking.said)) {
    outline_place(scene, *on, *picking.said, c.race);
  }
  if (on->about) {
    outline_place(scene, *on, *on->about, c.accent);
  }
}

// The cell that a question speaks of.
void draw_asked(const TileScene& scene) {
  const auto& wanted = scene.frame.state.of<Picking>().wanted;
  if (wanted && wanted->about) {
    outline_place(scene, *wanted, *wanted->about, scene.theme().colours.accent);
  } else {
    draw_told(scene);
  }
}

}  // namespace

void draw_links(const TileScene& scene) {
  draw_asked(scene);
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
  draw_race(scene);
}

}  // namespace ui

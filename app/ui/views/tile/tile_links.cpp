// Who touches what: from invocations to cells and back.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <glm/common.hpp>

#include "ui/picking.h"
#include "ui/views/tile/tile_marks.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

constexpr std::size_t kMostFaint = 300;  // links of all others at once
constexpr std::size_t kMostBeams = 24;   // more are one, to all of them
constexpr std::size_t kMostOutlines = 600;

const CellBlock* block_of(const TileScene& scene, std::uint32_t variable) {
  if (const CellBlock* array = scene.array(variable)) {
    return array;
  }
  const auto plate = std::ranges::find(scene.plates, variable, &GlobalPlate::variable);
  return plate == scene.plates.end() ? nullptr : &plate->block;
}

// A beam each, or one to them all.
std::vector<Rect> targets_of(const Beams& beams) {
  return beams.areas.size() > kMostBeams ? std::vector{around(beams.areas)} : beams.areas;
}

void add_beams(TileScene& scene, const Rect& from, const CellBlock& block,
               std::vector<std::uint64_t> cells, Beams beams) {
  sort_unique(cells);
  beams.from = from;
  for (const CellRun& run : runs_of(block, cells)) {
    const float least = block.invocations ? 0.0F : scene.theme().gap.small;
    beams.areas.push_back(area_of(block, run).at_least(least));
  }
  if (!beams.areas.empty()) {
    scene.beams.push_back(std::move(beams));
  }
}

// From the invocation to all that it touches.
void place_reach(TileScene& scene) {
  std::map<std::pair<std::uint32_t, bool>, std::vector<std::uint64_t>> cells;
  for (const Touch& t : scene.own) {
    for (std::uint64_t e = t.element; e < t.element + t.elements; ++e) {
      cells[{t.variable, t.writes}].push_back(e);
    }
  }
  const Rect from = scene.invocations().cell(scene.focus.invocation);
  const Palette& c = scene.theme().colours;
  for (auto& [key, elements] : cells) {
    const auto [variable, writes] = key;
    if (const CellBlock* block = block_of(scene, variable)) {
      const bool shared = scene.shared(variable);
      add_beams(scene, from, *block, std::move(elements),
                {.towards_areas = writes,
                 .in_figure = shared,
                 .colour = shared ? c.shared_text : c.global_text});
    }
  }
}

// From the cell to all that touch it.
void place_visitors(TileScene& scene) {
  const CellBlock* block = scene.array(scene.focus.variable);
  for (const bool writes : {false, true}) {
    std::vector<std::uint64_t> who;
    for (const Touch& t : scene.own) {
      if (t.writes == writes) {
        who.push_back(t.invocation);
      }
    }
    if (block != nullptr) {
      add_beams(scene, block->cell(scene.focus.element), scene.invocations(), std::move(who),
                {.towards_areas = !writes, .colour = scene.theme().colours.shared_text});
    }
  }
}

void draw_beams(const TileScene& scene, const Beams& beams) {
  for (const Rect& target : targets_of(beams)) {
    draw_beam(scene, beams.from, target, beams.towards_areas, beams.colour);
  }
  for (std::size_t i = 0; i < std::min(beams.areas.size(), kMostOutlines); ++i) {
    outline(scene, beams.areas[i], beams.colour);
  }
}

void draw_focus(const TileScene& scene) {
  for (const Beams& beams : scene.beams) {
    if (beams.in_figure) {
      const Clip clip(scene.canvas, in_sight(scene));
      draw_beams(scene, beams);
    } else {
      draw_beams(scene, beams);
    }
  }
  const Colour accent = scene.theme().colours.accent;
  const CellBlock* block = scene.array(scene.focus.variable);
  if (scene.focus.what == TileFocus::What::invocation) {
    outline_cell(scene, scene.invocations().cell(scene.focus.invocation), accent);
  } else if (scene.focus.what == TileFocus::What::cell && block != nullptr) {
    outline_cell(scene, block->cell(scene.focus.element), accent);
  }
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

void outline_invocation(const TileScene& scene, const std::vector<std::uint32_t>& at) {
  std::uint64_t index = 0;
  std::uint64_t stride = 1;
  for (std::size_t d = 0; d < std::min<std::size_t>(at.size(), 3); ++d) {
    index += stride * at[d];
    stride *= scene.trace().local_size[d];
  }
  if (index < scene.invocations().count) {
    outline_cell(scene, scene.invocations().cell(index), scene.theme().colours.accent);
  }
}

// The cell or the invocation that a question speaks of.
void draw_asked(const TileScene& scene) {
  const auto& wanted = scene.frame.state.of<Picking>().wanted;
  if (!wanted) {
    draw_told(scene);
  } else if (wanted->about) {
    outline_place(scene, *wanted, *wanted->about, scene.theme().colours.accent);
  } else if (!wanted->by.empty()) {
    outline_invocation(scene, wanted->by);
  }
}

}  // namespace

void place_beams(TileScene& scene) {
  if (scene.shows_conflict()) {
    return;
  }
  if (scene.focus.what == TileFocus::What::invocation) {
    place_reach(scene);
  } else if (scene.focus.what == TileFocus::What::cell) {
    place_visitors(scene);
  }
  std::vector<Stroke> strokes;
  for (const Beams& beams : scene.beams) {
    for (const Rect& target : targets_of(beams)) {
      const auto [from, to] = beam_line(beams.from, target);
      strokes.push_back(stroke_of({from, 0.5F * (from + to), to}, scene.theme().gap.small));
    }
  }
  step_aside(scene, strokes);
}

void draw_links(const TileScene& scene) {
  draw_asked(scene);
  if (scene.shows_conflict()) {
    return draw_conflict(scene);
  }
  draw_faint(scene);
  draw_focus(scene);
  draw_race(scene);
}

}  // namespace ui

// Who touches what: from invocations to cells and back.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "ui/picking.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

constexpr std::size_t kMostFaint = 300;  // links of all others at once
constexpr std::size_t kMostBeams = 24;   // more are one, to all of them
constexpr std::size_t kMostOutlines = 600;
constexpr int kArcPieces = 24;
constexpr std::array kBends{0.16F, 0.3F, 0.45F, 0.6F, 0.8F};  // of an arc, the flattest first

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

// With a rim for the outlines of what lies at its edge.
Rect in_sight(const TileScene& scene) {
  return scene.figure.inset(-scene.theme().gap.small, -scene.theme().gap.small);
}

// A cell of the figure, which may lie out of sight.
void outline_cell(const TileScene& scene, const Rect& cell, Colour colour) {
  if (scene.figure.contains(cell.centre()) || cell.contains(scene.figure.centre())) {
    const Clip clip(scene.canvas, in_sight(scene));
    outline(scene, cell, colour);
  }
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

// Bent, so that the two sides of a race are told apart where they lie on one line.
struct Arc {
  glm::vec2 from{0.0F}, middle{0.0F}, to{0.0F};
  [[nodiscard]] glm::vec2 at(float t) const {
    return glm::mix(glm::mix(from, middle, t), glm::mix(middle, to, t), t);
  }
};

// To the middle of the side that it comes from, or, `straight_on`, to the side that faces the other
// cell, aside of its middle, where the other arc may be. It leaves small cells, `smaller` than
// that, upwards or downwards: beside one it would seem to be the neighbour's.
Arc arc_between(const Rect& from, const Rect& to, float bend, bool straight_on, float smaller) {
  const glm::vec2 straight = to.centre() - from.centre();
  const glm::vec2 middle =
      0.5F * (from.centre() + to.centre()) + glm::vec2(-straight.y, straight.x) * bend;
  const auto side = [&middle](const Rect& cell) {
    const auto ends = facing_side(cell, middle);
    return 0.5F * (ends[0] + ends[1]);
  };
  const bool small = std::min(from.width(), from.height()) < smaller;
  const float edge = middle.y < from.centre().y ? from.low.y : from.high.y;
  const glm::vec2 start = small ? glm::vec2(from.centre().x, edge) : side(from);
  if (!straight_on) {
    return {start, middle, side(to)};
  }
  auto ends = facing_side(to, from.centre());
  if (glm::distance(ends[1], middle) < glm::distance(ends[0], middle)) {
    std::swap(ends[0], ends[1]);
  }
  return {start, middle, glm::mix(ends[0], ends[1], 0.25F)};
}

// What captions and notes cover, as far as it is drawn.
std::vector<Rect> block_words(const TileScene& scene) {
  std::vector<Rect> all;
  for (const CellBlock& block : scene.blocks) {
    for (const PlacedWords& words : words_around(scene, block)) {
      const float end = words.line.low.x + scene.canvas.width(words.text, words.pen);
      all.push_back({words.line.low, {std::min(end, words.line.high.x), words.line.high.y}});
    }
  }
  return all;
}

// What the arcs of a race keep clear of.
struct InTheWay {
  std::vector<Rect> words;
  std::optional<Arc> other;  // of the race's other side
};

bool is_beside(const Arc& arc, glm::vec2 at, float apart) {
  for (int i = 0; i <= kArcPieces; ++i) {
    if (glm::distance(at, arc.at(static_cast<float>(i) / kArcPieces)) < apart) {
      return true;
    }
  }
  return false;
}

// How much of it lies over other cells that have room for numbers, out of the figure, over words or
// on the other arc; the head of its arrow may not lie behind words.
int struck_by(const TileScene& scene, const Arc& arc, const Rect& from, const Rect& to,
              bool towards, const InTheWay& way) {
  const float number = scene.canvas.line_height(pen::mono);
  const glm::vec2 tip = towards ? arc.to : arc.from;
  const glm::vec2 along = tip - arc.middle;
  const float length = glm::length(along);
  const glm::vec2 back = length > 0.0F ? along / length * scene.theme().px(9) : glm::vec2(0.0F);
  const float side = scene.theme().px(4);
  const Rect head = Rect{glm::min(tip, tip - back), glm::max(tip, tip - back)}.inset(-side, -side);
  const bool hidden =
      std::ranges::any_of(way.words, [&](const Rect& r) { return r.overlaps(head); });
  constexpr int kStruck = 2;  // that is worse
  int struck = hidden ? 1 : 0;
  const float apart = scene.theme().px(8);
  for (int i = 1; i < kArcPieces; ++i) {
    const glm::vec2 p = arc.at(static_cast<float>(i) / kArcPieces);
    struck += scene.figure.contains(p) ? 0 : kStruck;
    struck += std::ranges::any_of(way.words, [&](const Rect& r) { return r.contains(p); }) ? 1 : 0;
    struck += way.other && is_beside(*way.other, p, apart) ? 1 : 0;
    for (const CellBlock& block : scene.blocks) {
      const auto index = block.cell_at(p);
      const Rect cell = index ? block.cell(*index) : Rect();
      const bool large = std::min(cell.width(), cell.height()) >= number;
      struck += large && cell != from && cell != to ? kStruck : 0;
    }
  }
  return struck;
}

// As flat as it can be without striking through what stands between, rather to its own side.
Arc clear_arc(const TileScene& scene, const Rect& from, const Rect& to, float side, bool towards,
              const InTheWay& way) {
  Arc best;
  int least = std::numeric_limits<int>::max();
  const float small = scene.canvas.line_height();
  for (const bool straight_on : {false, true}) {
    for (const float sign : {side, -side}) {
      for (const float bend : kBends) {
        const Arc arc = arc_between(from, to, sign * bend, straight_on, small);
        const int struck = struck_by(scene, arc, from, to, towards, way);
        if (struck < least) {
          best = arc;
          least = struck;
        }
      }
    }
  }
  return best;
}

void draw_arc(const TileScene& scene, const Arc& arc, bool towards, Colour colour) {
  ImDrawList& list = scene.canvas.list();
  const float w = scene.theme().px(2.5F);
  const glm::vec2 tip = towards ? arc.to : arc.from;
  list.AddBezierQuadratic(im(arc.from), im(arc.middle), im(arc.to),
                          scene.theme().colours.background, w + scene.theme().px(3));
  list.AddBezierQuadratic(im(arc.from), im(arc.middle), im(arc.to), colour, w);
  arrow_head(scene, tip, tip - arc.middle, colour);
}

// What labels may not lie on.
struct Taken {
  std::vector<Rect> words;   // labels keep a distance from them in their line
  std::vector<Rect> things;  // what they are about, and numbers
  std::vector<Rect> blocks;  // rather not on these
};

float between_words(const TileScene& scene) {
  return std::ceil(0.5F * scene.canvas.line_height());
}

Taken taken_in(const TileScene& scene) {
  Taken taken{.words = block_words(scene), .things = {}, .blocks = {}};
  const float number = scene.canvas.line_height(pen::mono);
  for (const CellBlock& block : scene.blocks) {
    const glm::vec2 cell = block.cell_size();
    const bool numbers = !block.invocations && std::min(cell.x, cell.y) >= number;
    (numbers ? taken.things : taken.blocks).push_back(block.area);
  }
  return taken;
}

// Above its cell or below it, beside the words that stand there, beside all invocations, beyond
// their caption or their note, or below another label.
std::vector<Rect> label_places(const TileScene& scene, const Rect& cell, bool above, glm::vec2 size,
                               const Taken& taken) {
  const Rect& block = scene.invocations().area;
  const float gap = scene.theme().px(6);
  const float line = scene.canvas.line_height() + gap;
  const float over = cell.low.y - gap - size.y;
  const float under = cell.high.y + gap;
  const float beside = std::floor(cell.centre().y - 0.5F * size.y);
  std::vector<Rect> places;
  const auto add = [&](float x, float y) { places.push_back({{x, y}, glm::vec2(x, y) + size}); };
  const auto add_row = [&](float y) {
    add(cell.low.x, y);
    add(cell.high.x - size.x, y);
    for (const Rect& words : taken.words) {
      const float x = words.high.x + between_words(scene) + 1.0F;
      if (words.low.y < y + size.y && y < words.high.y && x > cell.low.x && x < cell.high.x) {
        add(x, y);
      }
    }
  };
  add_row(above ? over : under);
  add_row(above ? under : over);
  for (const float y : {beside, std::floor(block.centre().y - 0.5F * size.y)}) {
    add(block.low.x - gap - size.x, y);
    add(block.high.x + gap, y);
  }
  add_row(above ? block.low.y - line - size.y : block.high.y + line);
  add_row(above ? block.high.y + line : block.low.y - line - size.y);
  add_row(under + line);
  return places;
}

// One of the two accesses of a race.
struct RaceSide {
  Rect from;
  bool writes = false;
  Arc arc;
  std::vector<Rect> around;  // its arc, piece by piece
  Wordings label;
};

// On an arc, about its middle.
std::vector<Rect> places_on(const Arc& arc, glm::vec2 size) {
  std::vector<Rect> places;
  for (const float t : {0.5F, 0.45F, 0.55F, 0.4F, 0.6F}) {
    const glm::vec2 low = glm::floor(arc.at(t) - 0.5F * size);
    places.push_back({low, low + size});
  }
  return places;
}

// Along an arc, on its side that is turned away from the other one.
std::vector<Rect> places_beside(const TileScene& scene, const Arc& arc, const Arc& other,
                                glm::vec2 size) {
  std::vector<Rect> places;
  for (const float t : {0.5F, 0.4F, 0.6F, 0.3F, 0.7F, 0.2F}) {
    const glm::vec2 p = arc.at(t);
    const glm::vec2 away = p - other.at(t);
    const float length = glm::length(away);
    const glm::vec2 to = length > 1.0F ? away / length : glm::vec2(0.0F, -1.0F);
    const glm::vec2 half = 0.5F * size;
    const float reach = scene.theme().px(5) + glm::dot(glm::abs(to), half);
    const glm::vec2 low = glm::floor(p + reach * to - half);
    places.push_back({low, low + size});
  }
  return places;
}

enum class Where { in_the_open, on_blocks, on_its_arc, at_the_cell, on_arcs, nowhere };

struct LabelPlace {
  Where where = Where::nowhere;
  Rect rect;
};

// What an invocation does: beside its arc, or else as near to it as there is room in the figure.
LabelPlace label_place(const TileScene& scene, const std::string& text, const RaceSide& side,
                       const RaceSide& other, bool above, const Taken& taken) {
  const auto free = [](const Rect& place, const std::vector<Rect>& of) {
    return std::ranges::none_of(of, [&](const Rect& r) { return r.overlaps(place); });
  };
  const glm::vec2 size{scene.canvas.width(text) + 1.0F, scene.canvas.line_height()};
  Rect room = scene.figure;
  room.high.y -= 0.5F * size.y;  // below it lies what else is read and written
  for (const Where where : {Where::in_the_open, Where::on_blocks, Where::on_its_arc,
                            Where::at_the_cell, Where::on_arcs}) {
    const auto places = where <= Where::on_blocks ? places_beside(scene, side.arc, other.arc, size)
                        : where == Where::on_its_arc
                            ? places_on(side.arc, size)
                            : label_places(scene, side.from, above, size, taken);
    for (const Rect& place : places) {
      if (room.contains(place) && free(place, taken.things) &&
          free(place.inset(-between_words(scene), 0.0F), taken.words) &&
          (where != Where::in_the_open || free(place, taken.blocks)) &&
          (where == Where::on_arcs || free(place, other.around)) &&
          (where >= Where::on_its_arc || free(place, side.around))) {
        return {where, place};
      }
    }
  }
  return {};
}

// Both labels of a race in one of their forms.
struct RaceLabels {
  std::array<LabelPlace, 2> places;
  std::array<std::string, 2> texts;
  // The worse of the two counts first.
  [[nodiscard]] std::pair<Where, Where> worth() const {
    return std::minmax({places[0].where, places[1].where}, std::greater());
  }
};

RaceLabels labels_in(const TileScene& scene, const std::array<RaceSide, 2>& sides, bool first_above,
                     std::size_t form, Taken taken) {
  RaceLabels labels;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    labels.texts[i] = sides[i].label[std::min(form, sides[i].label.size() - 1)];
    labels.places[i] =
        label_place(scene, labels.texts[i], sides[i], sides[1 - i], (i == 0) == first_above, taken);
    if (labels.places[i].where != Where::nowhere) {
      taken.words.push_back(labels.places[i].rect);
    }
  }
  return labels;
}

// Both in the same form, the longest in which they stand well.
void put_labels(const TileScene& scene, const std::array<RaceSide, 2>& sides, bool first_above,
                const Taken& taken) {
  RaceLabels best = labels_in(scene, sides, first_above, 0, taken);
  for (std::size_t form = 1;
       form < sides[0].label.size() && best.worth().first != Where::in_the_open; ++form) {
    const RaceLabels labels = labels_in(scene, sides, first_above, form, taken);
    best = labels.worth() < best.worth() ? labels : best;
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (best.places[i].where != Where::nowhere) {
      put_words(scene, best.places[i].rect, best.texts[i], pen::text);
    }
  }
}

// A number alone would be taken for a count.
Wordings label_of(const std::string& name, const char* does) {
  if (name.starts_with('(')) {
    return {name + " " + does};
  }
  return {"invocation " + name + " " + does, "(" + name + ") " + does};
}

RaceSide side_of(const TileScene& scene, std::uint64_t place, const Rect& cell, float towards,
                 const InTheWay& way) {
  const core::TracedAccess& access = scene.trace().accesses[place];
  const bool writes = scene.trace().sites[access.site].writes;
  const Rect from = scene.invocations().cell(access.invocation);
  const Arc arc = clear_arc(scene, from, cell, towards, writes, way);
  std::vector<Rect> around;
  for (int i = 0; i <= kArcPieces; ++i) {
    const glm::vec2 p = arc.at(static_cast<float>(i) / kArcPieces);
    around.push_back(Rect{p, p}.at_least(scene.theme().gap.medium));
  }
  return {from, writes, arc, std::move(around),
          label_of(invocation_name(scene.trace(), access.invocation),
                   scene.trace().sites[access.site].access == core::Access::atomic ? "changes"
                   : writes                                                        ? "writes"
                                                                                   : "reads")};
}

void draw_race(const TileScene& scene, const RacingPair& race) {
  const CellBlock* block = scene.array(race.variable);
  if (block == nullptr) {
    return;
  }
  const Palette& c = scene.theme().colours;
  const Rect cell = block->cell(race.element);
  const Clip clip(scene.canvas, in_sight(scene));
  Taken taken = taken_in(scene);
  InTheWay way{.words = taken.words, .other = {}};
  const RaceSide first = side_of(scene, race.first, cell, 1.0F, way);
  way.other = first.arc;
  const std::array sides{first, side_of(scene, race.second, cell, -1.0F, way)};
  taken.things.push_back(cell);
  for (const RaceSide& side : sides) {
    outline_cell(scene, side.from, c.race);
    taken.things.push_back(side.from);
  }
  for (const RaceSide& side : sides) {  // over both: a frame would hide the head of an arrow
    draw_arc(scene, side.arc, side.writes, c.race);
  }
  // Above is whose arc leaves there.
  constexpr float kLeft = 0.3F;
  const bool first_above = sides[0].arc.at(kLeft).y <= sides[1].arc.at(kLeft).y;
  put_labels(scene, sides, first_above, taken);
  outline_cell(scene, cell, c.text);
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
    const Clip clip(scene.canvas, in_sight(scene));
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

// The two accesses of a race: an arrow and a label each.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "ui/views/tile/tile_marks.h"
#include "ui/views/tile/tile_view.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

constexpr int kArcPieces = 24;
constexpr std::array kBends{0.16F, 0.3F, 0.45F, 0.6F, 0.8F};  // of an arc, the flattest first

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
  for (const WordLine& line : scene.words) {
    all.push_back(rect_of(scene, line));
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

// One of the two accesses of a race, while places are looked for.
struct RaceSide {
  Rect from;
  bool writes = false;
  Arc arc;
  Stroke pieces;  // of its arc
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

// Along an arc, rather on its side that is turned away from the other one.
std::vector<Rect> places_beside(const TileScene& scene, const Arc& arc, const Arc& other,
                                glm::vec2 size) {
  std::vector<Rect> places;
  for (const float side : {1.0F, -1.0F}) {
    for (const float t : {0.5F, 0.4F, 0.6F, 0.3F, 0.7F, 0.2F}) {
      const glm::vec2 p = arc.at(t);
      const glm::vec2 away = side * (p - other.at(t));
      const float length = glm::length(away);
      const glm::vec2 to = length > 1.0F ? away / length : glm::vec2(0.0F, -side);
      const glm::vec2 half = 0.5F * size;
      const float reach = scene.theme().px(5) + glm::dot(glm::abs(to), half);
      const glm::vec2 low = glm::floor(p + reach * to - half);
      places.push_back({low, low + size});
    }
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
          (where == Where::on_arcs || free(place, other.pieces)) &&
          (where >= Where::on_its_arc || free(place, side.pieces))) {
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
RaceLabels best_labels(const TileScene& scene, const std::array<RaceSide, 2>& sides,
                       const Taken& taken) {
  // Above is whose arc leaves there.
  constexpr float kLeft = 0.3F;
  const bool first_above = sides[0].arc.at(kLeft).y <= sides[1].arc.at(kLeft).y;
  RaceLabels best = labels_in(scene, sides, first_above, 0, taken);
  for (std::size_t form = 1;
       form < sides[0].label.size() && best.worth().first != Where::in_the_open; ++form) {
    const RaceLabels labels = labels_in(scene, sides, first_above, form, taken);
    best = labels.worth() < best.worth() ? labels : best;
  }
  return best;
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
  return {from, writes, arc, stroke_of(arc, scene.theme().gap.medium),
          label_of(invocation_name(scene.trace(), access.invocation),
                   scene.trace().sites[access.site].access == core::Access::atomic ? "changes"
                   : writes                                                        ? "writes"
                                                                                   : "reads")};
}

}  // namespace

void place_race(TileScene& scene) {
  const RacingPair* race = scene.shows_conflict() ? nullptr : scene.focus.race;
  const CellBlock* block = race == nullptr ? nullptr : scene.array(race->variable);
  if (block == nullptr) {
    return;
  }
  const Rect cell = block->cell(race->element);
  InTheWay way{.words = block_words(scene), .other = {}};
  const RaceSide first = side_of(scene, race->first, cell, 1.0F, way);
  way.other = first.arc;
  const std::array sides{first, side_of(scene, race->second, cell, -1.0F, way)};
  step_aside(scene, {sides[0].pieces, sides[1].pieces});
  Taken taken = taken_in(scene);
  taken.things.insert(taken.things.end(), {cell, sides[0].from, sides[1].from});
  const RaceLabels labels = best_labels(scene, sides, taken);
  scene.race = {.cell = cell, .arrows = {}};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    scene.race->arrows[i] = {.from = sides[i].from,
                             .writes = sides[i].writes,
                             .arc = sides[i].arc,
                             .label = labels.texts[i],
                             .label_at = labels.places[i].rect};
  }
}

void draw_race(const TileScene& scene) {
  if (!scene.race) {
    return;
  }
  const Palette& c = scene.theme().colours;
  const Clip clip(scene.canvas, in_sight(scene));
  for (const RaceArrow& arrow : scene.race->arrows) {
    outline_cell(scene, arrow.from, c.race);
  }
  for (const RaceArrow& arrow : scene.race->arrows) {  // a frame would hide the head of one
    draw_arc(scene, arrow.arc, arrow.writes, c.race);
  }
  for (const RaceArrow& arrow : scene.race->arrows) {
    if (!arrow.label_at.empty()) {  // not to be taken for a caption
      put_words(scene, arrow.label_at, arrow.label, pen::text.in(mix(c.race, c.text, 0.4F)));
    }
  }
  outline_cell(scene, scene.race->cell, c.text);
}

}  // namespace ui

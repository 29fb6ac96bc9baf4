// Whole tiles and what they leave over, in the grid view: R toggles it.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/catalogue/sections.h"
#include "ui/canvas/format.h"
#include "ui/views/grid/grid_view.h"

namespace ui {
namespace {

constexpr float kLeastBand = 4.0F;  // pixels, at scale 1: a band of a row or two must be seen

// Of what is passed through.
Colour memory_colour(const std::shared_ptr<const core::KernelFacts>& facts,
                     const Palette& colours) {
  return facts && !facts->accesses.empty() ? colours.shared : colours.global;
}

// Each launch's own: its memory's, where none before it has that.
std::vector<Colour> launch_colours(const core::Result& result, const Palette& c) {
  std::vector<Colour> all;
  for (const core::Launch& launch : result.launches) {
    const std::array choices{memory_colour(launch.facts, c), c.registers, c.barrier_text, c.accent,
                             c.edge};
    const auto own = std::ranges::find_if(
        choices, [&all](Colour choice) { return std::ranges::find(all, choice) == all.end(); });
    all.push_back(own == choices.end() ? c.text : *own);
  }
  return all;
}

std::size_t launch_number(const core::Result& result, const core::SectionFigures& section) {
  const core::Launch* launch = result.launch_of(section.items.first / result.tiles.covers);
  return result.launches.size() > 1 && launch != nullptr
             ? static_cast<std::size_t>(launch - result.launches.data()) + 1
             : 0;
}

// In the colour of its launch, or of what its cells pass through; what is done in addition has one
// of its own.
Colour colour_of(const core::Result& result, const core::SectionFigures& section,
                 const Palette& colours) {
  if (core::edge_worker(result.tiles, section.items.first)) {
    return colours.edge;
  }
  const std::size_t number = launch_number(result, section);
  return number > 0                ? launch_colours(result, colours)[number - 1]
         : result.launches.empty() ? memory_colour(result.facts, colours)
                                   : memory_colour(result.launches.front().facts, colours);
}

// What does a section, apart from which section it is: those that agree share a line.
std::string who(const core::Result& result, const core::SectionFigures& section) {
  if (core::edge_worker(result.tiles, section.items.first)) {
    return "by edge invocations, in addition to their own";
  }
  if (const std::size_t number = launch_number(result, section); number > 0) {
    return fmt::format("launch {}, {}", number, result.launches[number - 1].title);
  }
  const bool whole = section.section == core::Section::middle;
  return whole ? "whole tiles" : "tiles beyond the edge, partly idle";
}

Rect band(const GridScene& scene, const Area& area, const Rect& plate) {
  Rect rect = scene.camera.pixels(area);
  const float least = scene.frame.theme.px(kLeastBand);
  for (int d = 0; d < 2; ++d) {
    rect.low[d] = std::max(std::min(rect.low[d], rect.high[d] - least), plate.low[d]);
  }
  return rect;
}

// The letter in the middle of its section; where that is too narrow, at the plate's right edge or
// below it, where the next plate leaves room.
void draw_letter(const GridScene& scene, const Rect& rect, const core::SectionFigures& section,
                 Colour colour) {
  const Theme& theme = scene.frame.theme;
  const std::string letter = core::to_string(section.section);
  const glm::vec2 size = scene.canvas.measure(letter, theme.fonts.title) + theme.gap.medium;
  glm::vec2 at = rect.centre() - 0.5F * size;
  at.x = rect.width() < size.x ? rect.high.x - size.x : at.x;
  at.y = rect.height() < size.y ? rect.high.y + theme.px(3) : at.y;
  const bool on_next = std::ranges::any_of(scene.layout.plates, [&](const Plate& other) {
    const Rect there = scene.camera.pixels(other.area);
    return !there.overlaps(rect) && there.overlaps({at, at + size});
  });
  at.y = on_next ? rect.high.y - size.y : at.y;
  const Rect box{at, at + size};
  if (!scene.room.contains(box) || box.overlaps(scene.card.rect)) {
    return;
  }
  scene.canvas.fill(box, theme.colours.background, theme.px(3));
  scene.canvas.frame(box, colour, theme.gap.thin, theme.px(3));
  scene.canvas.write(box, letter, pen::title, Align::centre);
}

void draw_on(const GridScene& scene, const Plate& plate) {
  const core::Result& result = scene.result();
  const Rect whole = scene.camera.pixels(plate.area);
  const auto sections = core::sections_of(result.tiles);
  for (const core::SectionFigures& section : sections) {
    const auto area = tiles_on(plate, result, section.items);
    if (!area) {
      continue;
    }
    const Colour colour = colour_of(result, section, scene.frame.theme.colours);
    const Rect rect = band(scene, *area, whole);
    const bool middle = section.section == core::Section::middle;
    scene.canvas.fill(rect, fade(colour, middle ? 0.10F : 0.75F));
    scene.canvas.frame(rect, colour, scene.frame.theme.px(middle ? 2.0F : 1.0F));
  }
  for (const core::SectionFigures& section : sections) {
    if (const auto area = tiles_on(plate, result, section.items)) {
      draw_letter(scene, band(scene, *area, whole), section,
                  colour_of(result, section, scene.frame.theme.colours));
    }
  }
}

}  // namespace

bool shows_sections(const GridState& state, const core::Result& result) {
  return state.sections && result.work && result.work->tells_sections() &&
         std::ranges::any_of(core::sections_of(result.tiles), [](const auto& section) {
           return section.section != core::Section::middle;
         });
}

std::vector<SectionKey> section_keys(const core::Result& result, const Palette& colours) {
  std::vector<SectionKey> keys;
  std::vector<std::string> done_by;
  std::vector<std::uint64_t> cells;
  std::vector<std::size_t> launches;
  auto sections = core::sections_of(result.tiles);
  std::ranges::stable_sort(
      sections, {}, [&result](const auto& section) { return launch_number(result, section); });
  for (const core::SectionFigures& section : sections) {
    const std::string by = who(result, section);
    const auto at = static_cast<std::size_t>(std::ranges::find(done_by, by) - done_by.begin());
    if (at == keys.size()) {
      keys.push_back({.colour = colour_of(result, section, colours), .text = {}, .brief = {}});
      done_by.push_back(by);
      cells.push_back(0);
      launches.push_back(launch_number(result, section));
    }
    SectionKey& key = keys[at];
    key.brief += (key.brief.empty() ? "" : ", ") + core::to_string(section.section);
    cells[at] += section.cells;
    key.text = fmt::format("{}: {} cells, {}", key.brief, count_text(cells[at]), by);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].brief += launches[i] > 0 ? fmt::format(": launch {}", launches[i]) : "";
  }
  return keys;
}

void draw_sections(const GridScene& scene) {
  if (!shows_sections(scene.frame.state.of<GridState>(), scene.result())) {
    return;
  }
  for (const Plate& plate : scene.layout.plates) {
    if (plate.tiled()) {
      draw_on(scene, plate);
    }
  }
}

}  // namespace ui

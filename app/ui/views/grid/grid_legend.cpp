#include <algorithm>
#include <initializer_list>
#include <limits>

#include <fmt/format.h>

#include "ui/canvas/colormap.h"
#include "ui/canvas/format.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/tile_colours.h"
#include "ui/widgets/legend.h"

namespace ui {
namespace {

std::vector<LegendItem> scales(const GridScene& scene) {
  const core::Result& result = scene.result();
  const TileColours by = tile_colours(scene.frame.state.of<LaunchState>(), result);
  std::vector<LegendItem> all;
  const auto add = [&all](const core::Field* field) {
    if (field != nullptr) {
      all.push_back(legend_scale({.name = field->name,
                                  .low = tick_text(static_cast<double>(field->low)),
                                  .high = tick_text(static_cast<double>(field->high)),
                                  .unit = field->unit,
                                  .difference = field->unit == core::Difference::unit},
                                 -static_cast<int>(all.size())));
    }
  };
  if (by == TileColours::output) {
    add(scene.means.get());
  } else {
    ColourScale tiles = TileScale(*result.timeline, by).words();
    tiles.name = "tiles: " + tiles.name;
    tiles.unit += tiles.unit.empty() ? "instrumented" : ", instrumented";
    all.push_back(legend_scale(std::move(tiles)));
  }
  for (const Plate& plate : scene.layout.plates) {
    add(by != TileColours::output && plate.output ? nullptr : scene.field(plate));
  }
  return all;
}

// How many there are of something may be what a lesson asks, here or later: no count before the
// answer.
bool counts(const GridScene& scene, std::initializer_list<const char*> facts) {
  const LessonState& lessons = scene.frame.state.of<LessonState>();
  return lessons.open() && std::ranges::none_of(facts, [&lessons](const char* fact) {
           return lessons.asks_yet(fact);
         });
}

std::string idle_words(const GridScene& scene, std::uint64_t idle) {
  const core::TileMap& tiles = scene.result().tiles;
  const core::IdleTiles there = tiles.idle_tiles();
  const std::string where =
      fmt::format(", in {} of {} tiles", count_text(there.partly + there.wholly),
                  count_text(tiles.group_count()));
  const std::string what = "invocations beyond the edge";
  return (counts(scene, {"idle", "idle-tiles"}) ? count_text(idle) + " " + what + where : what) +
         fmt::format(" (Shift+O: {})", scene.frame.state.of<GridState>().idle ? "hide" : "show");
}

// What heat maps show of elements that are no numbers.
void add_no_numbers(const GridScene& scene, std::vector<LegendItem>& all) {
  const core::Result& result = scene.result();
  const Palette& c = scene.frame.theme.colours;
  const auto add = [&](const core::Field& field, const std::string& of) {
    if (field.unwritten > 0 && result.groups_done >= result.group_count()) {
      all.push_back({mark::outline(c.idle),
                     fmt::format("{} element{}{} not written", count_text(field.unwritten),
                                 field.unwritten == 1 ? "" : "s", of),
                     "not written", 6});
    }
    if (field.not_finite > 0) {
      all.push_back({mark::fill(viridis(std::numeric_limits<float>::quiet_NaN())),
                     "infinite or not a number" + of, "not a number", 5});
    }
  };
  if (scene.means) {
    add(*scene.means, "");
  }
  for (const Plate& plate : scene.layout.plates) {
    const core::Field* field = scene.field(plate);
    if (field != nullptr && scene.difference(plate) == nullptr) {
      add(*field, " of " + plate.name);
    }
  }
}

std::vector<LegendItem> meanings(const GridScene& scene) {
  const core::Result& result = scene.result();
  const GridState& state = scene.frame.state.of<GridState>();
  const Palette& c = scene.frame.theme.colours;
  std::vector<LegendItem> all;
  if (scene.tile) {
    all.push_back({draw_written, "written by the workgroup", "written", 3});
    all.push_back({mark::area(c.global), "read from global memory", "read", 2});
  }
  const auto racing_groups = result.races && !shows_difference(scene)
                                 ? result.races->racing_on(result.grid())
                                 : std::span<const std::uint32_t>();
  if (const std::uint64_t racing = racing_tiles(racing_groups); racing > 0) {
    all.push_back({mark::hatched(c.race),
                   fmt::format("{} tiles with a race (M: {} marks)", count_text(racing),
                               state.marks ? "hide" : "show"),
                   "race", 6});
  }
  for (const Plate& plate : scene.layout.plates) {
    const auto elements =
        result.races && scene.layout.fold == 0 && !shows_difference(scene)
            ? racing_elements(*result.races, plate.buffer, result.buffers[plate.buffer])
            : std::vector<std::uint32_t>();
    if (const std::uint64_t racing = racing_tiles(elements); racing > 0) {
      all.push_back({mark::fill(c.race),
                     fmt::format("{} racing element{} of {}", count_text(racing),
                                 racing == 1 ? "" : "s", plate.name),
                     "elements", 6});
    }
  }
  add_no_numbers(scene, all);
  const std::uint64_t idle = result.tiles.invocations() - result.tiles.useful_invocations();
  if (idle > 0) {
    all.push_back({mark::stripes(c.idle), idle_words(scene, idle), "idle", 4});
  }
  if (shows_sections(state, result)) {
    for (const SectionKey& key : section_keys(result, c)) {
      all.push_back({mark::area(key.colour, 0.75F), key.text, key.brief, 5});
    }
    all.back().text += " (Shift+R: hide)";
  }
  if (result.timeline && played_ticks(scene.frame.state.of<LaunchState>(), *result.timeline)) {
    all.push_back({mark::fill(c.accent),
                   "running: " + played_words(scene.frame, *result.timeline) + ", instrumented",
                   "running", 7});
  }
  if (result.groups_done < result.group_count() && scene.layout.fold == 0) {
    const bool refused = result.refused();
    const char* const words = refused             ? "not computed"
                              : result.check.done ? "will be computed again"
                                                  : "not computed yet";
    all.push_back({mark::fill(mix(rgb(0x21918C), c.background, 0.8F)), words,
                   refused ? "none" : "to come", 5});
  }
  return all;
}

std::string hint(const GridScene& scene) {
  const core::Result& result = scene.result();
  if (scene.frame.state.of<GridState>().difference) {
    return difference_words(result);
  }
  if (result.variant.name.empty()) {
    return "";
  }
  const std::uint64_t groups = result.tiles.group_count();
  const std::string end = scene.layout.fold == 0 ? "point at a tile to see its accesses"
                          : scene.means          ? "point at a tile to see its numbers"
                                        : "their outputs are not known; " + to_string(letter('y')) +
                                              " colours them by time";
  if (!counts(scene, {"workgroups"})) {
    return "workgroups: " + end;
  }
  return fmt::format("{} workgroup{}: {}", count_text(groups), groups == 1 ? "" : "s", end);
}

}  // namespace

float legend_height(const Canvas& canvas) {
  return 2.0F * (canvas.line_height() + canvas.theme().gap.medium);
}

void draw_grid_legend(const GridScene& scene, const Rect& area) {
  const Gaps& gap = scene.frame.theme.gap;
  Stack rest{scene.canvas, area.inset(gap.large, gap.medium)};
  Textures& textures = scene.frame.textures;
  draw_legend(scene.canvas, textures, rest.lines(), scales(scene));
  const auto marks = meanings(scene);
  if (marks.empty()) {
    const std::string all = hint(scene);
    const std::size_t count = all.find(": ");
    rest.fitting({all, count == std::string::npos ? "" : all.substr(0, count)}, pen::dim);
  } else {
    draw_legend(scene.canvas, textures, rest.lines(), marks, scene.tile ? "" : hint(scene));
  }
}

}  // namespace ui

#include <cfloat>

#include <fmt/format.h>

#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/tile_colours.h"
#include "ui/widgets/colour_scale.h"
#include "ui/widgets/format.h"
#include "ui/widgets/layout.h"

namespace ui {
namespace {

constexpr float kGap = 6.0F;  // at scale 1

std::vector<ColourScale> scales(const GridScene& scene) {
  std::vector<ColourScale> all;
  const auto add = [&all](const core::Field& field) {
    all.push_back({field.name, tick_text(static_cast<double>(field.low)),
                   tick_text(static_cast<double>(field.high)), field.unit});
  };
  if (scene.means &&
      tile_colours(scene.frame.state.of<LaunchState>(), scene.result()) == TileColours::output) {
    add(*scene.means);
  }
  const TileColours by = tile_colours(scene.frame.state.of<LaunchState>(), scene.result());
  if (by != TileColours::output) {
    ColourScale tiles = TileScale(*scene.result().timeline, by).words();
    tiles.name = "tiles: " + tiles.name;
    tiles.unit += tiles.unit.empty() ? "instrumented" : ", instrumented";
    all.push_back(std::move(tiles));
  }
  for (const Plate& plate : scene.layout.plates) {
    const bool covered = by != TileColours::output && plate.output;
    if (const core::Field* field = covered ? nullptr : scene.field(plate)) {
      add(*field);
    }
  }
  return all;
}

void draw_scales(const GridScene& scene, Rect strip) {
  const auto all = scales(scene);
  std::vector<BarItem> items;
  for (std::size_t i = 0; i < all.size(); ++i) {
    items.push_back(
        {{scale_width(scene.canvas, all[i], true), scale_width(scene.canvas, all[i], false)},
         static_cast<int>(all.size() - i)});
  }
  const float gap = scene.frame.theme.px(22);
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forms[i] >= 0) {
      const float width = items[i].widths[static_cast<std::size_t>(forms[i])];
      draw_scale(scene.canvas, scene.frame.textures, strip.cut_left(width), all[i], forms[i] == 0);
      strip.cut_left(gap);
    }
  }
}

enum class Mark { read, written, race, idle, pending, running, section };

struct Meaning {
  Mark mark;
  std::string text;
  std::string brief;  ///< where room is short
  int importance;
  Colour colour = 0;  ///< of a section
};

void draw_mark(const GridScene& scene, const Rect& box, const Meaning& meaning) {
  const Palette& c = scene.frame.theme.colours;
  const Canvas& canvas = scene.canvas;
  const float width = scene.frame.theme.px(2);
  switch (meaning.mark) {
    case Mark::section:
      canvas.fill(box, fade(meaning.colour, 0.75F));
      canvas.frame(box, meaning.colour, width);
      break;
    case Mark::read:
      canvas.fill(box, fade(c.global, 0.25F));
      canvas.frame(box, c.global, width);
      break;
    case Mark::written:
      canvas.frame(box, rgb(0x000000), width);
      canvas.frame(box.inset(width, width), rgb(0xFFFFFF), width);
      break;
    case Mark::race:
      canvas.fill(box, fade(c.race, 0.35F));
      canvas.stripes(box, c.race);
      canvas.frame(box, c.race);
      break;
    case Mark::idle:
      canvas.fill(box, fade(c.idle, 0.25F));
      canvas.stripes(box, c.idle);
      break;
    case Mark::running:
      canvas.fill(box, c.accent);
      canvas.frame(box, c.line);
      break;
    case Mark::pending:
      canvas.fill(box, mix(rgb(0x21918C), c.background, 0.8F));
      canvas.frame(box, c.line);
      break;
  }
}

std::vector<Meaning> meanings(const GridScene& scene) {
  const core::Result& result = scene.result();
  std::vector<Meaning> all;
  if (scene.tile) {
    all.push_back({Mark::written, "written by the workgroup", "written", 3});
    all.push_back({Mark::read, "read by it from global memory", "read", 2});
  }
  const auto racing_groups =
      result.races ? result.races->racing_on(result.grid()) : std::span<const std::uint32_t>();
  if (const std::uint64_t racing = racing_tiles(racing_groups); racing > 0) {
    all.push_back({Mark::race,
                   fmt::format("{} tiles with a race (m: {} marks)", count_text(racing),
                               scene.frame.state.of<GridState>().marks ? "hide" : "show"),
                   "race", 6});
  }
  const std::uint64_t idle = result.tiles.invocations() - result.tiles.useful_invocations();
  if (idle > 0) {
    const core::IdleTiles tiles = result.tiles.idle_tiles();
    all.push_back({Mark::idle,
                   fmt::format("{} idle invocations in {} of {} tiles (O: {})", count_text(idle),
                               count_text(tiles.partly + tiles.wholly),
                               count_text(result.tiles.group_count()),
                               scene.frame.state.of<GridState>().idle ? "hide" : "show"),
                   "idle (O)", 4});
  }
  if (shows_sections(scene.frame.state.of<GridState>(), result)) {
    const auto keys = section_keys(result, scene.frame.theme.colours);
    for (const SectionKey& key : keys) {
      const bool last = &key == &keys.back();
      all.push_back(
          {Mark::section, key.text + (last ? " (R: hide)" : ""), key.brief, 5, key.colour});
    }
  }
  if (result.timeline && played_ticks(scene.frame.state.of<LaunchState>(), *result.timeline)) {
    all.push_back({Mark::running,
                   "running: " + played_words(scene.frame, *result.timeline) + ", instrumented",
                   "running", 7});
  }
  if (result.groups_done < result.group_count() && scene.layout.fold == 0) {
    all.push_back({Mark::pending, "not computed yet", "to come", 5});
  }
  return all;
}

void draw_meanings(const GridScene& scene, Rect strip) {
  const Theme& theme = scene.frame.theme;
  const Canvas& canvas = scene.canvas;
  const float side = theme.px(12);
  const auto all = meanings(scene);
  std::vector<BarItem> items;
  for (const Meaning& m : all) {
    const auto wide = [&](const std::string& text) {
      return side + theme.px(kGap) + canvas.measure(text, theme.fonts.text).x + 1.0F;
    };
    items.push_back({{wide(m.text), wide(m.brief)}, m.importance});
  }
  const float gap = theme.px(22);
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forms[i] >= 0) {
      Rect part = strip.cut_left(items[i].widths[static_cast<std::size_t>(forms[i])]);
      const Rect box = part.cut_left(side);
      draw_mark(scene, box.inset(0.0F, 0.5F * (box.height() - side)), all[i]);
      part.cut_left(theme.px(kGap));
      canvas.text_in(part, forms[i] == 0 ? all[i].text : all[i].brief, theme.fonts.text,
                     theme.colours.dim);
      strip.cut_left(gap);
    }
  }
}

std::string hint(const GridScene& scene) {
  const core::TileMap& tiles = scene.result().tiles;
  const std::string what = fmt::format("{} workgroups", count_text(tiles.group_count()));
  return scene.layout.fold > 0
             ? what + ", a cell each, in launch order; point at one for its numbers"
             : what + "; point at one to see what it reads and writes";
}

}  // namespace

float legend_height(const Canvas& canvas) {
  const Theme& theme = canvas.theme();
  return 2.0F * (canvas.line_height(theme.fonts.text) + theme.px(3)) + theme.px(12);
}

void draw_grid_legend(const GridScene& scene, const Rect& area) {
  const Theme& theme = scene.frame.theme;
  Rect rest = area.inset(theme.px(16), theme.px(6));
  const float height = scene.canvas.line_height(theme.fonts.text) + theme.px(3);
  draw_scales(scene, rest.cut_top(height));
  Rect line = rest.cut_top(height);
  draw_meanings(scene, line);
  if (meanings(scene).empty()) {
    scene.canvas.text_in(line, hint(scene), theme.fonts.text, theme.colours.dim);
  } else if (!scene.tile) {
    // What is left of the line beside the meanings.
    float used = 0.0F;
    for (const Meaning& m : meanings(scene)) {
      used += theme.px(40) + scene.canvas.measure(m.text, theme.fonts.text).x;
    }
    const Rect right{{line.low.x + used, line.low.y}, line.high};
    if (right.width() > scene.canvas.measure(hint(scene), theme.fonts.text).x) {
      scene.canvas.text_in(right, hint(scene), theme.fonts.text, theme.colours.dim, Align::right);
    }
  }
}

}  // namespace ui

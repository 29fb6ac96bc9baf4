// The tiles of the variant's range, and what the driver tells of the kernel.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/edits.h"
#include "ui/views/occupancy/occupancy_view.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

struct Column {
  const char* name;
  std::string (*text)(const core::TileOccupancy&);
  int importance;
};

std::string registers_text(const core::TileOccupancy& t) {
  return t.use.registers ? std::to_string(*t.use.registers) + (t.compiled ? "" : "?") : "–";
}

std::string of_residency(const core::TileOccupancy& t, std::uint64_t number) {
  return t.residency ? count_text(number) : "–";
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all{
      {"tile", [](const core::TileOccupancy& t) { return std::to_string(t.tile); }, 9},
      {"invocations", [](const core::TileOccupancy& t) { return count_text(t.use.invocations); },
       1},
      {"registers", registers_text, 3},
      {"shared B", [](const core::TileOccupancy& t) { return count_text(t.use.shared_bytes); }, 2},
      {"workgroups",
       [](const core::TileOccupancy& t) {
         return of_residency(t, t.residency ? t.residency->workgroups : 0);
       },
       7},
      {"warps",
       [](const core::TileOccupancy& t) {
         return of_residency(t, t.residency ? t.residency->warps : 0);
       },
       5},
      {"%",
       [](const core::TileOccupancy& t) {
         return t.residency ? std::to_string(std::lround(100.0 * t.residency->share())) : "–";
       },
       8},
  };
  return all;
}

std::string remark(const core::TileOccupancy& t) {
  return !t.impossible.empty() ? t.impossible
         : t.residency         ? core::limits_of(*t.residency)
                               : std::string();
}

float width_of(const OccupancyScene& scene, const Column& column) {
  const Theme& theme = scene.theme();
  float width = scene.canvas.measure(column.name, theme.fonts.text).x;
  for (const core::TileOccupancy& tile : scene.occupancy.tiles) {
    width = std::max(width, scene.canvas.measure(column.text(tile), theme.fonts.mono).x);
  }
  return width + theme.px(14);
}

// Nothing is known in it of any tile.
bool empty(const OccupancyScene& scene, const Column& column) {
  return std::ranges::all_of(scene.occupancy.tiles, [&column](const core::TileOccupancy& t) {
    return column.text(t) == "–";
  });
}

// The columns that fit beside the remarks.
std::vector<Column> columns_in(const OccupancyScene& scene, float width) {
  std::vector<Column> shown = columns();
  std::erase_if(shown, [&scene](const Column& column) { return empty(scene, column); });
  const auto used = [&] {
    float sum = 0.0F;
    for (const Column& c : shown) {
      sum += width_of(scene, c);
    }
    return sum;
  };
  const float remarks = scene.theme().px(scene.occupancy.multiprocessor ? 110 : 40);
  while (shown.size() > 1 && used() + remarks > width) {
    shown.erase(std::ranges::min_element(shown, {}, &Column::importance));
  }
  return shown;
}

float line_of(const OccupancyScene& scene) {
  return scene.canvas.line_height(scene.theme().fonts.text) + scene.theme().px(3);
}

void draw_row(const OccupancyScene& scene, Rect line, const core::TileOccupancy& tile,
              const std::vector<Column>& shown) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const bool chosen = tile.tile == scene.tile.tile;
  const Hit mouse = hit(fmt::format("occupancy of {}", tile.tile).c_str(), line);
  if (chosen || mouse.hovered) {
    scene.canvas.fill(line, c.hover);
  }
  if (chosen) {
    scene.canvas.fill({line.low, {line.low.x + theme.px(3), line.high.y}}, c.accent);
  }
  if (mouse.clicked) {
    core::Experiment next = scene.frame.state.wanted;
    next.tile = tile.tile;
    scene.frame.actions().want(next);
  }
  const Colour colour = tile.impossible.empty() ? c.text : c.dim;
  for (const Column& column : shown) {
    scene.canvas.text_in(line.cut_left(width_of(scene, column)), column.text(tile),
                         theme.fonts.mono, colour, Align::right);
  }
  line.cut_left(theme.px(14));
  scene.canvas.text_in(line, remark(tile), theme.fonts.text, c.dim);
  if (mouse.hovered && !tile.impossible.empty()) {
    ImGui::SetTooltip("%s", tile.impossible.c_str());
  }
}

bool assumes(const OccupancyScene& scene) {
  return std::ranges::any_of(scene.occupancy.tiles, [](const core::TileOccupancy& t) {
    return t.use.registers && !t.compiled && t.impossible.empty();
  });
}

}  // namespace

float table_height(const OccupancyScene& scene) {
  return scene.tile.tile == 0
             ? 0.0F
             : line_of(scene) * (2.0F + static_cast<float>(scene.occupancy.tiles.size()) +
                                 (assumes(scene) ? 1.0F : 0.0F));
}

void draw_tile_table(const OccupancyScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  const float height = line_of(scene);
  if (scene.tile.tile == 0 || area.height() < 3.0F * height) {
    return;
  }
  heading(scene.canvas, area, "Every tile size",
          scene.occupancy.multiprocessor ? "modelled" : "exact");
  const auto shown = columns_in(scene, area.width());
  Rect head = area.cut_top(height);
  for (const Column& column : shown) {
    scene.canvas.text_in(head.cut_left(width_of(scene, column)), column.name, theme.fonts.text,
                         theme.colours.dim, Align::right);
  }
  head.cut_left(theme.px(14));
  if (scene.occupancy.multiprocessor) {
    scene.canvas.text_in(head, "the limit", theme.fonts.text, theme.colours.dim);
  }
  for (const core::TileOccupancy& tile : scene.occupancy.tiles) {
    if (area.height() >= height) {
      draw_row(scene, area.cut_top(height), tile, shown);
    }
  }
  if (assumes(scene) && area.height() >= height) {
    scene.canvas.text_in(area.cut_top(height), "? the same registers assumed; not compiled yet",
                         theme.fonts.text, theme.colours.dim);
  }
}

float statistics_height(const OccupancyScene& scene) {
  const std::size_t lines = std::max<std::size_t>(scene.occupancy.statistics.all.size(), 2);
  const float line = scene.canvas.line_height(scene.theme().fonts.text);
  return static_cast<float>(lines + 1) * line + scene.theme().px(2);
}

void draw_statistics(const OccupancyScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  const float line = scene.canvas.line_height(theme.fonts.text);
  if (area.height() < 2.0F * line + theme.px(2)) {
    return;
  }
  heading(scene.canvas, area, "Compiled kernel", "reported");
  const auto& all = scene.occupancy.statistics.all;
  if (all.empty()) {
    const std::string& why = scene.occupancy.no_statistics;
    scene.canvas.wrapped(
        area, why.empty() ? "being compiled for its statistics" : "registers and spills: " + why,
        theme.fonts.text, theme.colours.dim);
  }
  for (const core::PipelineStatistic& s : all) {
    if (area.height() >= line) {
      row(scene.canvas, area, s.name, s.value);
    }
  }
}

}  // namespace ui

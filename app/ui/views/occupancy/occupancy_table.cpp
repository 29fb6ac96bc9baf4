// The tiles of the variant's range, and what the driver tells of the kernel.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/edits.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/views/occupancy/occupancy_view.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

TableRow row_of(const core::TileOccupancy& t, bool chosen) {
  const core::Residency* r = t.residency ? &*t.residency : nullptr;
  const auto held = [r](std::uint64_t number) { return r != nullptr ? count_text(number) : ""; };
  const std::string guess = t.compiled ? "" : "?";
  TableRow row{.cells = {std::to_string(t.tile), count_text(t.use.invocations),
                         t.use.registers ? count_text(*t.use.registers) + guess : "",
                         count_text(t.use.shared_bytes), held(r ? r->workgroups : 0),
                         held(r ? r->warps : 0), held(r ? std::lround(100.0 * r->share()) : 0),
                         r != nullptr && t.impossible.empty() ? core::limits_of(*r) : t.impossible},
               .chosen = chosen};
  for (std::size_t i = 0; !t.impossible.empty() && i + 1 < row.cells.size(); ++i) {
    row.cells[i].own = pen::mono_dim;
  }
  return row;
}

Table table_of(const OccupancyScene& scene) {
  const char* limit = scene.occupancy.multiprocessor ? "the limit" : "";
  Table table{.columns = {{.importance = 9},
                          {.importance = 1},
                          {.importance = 3},
                          {.importance = 2},
                          {.importance = 7},
                          {.importance = 5},
                          {.importance = 8},
                          {.align = Align::left, .pen = pen::dim, .importance = 6, .least = 9.0F}},
              .rows = {{.cells = {"tile", "invocations", "registers", "shared B", "workgroups",
                                  "warps", "%", limit},
                        .heading = true}}};
  for (const core::TileOccupancy& tile : scene.occupancy.tiles) {
    table.rows.push_back(row_of(tile, tile.tile == scene.tile.tile));
  }
  return table;
}

}  // namespace

void draw_tile_table(const OccupancyScene& scene, Stack& stack) {
  const auto& tiles = scene.occupancy.tiles;
  const bool asked = !scene.frame.state.of<LessonState>().open();  // it would answer for each size
  if (scene.tile.tile == 0 || asked || !stack.has(4.0F)) {
    return;
  }
  stack.heading("Every tile size", scene.occupancy.multiprocessor ? "modelled" : "exact");
  const Table table = table_of(scene);
  const Rect area = stack.rest.cut_top(table_height(scene.canvas, table));
  const TableDrawn drawn = draw_table(scene.canvas, area, "tile size", table);
  if (drawn.hovered && !tiles[*drawn.hovered - 1].impossible.empty()) {
    tell(tiles[*drawn.hovered - 1].impossible);
  }
  if (drawn.clicked) {
    core::Experiment next = scene.frame.state.wanted;
    next.tile = tiles[*drawn.clicked - 1].tile;
    scene.frame.actions().want(next);
  }
  const bool assumed = std::ranges::any_of(tiles, [](const core::TileOccupancy& t) {
    return t.use.registers && !t.compiled && t.impossible.empty();
  });
  if (assumed && stack.has(1.0F)) {
    stack.say("?: not compiled yet; the same number of registers is assumed", pen::dim);
  }
}

void draw_statistics(const OccupancyScene& scene, Stack& stack) {
  if (!stack.has(2.2F)) {
    return;
  }
  stack.heading("Compiled kernel", "reported");
  const auto& all = scene.occupancy.statistics.all;
  if (all.empty()) {
    const std::string& why = scene.occupancy.no_statistics;
    stack.wrap(why.empty() ? "compiling to read the statistics" : "registers and spills: " + why,
               pen::dim);
  }
  for (const core::PipelineStatistic& s : all) {
    if (stack.has(1.0F)) {
      stack.row(s.name, s.value);
    }
  }
}

}  // namespace ui

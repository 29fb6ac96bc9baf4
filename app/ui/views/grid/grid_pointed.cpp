#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/base/field.h"
#include "ui/canvas/format.h"
#include "ui/views.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/timeline_view.h"

namespace ui {
namespace {

// What is left of rectangles without a part of them.
std::vector<Rect> without(const std::vector<Rect>& all, const Rect& part) {
  std::vector<Rect> left;
  for (const Rect& r : all) {
    const Rect in = part.clipped(r);
    if (in.empty()) {
      left.push_back(r);
      continue;
    }
    for (const Rect& side : {Rect{r.low, {r.high.x, in.low.y}}, Rect{{r.low.x, in.high.y}, r.high},
                             Rect{{r.low.x, in.low.y}, {in.low.x, in.high.y}},
                             Rect{{in.high.x, in.low.y}, {r.high.x, in.high.y}}}) {
      if (!side.empty()) {
        left.push_back(side);
      }
    }
  }
  return left;
}

// All of a plate but some areas of it steps back.
void dim_around(const GridScene& scene, const Rect& plate, const std::vector<Rect>& bright) {
  std::vector<Rect> dark{plate};
  for (const Rect& area : bright) {
    dark = without(dark, area);
  }
  for (const Rect& area : dark) {
    scene.canvas.fill(area, fade(scene.frame.theme.colours.background, 0.62F));
  }
}

void outline_written(const GridScene& scene, const Rect& rect) {
  const Gaps& gap = scene.frame.theme.gap;
  draw_written(scene.canvas, rect.at_least(gap.small).inset(-gap.small, -gap.small));
}

void outline_read(const GridScene& scene, const Rect& rect) {
  const Theme& theme = scene.frame.theme;
  const Rect seen = rect.at_least(theme.gap.small);
  scene.canvas.fill(rect, fade(theme.colours.global, 0.18F));
  scene.canvas.frame(seen.inset(-theme.gap.thin, -theme.gap.thin), theme.colours.global,
                     theme.gap.thin);
}

void point_on_plates(const GridScene& scene, glm::uvec3 group) {
  const core::Box items = scene.result().tiles.items(group);
  for (const Plate& plate : scene.layout.plates) {
    std::vector<Rect> rects;
    for (const Area& area : areas_on(plate, scene.result(), items)) {
      rects.push_back(scene.camera.pixels(area));
    }
    if (rects.empty()) {
      continue;
    }
    dim_around(scene, scene.camera.pixels(plate.area), rects);
    for (const Rect& rect : rects) {
      plate.output ? outline_written(scene, rect) : outline_read(scene, rect);
    }
  }
}

std::string span_text(const char* one, const char* many, std::uint32_t first, std::uint32_t last) {
  return last == first + 1 ? fmt::format("{} {}", one, first)
                           : fmt::format("{} {}–{}", many, first, last - 1);
}

std::string cells_text(const core::Region& r) {
  return span_text("row", "rows", r.first_row, r.last_row) + ", " +
         span_text("column", "columns", r.first_column, r.last_column);
}

std::uint64_t cells_in(const core::Region& r) {
  return std::uint64_t{r.last_row - r.first_row} * (r.last_column - r.first_column);
}

using CardLine = TileCard::Line;

void add_useful(const core::TileMap& tiles, glm::uvec3 group, std::vector<CardLine>& lines) {
  const std::uint64_t launched =
      std::uint64_t{tiles.local_size.x} * tiles.local_size.y * tiles.local_size.z;
  const std::uint64_t useful = tiles.useful_invocations(group);
  lines.push_back({"useful", fmt::format("{} of {} invocations", useful, launched)});
  if (useful < launched) {
    lines.push_back({"beyond the edge", fmt::format("{} ({:.1f} %)", launched - useful,
                                                    100.0 * static_cast<double>(launched - useful) /
                                                        static_cast<double>(launched))});
  }
}

std::string mean_text(float mean) {
  return core::is_unwritten(mean) ? "not written"
         : std::isfinite(mean)    ? significant(static_cast<double>(mean))
                                  : "not finite";
}

// What the tile reads and writes: matrices by rows and columns, else in the workload's words.
std::vector<CardLine> data_lines(const GridScene& scene, const core::Box& items) {
  const core::Result& result = scene.result();
  const core::Workload* workload = result.items_work();
  const auto along = [&](const std::string& one, const std::string& many,
                         std::uint32_t glm::uvec3::* d) {
    return span_text(one.c_str(), many.c_str(), items.first.*d, items.last.*d);
  };
  const bool strip = !scene.layout.plates.empty() && scene.layout.plates.front().strip;
  if (workload == nullptr || strip) {
    const bool plane = result.tiles.extent.y > 1;
    std::vector<CardLine> few{{"items", along("x", "x", &glm::uvec3::x) +
                                            (plane ? ", " + along("y", "y", &glm::uvec3::y) : "")}};
    std::ranges::move(difference_lines(scene, nullptr), std::back_inserter(few));
    return few;
  }
  const bool matrices = scene.layout.fold == 0;
  const core::ItemNames words = workload->items();
  const core::Region written = workload->writes(result.problem.sizes, items);
  std::vector<CardLine> lines{
      {"writes " + result.buffers[written.buffer].name,
       matrices ? cells_text(written) : along(words.one, words.many, &glm::uvec3::x)}};
  const auto text_of = [&](const core::Region& r) {
    const bool all = r.first_row == 0 && r.last_row == result.buffers[r.buffer].rows;
    return matrices ? cells_text(r)
           : all    ? fmt::format("all {} {}", count_text(r.last_row), words.many)
                    : span_text(words.one.c_str(), words.many.c_str(), r.first_row, r.last_row);
  };
  std::uint64_t bytes = 0;
  const auto reads = workload->reads(result.problem.sizes, items);
  for (auto read = reads.begin(); read != reads.end();) {
    const core::BufferSpec& spec = result.buffers[read->buffer];
    const auto next = std::find_if(read, reads.end(),
                                   [&](const core::Region& r) { return r.buffer != read->buffer; });
    std::uint64_t rows = 0;
    for (auto r = read; r != next; ++r) {
      rows += r->last_row - r->first_row;
      bytes += cells_in(*r) * spec.components * sizeof(float);
    }
    lines.push_back({"reads " + spec.name,
                     next - read == 1 ? text_of(*read)
                                      : fmt::format("{} rows in {} parts", rows, next - read)});
    read = next;
  }
  if (matrices) {
    lines.push_back({"needs", bytes_text(static_cast<double>(bytes)) + " of input"});
  }
  if (auto wrong = difference_lines(scene, &written); !wrong.empty()) {
    std::ranges::move(wrong, std::back_inserter(lines));
    return lines;
  }
  const core::Field* field = matrices ? scene.field(scene.layout.plates.front()) : nullptr;
  if (field != nullptr && !field->empty()) {
    lines.push_back({"mean", mean_text(mean_of(*field, written))});
  } else if (scene.means) {
    lines.push_back(
        {result.bodies ? "mean speed" : "mean", mean_text(scene.means->texels[*scene.tile])});
  }
  return lines;
}

// The launch of the tile, and who does the cell under the mouse where that is not its tile.
void add_section(const GridScene& scene, glm::uvec3 group, std::vector<CardLine>& lines) {
  const core::Result& result = scene.result();
  const core::Launch* launch = result.launch_of(group);
  if (result.launches.size() > 1 && launch != nullptr) {
    lines.push_back({"launch", fmt::format("{} of {}: {}", launch - result.launches.data() + 1,
                                           result.launches.size(), launch->title)});
  }
  if (!scene.item || !shows_sections(scene.frame.state.of<GridState>(), result)) {
    return;
  }
  const std::string section = core::to_string(core::section_at(result.tiles, *scene.item));
  lines.push_back({"cell", fmt::format("({}, {}): {}", scene.item->y, scene.item->x, section)});
  if (const auto worker = core::edge_worker(result.tiles, *scene.item)) {
    lines.push_back({"done by", fmt::format("invocation ({}, {}), in addition to its own",
                                            worker->invocation.x, worker->invocation.y)});
  }
}

std::vector<CardLine> card_lines(const GridScene& scene) {
  const core::TileMap& tiles = scene.result().tiles;
  const glm::uvec3 group = tiles.group_at(*scene.tile);
  const core::Box items = tiles.items(group);
  std::vector<CardLine> lines = data_lines(scene, items);
  add_useful(tiles, group, lines);
  add_section(scene, group, lines);
  const core::Timeline* timeline = scene.result().timeline.get();
  if (timeline != nullptr && *scene.tile < timeline->tiles.size()) {
    std::ranges::move(timeline_lines(*timeline, *scene.tile), std::back_inserter(lines));
  }
  return lines;
}

float area_of(const Rect& r) {
  return r.empty() ? 0.0F : r.width() * r.height();
}

// What a card at that place would hide: data a little, what is pointed at a lot.
float hidden_by(const GridScene& scene, const Rect& card) {
  const float caption = scene.canvas.line_height(pen::title);
  if (scene.layout.fold > 0) {
    const Rect tile = scene.camera.pixels(folded_tile(scene.layout, *scene.tile));
    return area_of(scene.camera.pixels(scene.layout.bounds).clipped(card)) +
           100.0F * area_of(tile.inset(-caption, -caption).clipped(card));
  }
  const core::TileMap& tiles = scene.result().tiles;
  const core::Box items = tiles.items(tiles.group_at(*scene.tile));
  float hidden = 0.0F;
  for (const Plate& plate : scene.layout.plates) {
    hidden += area_of(scene.camera.pixels(plate.area).inset(0.0F, -caption).clipped(card));
    for (const Area& area : areas_on(plate, scene.result(), items)) {
      hidden += 20.0F * area_of(scene.camera.pixels(area).inset(-8.0F, -8.0F).clipped(card));
    }
  }
  return hidden;
}

// The free corner of the figure when there is one, else where the card hides least.
Rect place_card(const GridScene& scene, glm::vec2 size) {
  const float pad = scene.frame.theme.gap.medium;
  const Rect room{scene.room.low + pad, scene.room.high - pad - size};
  const Rect names = switch_area(scene.frame, scene.canvas, scene.room);
  Rect best;
  float least = -1.0F;
  for (const float y : {0.0F, 1.0F, 0.5F}) {
    for (const float x : {0.0F, 1.0F, 0.5F}) {
      glm::vec2 at = glm::floor(room.low + glm::vec2(x, y) * glm::max(room.size(), 0.0F));
      if (names.overlaps({at, at + size})) {
        at.y = std::floor(names.high.y + pad);
      }
      const Rect card{at, at + size};
      const float hidden = hidden_by(scene, card);
      if (least < 0.0F || hidden < least) {
        least = hidden;
        best = card;
      }
    }
  }
  return best;
}

}  // namespace

void draw_written(const Canvas& canvas, const Rect& rect) {
  const float width = canvas.theme().gap.thin;
  canvas.frame(rect, rgb(0x000000), width);
  canvas.frame(rect.inset(width, width), rgb(0xFFFFFF), width);
}

float mean_of(const core::Field& field, const core::Region& r) {
  // A stranger's kernel may be launched on more than its buffer holds.
  if (field.empty() || r.first_row >= std::min(r.last_row, field.rows) ||
      r.first_column >= std::min(r.last_column, field.columns)) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const auto texel = [](std::uint32_t cell, std::uint32_t cells, std::uint32_t texels) {
    return static_cast<std::uint32_t>(std::uint64_t{std::min(cell, cells - 1)} * texels / cells);
  };
  const std::uint32_t row0 = texel(r.first_row, field.rows, field.texel_rows);
  const std::uint32_t row1 = texel(r.last_row - 1, field.rows, field.texel_rows);
  const std::uint32_t column0 = texel(r.first_column, field.columns, field.texel_columns);
  const std::uint32_t column1 = texel(r.last_column - 1, field.columns, field.texel_columns);
  double sum = 0.0;
  for (std::uint32_t row = row0; row <= row1; ++row) {
    for (std::uint32_t column = column0; column <= column1; ++column) {
      const float value = field.texels[std::size_t{row} * field.texel_columns + column];
      if (core::is_unwritten(value)) {
        return value;
      }
      sum += static_cast<double>(value);
    }
  }
  return static_cast<float>(sum / ((row1 - row0 + 1.0) * (column1 - column0 + 1.0)));
}

void draw_pointed_tile(const GridScene& scene) {
  if (!scene.tile) {
    return;
  }
  if (scene.layout.fold == 0) {
    point_on_plates(scene, scene.result().tiles.group_at(*scene.tile));
    return;
  }
  const Rect all = scene.camera.pixels(scene.layout.bounds);
  outline_read(scene, all);
  outline_written(scene, scene.camera.pixels(folded_tile(scene.layout, *scene.tile)));
}

TileCard make_tile_card(const GridScene& scene) {
  if (!scene.tile) {
    return {};
  }
  const core::TileMap& tiles = scene.result().tiles;
  const glm::uvec3 group = tiles.group_at(*scene.tile);
  TileCard card;
  card.title = fmt::format("workgroup ({}, {}, {}), {} of {}", group.x, group.y, group.z,
                           count_text(*scene.tile + 1), count_text(tiles.group_count()));
  card.lines = card_lines(scene);
  card.rect = place_card(scene, measure_card(scene.canvas, scene.room, card));
  return card;
}

void draw_tile_card(const GridScene& scene) {
  if (!scene.card.rect.empty()) {
    draw_card(scene.canvas, scene.card);
  }
}

}  // namespace ui

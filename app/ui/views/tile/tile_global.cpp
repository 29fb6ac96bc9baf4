// The buffers that a workgroup reads and writes, as small maps of their elements.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/views/tile/tile_view.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr double kLongest = 4.0;  // times as long as wide, else a map is folded

// As the workload stores the buffer: rows and columns of elements.
glm::u64vec2 matrix_of(const TileScene& scene, std::uint32_t variable) {
  const core::TracedVariable& v = scene.trace().variables[variable];
  const ElementShape& shape = scene.story.shapes()[variable];
  const auto& buffers = scene.frame.model.result.buffers;
  if (v.binding < buffers.size() && buffers[v.binding].columns > 0) {
    const core::BufferSpec& spec = buffers[v.binding];
    const std::uint64_t across = spec.transposed ? spec.rows : spec.columns;
    const std::uint64_t words = across * spec.components;
    if (words % shape.slices == 0 && spec.words() == shape.count * shape.slices) {
      return {spec.transposed ? spec.columns : spec.rows, words / shape.slices};
    }
  }
  return {1, shape.count};
}

GlobalPlate plate_of(const TileScene& scene, std::uint32_t variable) {
  const core::TracedVariable& v = scene.trace().variables[variable];
  const auto [rows, columns] =
      std::pair(matrix_of(scene, variable).x, matrix_of(scene, variable).y);
  GlobalPlate plate;
  plate.variable = variable;
  plate.name = v.name;
  plate.block.variable = variable;
  plate.block.count = rows * columns;
  const double ratio = static_cast<double>(rows) / static_cast<double>(columns);
  const bool folded = ratio > kLongest || ratio < 1.0 / kLongest;
  plate.block.columns =
      folded ? wrap_columns(plate.block.count) : static_cast<std::uint32_t>(columns);
  plate.shape = rows > 1 && columns > 1 ? fmt::format("{} × {}", rows, columns)
                                        : fmt::format("{} elements", count_text(plate.block.count));
  return plate;
}

std::vector<std::uint64_t> touched(const TileScene& scene, std::uint32_t variable, bool writes) {
  std::vector<std::uint64_t> cells;
  for (const Touch& t : scene.moment.touches) {
    if (t.variable == variable && t.writes == writes) {
      for (std::uint64_t e = t.element; e < t.element + t.elements; ++e) {
        cells.push_back(e);
      }
    }
  }
  sort_unique(cells);
  return cells;
}

void find_runs(const TileScene& scene) {
  TileCache& cache = scene.frame.state.of<TileCache>();
  const std::pair<const void*, std::uint64_t> now{scene.story.shared_trace().get(),
                                                  scene.moment.version};
  if (cache.runs_of == now && cache.read_runs.size() == scene.trace().variables.size()) {
    return;
  }
  cache.runs_of = now;
  cache.read_runs.assign(scene.trace().variables.size(), {});
  cache.written_runs.assign(scene.trace().variables.size(), {});
  for (std::uint32_t v = 0; v < scene.trace().variables.size(); ++v) {
    if (!scene.shared(v)) {
      const CellBlock block = plate_of(scene, v).block;
      cache.read_runs[v] = runs_of(block, touched(scene, v, false));
      cache.written_runs[v] = runs_of(block, touched(scene, v, true));
    }
  }
}

// All that the workgroup ever touches of each buffer.
void find_reach(const TileScene& scene) {
  TileCache& cache = scene.frame.state.of<TileCache>();
  const core::Trace& trace = scene.trace();
  if (cache.reach_of == &trace && cache.reach.size() == trace.variables.size()) {
    return;
  }
  std::vector<std::vector<std::uint64_t>> cells(trace.variables.size());
  for (const core::TracedAccess& a : trace.accesses) {
    const std::uint32_t v = trace.sites[a.site].variable;
    if (!scene.shared(v)) {
      cells[v].push_back(a.offset / scene.story.shapes()[v].bytes);
    }
  }
  cache.reach_of = &trace;
  cache.reach.assign(trace.variables.size(), {});
  for (std::uint32_t v = 0; v < cells.size(); ++v) {
    sort_unique(cells[v]);
    cache.reach[v] = runs_of(plate_of(scene, v).block, cells[v]);
  }
}

// Read: an open mark. Written: a full one.
void draw_runs(const TileScene& scene, const CellBlock& block, const std::vector<CellRun>& runs,
               bool writes) {
  const Colour colour = scene.theme().colours.global;
  for (const CellRun& run : runs) {
    const Rect area = area_of(block, run).at_least(scene.theme().gap.thin);
    scene.canvas.fill(area,
                      fade(colour, writes || area.height() < scene.theme().px(5) ? 1.0F : 0.45F));
    if (!writes && std::min(area.width(), area.height()) >= scene.theme().px(5)) {
      scene.canvas.frame(area, colour, scene.theme().px(1));
    }
  }
}

std::string plate_note(const TileScene& scene, std::uint32_t variable) {
  const TileCache& cache = scene.frame.state.of<TileCache>();
  const std::uint64_t read = cells_in(cache.read_runs[variable]);
  const std::uint64_t written = cells_in(cache.written_runs[variable]);
  if (read + written == 0) {
    return "untouched";
  }
  std::string text = read > 0 ? count_text(read) + " read" : "";
  if (written > 0) {
    text += (text.empty() ? "" : ", ") + count_text(written) + " written";
  }
  return text;
}

void draw_plate(const TileScene& scene, const GlobalPlate& plate) {
  const Theme& theme = scene.theme();
  const Canvas& canvas = scene.canvas;
  const float line = canvas.line_height();
  const TileCache& cache = scene.frame.state.of<TileCache>();
  const Rect& area = plate.block.area;
  canvas.fill(area, theme.colours.raised);
  {
    const Clip clip(canvas, area.inset(-1.0F, -1.0F));
    for (const CellRun& run : cache.reach[plate.variable]) {
      canvas.fill(area_of(plate.block, run).at_least(theme.gap.thin),
                  fade(theme.colours.global, 0.28F));
    }
    draw_runs(scene, plate.block, cache.read_runs[plate.variable], false);
    draw_runs(scene, plate.block, cache.written_runs[plate.variable], true);
  }
  canvas.frame(area.inset(-1.0F, -1.0F), theme.colours.global, 1.0F);
  Rect words{{plate.block.slot.low.x, area.high.y + theme.gap.thin},
             {plate.block.slot.high.x, area.high.y + theme.gap.thin + line}};
  const Rect note{{words.low.x, words.high.y}, {words.high.x, words.high.y + line}};
  canvas.write(words, plate.name);
  words.cut_left(canvas.width(plate.name) + theme.px(6));
  if (canvas.width(plate.shape) <= words.width()) {
    canvas.write(words, plate.shape, pen::dim);
  }
  canvas.write(note, plate_note(scene, plate.variable), pen::dim);
}

// Pixels that a map is wide at a height of one.
float ratio_of(const GlobalPlate& plate) {
  return std::clamp(
      static_cast<float>(plate.block.columns) / static_cast<float>(plate.block.rows()), 0.25F,
      2.0F);
}

}  // namespace

void place_plates(TileScene& scene) {
  find_runs(scene);
  find_reach(scene);
  const Theme& theme = scene.theme();
  const float line = scene.canvas.line_height();
  const float gap = theme.gap.huge;
  Rect rest = scene.global;
  const float room = std::floor(rest.height() - 2.0F * line - theme.px(6));
  if (rest.empty() || room < theme.gap.huge) {
    return;
  }
  std::vector<GlobalPlate> plates;
  for (std::uint32_t v = 0; v < scene.trace().variables.size(); ++v) {
    if (!scene.shared(v)) {
      plates.push_back(plate_of(scene, v));
    }
  }
  const float across =
      rest.width() - gap * static_cast<float>(std::max<std::size_t>(plates.size(), 1) - 1);
  const float least =
      std::clamp(across / static_cast<float>(std::max<std::size_t>(plates.size(), 1)), theme.px(64),
                 theme.px(112));
  const auto wide = [&](float height) {
    float sum = 0.0F;
    for (const GlobalPlate& plate : plates) {
      sum += std::max(std::floor(height * ratio_of(plate)), least);
    }
    return sum;
  };
  float height = room;
  while (height > theme.gap.huge && wide(height) > across) {
    height -= 1.0F;
  }
  rest.cut_top(std::floor(0.5F * (room - height)));
  for (GlobalPlate& plate : plates) {
    const float width = std::floor(height * ratio_of(plate));
    const float slot = std::max(width, least);
    if (rest.width() + 1.0F < slot) {
      break;
    }
    plate.block.slot = rest.cut_left(slot);
    plate.block.area = {plate.block.slot.low, plate.block.slot.low + glm::vec2(width, height)};
    scene.plates.push_back(std::move(plate));
    rest.cut_left(gap);
  }
}

void draw_plates(const TileScene& scene) {
  for (const GlobalPlate& plate : scene.plates) {
    draw_plate(scene, plate);
  }
}

}  // namespace ui

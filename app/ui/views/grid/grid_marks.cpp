#include "ui/views/grid/grid_marks.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <glm/common.hpp>

#include "core/base/ceil_div.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/tile/tile_cache.h"
#include "ui/views/tile/tile_layout.h"

namespace ui {
namespace {

constexpr float kLeastBlock = 10.0F;   // pixels: smaller tiles are marked together
constexpr float kLeastElement = 4.0F;  // pixels

void mark(const GridScene& scene, const Rect& rect) {
  const Rect seen = rect.clipped(scene.room);
  if (seen.empty()) {
    return;
  }
  const Theme& theme = scene.frame.theme;
  scene.canvas.fill(seen, fade(theme.colours.race, 0.22F));
  const Clip clip(scene.canvas, seen);
  // Stripes run on from box to box: they start where the diagonals of the screen do.
  const float step = theme.px(9);
  const float first = std::floor((seen.low.x + seen.low.y) / step) * step;
  for (float d = first; d < seen.high.x + seen.high.y; d += step) {
    const float x0 = std::max(seen.low.x, d - seen.high.y);
    const float x1 = std::min(seen.high.x, d - seen.low.y);
    scene.canvas.list().AddLine({x0, d - x0}, {x1, d - x1}, theme.colours.race, theme.gap.thin);
  }
}

// A power of two, so that the marks of nearby zooms are the same.
std::uint32_t block_of(const GridScene& scene, double tile_pixels) {
  const double least = static_cast<double>(scene.frame.theme.px(kLeastBlock));
  const double wanted = std::ceil(least / std::max(tile_pixels, 1e-6));
  return std::bit_ceil(static_cast<std::uint32_t>(std::clamp(wanted, 1.0, 1e6)));
}

const std::vector<TileBox>& boxes(const GridScene& scene, std::uint32_t across, std::uint64_t plane,
                                  std::uint32_t block) {
  RaceMarks& cache = scene.frame.state.of<RaceMarks>();
  const auto& races = scene.result().races;
  const std::size_t grid = scene.result().grid();
  if (const auto now = std::tuple(races, grid, across, block); cache.of != now) {
    cache.of = now;
    cache.boxes = racing_boxes(races->racing_on(grid), scene.result().tiles.group_count(), across,
                               plane, block);
  }
  return cache.boxes;
}

void mark_plate(const GridScene& scene, const Plate& plate) {
  const core::Result& result = scene.result();
  const core::TileMap& tiles = result.tiles;
  const glm::uvec3 groups = tiles.groups();
  const auto box_of = [&](const TileBox& box) {
    const glm::uvec3 low{box.low, 0};
    const glm::uvec3 high{glm::min(box.high, glm::uvec2(groups)), 1};
    return tiles_on(plate, result,
                    {low * tiles.covers, glm::min(high * tiles.covers, tiles.extent)});
  };
  const auto one = box_of({{0, 0}, {1, 1}});
  if (!one) {
    return;
  }
  const glm::dvec2 size = one->size() * scene.camera.scale;
  const std::uint32_t block = block_of(scene, std::min(size.x, size.y));
  for (const TileBox& box : boxes(scene, groups.x, std::uint64_t{groups.x} * groups.y, block)) {
    if (const auto area = box_of(box)) {
      mark(scene, scene.camera.pixels(*area));
    }
  }
}

const std::vector<TileBox>& element_boxes(const GridScene& scene, const Plate& plate,
                                          std::uint32_t block) {
  ElementMarks::Of& cache = scene.frame.state.of<ElementMarks>().plates[plate.buffer];
  const auto& races = scene.result().races;
  const core::BufferSpec& spec = scene.result().buffers[plate.buffer];
  if (const auto now = std::tuple(races, spec, block); cache.of != now) {
    cache.of = now;
    const auto bits = racing_elements(*races, plate.buffer, spec);
    cache.boxes.clear();
    if (!bits.empty()) {
      cache.boxes = racing_boxes(bits, spec.elements(), spec.columns, spec.elements(), block);
    }
  }
  return cache.boxes;
}

// Filled, with a hatched rim, so that they stand out of the tiles that are marked.
void mark_elements(const GridScene& scene, const Plate& plate) {
  const glm::dvec2 element = plate.area.size() / glm::dvec2(plate.columns, plate.rows);
  const glm::dvec2 pixels = element * scene.camera.scale;
  const std::uint32_t block = block_of(scene, std::min(pixels.x, pixels.y));
  const Theme& theme = scene.frame.theme;
  for (const TileBox& box : element_boxes(scene, plate, block)) {
    const glm::uvec2 high = glm::min(box.high, glm::uvec2(plate.columns, plate.rows));
    const Rect rect = scene.camera.pixels({plate.area.low + glm::dvec2(box.low) * element,
                                           plate.area.low + glm::dvec2(high) * element});
    const Rect seen = rect.at_least(theme.px(kLeastElement));
    scene.canvas.fill(seen.clipped(scene.room), fade(theme.colours.race, 0.75F));
    scene.canvas.frame(seen.clipped(scene.room), theme.colours.text, 1.0F);
  }
}

}  // namespace

std::vector<std::uint32_t> racing_elements(const core::CheckReport& report, std::size_t buffer,
                                           const core::BufferSpec& spec) {
  std::vector<std::uint32_t> bits;
  const std::uint64_t bytes = spec.components * core::bytes_of(spec.precision);
  for (const core::RacingCells& racing : report.racing_cells) {
    if (racing.buffer != buffer) {
      continue;
    }
    for (const std::uint64_t cell : racing.cells) {
      const std::uint64_t end = (cell + 1) * racing.cell_bytes;
      for (std::uint64_t e = cell * racing.cell_bytes / bytes;
           e * bytes < end && e < spec.elements(); ++e) {
        const std::uint64_t place =
            spec.transposed ? e % spec.rows * spec.columns + e / spec.rows : e;
        bits.resize((spec.elements() + 31) / 32);
        bits[place / 32] |= 1U << (place % 32);
      }
    }
  }
  return bits;
}

std::vector<TileBox> racing_boxes(std::span<const std::uint32_t> racing, std::uint64_t count,
                                  std::uint32_t across, std::uint64_t plane, std::uint32_t block) {
  const std::uint64_t rows = core::ceil_div(std::min(count, plane), across);
  const auto blocks_across = static_cast<std::uint32_t>(core::ceil_div(across, block));
  const auto blocks_down = static_cast<std::uint32_t>(core::ceil_div(rows, block));
  std::vector<bool> set(std::size_t{blocks_across} * blocks_down);
  for (std::uint64_t word = 0; word < racing.size(); ++word) {
    for (std::uint32_t bits = racing[word]; bits != 0; bits &= bits - 1) {
      const std::uint64_t tile = word * 32 + static_cast<std::uint64_t>(std::countr_zero(bits));
      if (tile < count) {
        const std::uint64_t at = tile % plane;
        set[at / across / block * blocks_across + at % across / block] = true;
      }
    }
  }
  std::vector<std::uint64_t> cells;
  for (std::uint64_t i = 0; i < set.size(); ++i) {
    if (set[i]) {
      cells.push_back(i);
    }
  }
  std::vector<TileBox> boxes;
  for (const CellRun& run : runs_of({.columns = blocks_across}, cells)) {
    const glm::uvec2 low{run.column, run.row};
    boxes.push_back({low * block, (low + glm::uvec2(run.columns, run.rows)) * block});
  }
  return boxes;
}

std::uint64_t racing_tiles(std::span<const std::uint32_t> racing) {
  std::uint64_t count = 0;
  for (const std::uint32_t word : racing) {
    count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return count;
}

namespace {

void draw_tile_marks(const GridScene& scene) {
  const core::Result& result = scene.result();
  if (scene.layout.fold == 0) {
    for (const Plate& plate : scene.layout.plates) {
      if (plate.output) {
        mark_plate(scene, plate);
      }
    }
    return;
  }
  const std::uint32_t block = block_of(scene, scene.camera.scale);
  const std::uint64_t count = result.tiles.group_count();
  const glm::dvec2 most = scene.layout.bounds.high;
  for (const TileBox& box : boxes(scene, scene.layout.fold, count, block)) {
    mark(scene, scene.camera.pixels({glm::dvec2(box.low), glm::min(glm::dvec2(box.high), most)}));
  }
}

// The rectangle of the buffer's element that is accessed; for an index outside, one behind the end.
std::optional<Rect> element_of(const GridScene& scene, const core::TracedAccess& access,
                               const core::Trace& trace) {
  const core::TracedVariable& v = trace.variables[trace.sites[access.site].variable];
  const auto plate = std::ranges::find(scene.layout.plates, v.binding, &Plate::buffer);
  if (v.memory != core::MemoryKind::global || v.image || scene.layout.fold > 0 ||
      plate == scene.layout.plates.end()) {
    return std::nullopt;
  }
  const core::BufferSpec& spec = scene.result().buffers[plate->buffer];
  const std::uint64_t bytes =
      std::max<std::uint64_t>(std::uint64_t{spec.components} * core::bytes_of(spec.precision), 1);
  const std::uint64_t e = std::min((v.address + access.offset) / bytes, spec.elements());
  const std::uint64_t across = std::max(spec.transposed ? spec.rows : spec.columns, 1U);
  glm::dvec2 at{static_cast<double>(e % across), static_cast<double>(e / across)};
  if (spec.transposed) {
    std::swap(at.x, at.y);
  }
  const glm::dvec2 element = plate->area.size() / glm::dvec2(plate->columns, plate->rows);
  const glm::dvec2 low = plate->area.low + at * element;
  return scene.camera.pixels({low, low + element});
}

}  // namespace

void draw_found_element(const GridScene& scene) {
  const core::Result& result = scene.result();
  const core::Finding* finding = chosen_finding(scene.frame.state.view, result);
  if (finding == nullptr || finding->kind == core::FindingKind::race) {
    return;
  }
  const std::int64_t tile = tile_of_finding(*finding, result);
  if (tile >= 0 && !result.refused() &&
      (!result.trace || result.trace->workgroup != finding->workgroup)) {
    scene.frame.requests.trace = static_cast<std::uint64_t>(tile);
  }
  if (!result.trace) {
    return;
  }
  TraceStory* story = scene.frame.state.of<TileCache>().story_of(result.trace, scene.frame.settle);
  const auto place = story != nullptr ? story->place_of(*finding) : std::nullopt;
  if (!place || !(place->access || place->outside)) {
    return;
  }
  const core::Trace& trace = story->trace();
  const auto rect = element_of(
      scene, place->access ? trace.accesses[*place->access] : trace.outside[*place->outside],
      trace);
  if (rect) {
    const Theme& theme = scene.frame.theme;
    const Rect seen = rect->at_least(theme.px(2.0F * kLeastElement));
    scene.canvas.frame(seen.inset(-theme.gap.small, -theme.gap.small), theme.colours.race,
                       2.0F * theme.gap.thin);
    draw_written(scene.canvas, seen);
  }
}

void draw_race_marks(const GridScene& scene) {
  const core::Result& result = scene.result();
  if (!scene.frame.state.of<GridState>().marks || !result.races) {
    return;
  }
  if (!result.races->racing_on(result.grid()).empty()) {
    draw_tile_marks(scene);
  }
  if (scene.layout.fold == 0 && !result.races->racing_cells.empty()) {
    for (const Plate& plate : scene.layout.plates) {
      mark_elements(scene, plate);
    }
  }
}

}  // namespace ui

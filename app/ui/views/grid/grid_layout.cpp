#include "ui/views/grid/grid_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <glm/common.hpp>

#include "core/base/ceil_div.h"

namespace ui {
namespace {

constexpr double kMostElongated = 8.0;  // a side is never drawn shorter than the longest over this
// Of the longest side: room for the names of what all tiles read.
constexpr double kLeastSlots = 0.5;
constexpr double kFoldAspect = 1.6;  // of a one-dimensional launch

using RegionOf = std::function<core::Region(const core::Box&)>;

Axis axis(std::uint32_t origin, std::uint32_t along_x, std::uint32_t along_y) {
  return along_x != origin ? Axis::x : along_y != origin ? Axis::y : Axis::none;
}

// Moves one work item along x and y, and looks whether the region moves.
void find_axes(Plate& plate, const RegionOf& region) {
  const core::Region origin = region({{0, 0, 0}, {1, 1, 1}});
  const core::Region x = region({{1, 0, 0}, {2, 1, 1}});
  const core::Region y = region({{0, 1, 0}, {1, 2, 1}});
  plate.row_axis = axis(origin.first_row, x.first_row, y.first_row);
  plate.column_axis = axis(origin.first_column, x.first_column, y.first_column);
}

Plate make_plate(const core::Result& result, std::size_t buffer, bool output,
                 const RegionOf& region) {
  const core::BufferSpec& spec = result.buffers[buffer];
  Plate plate{.buffer = buffer,
              .name = spec.name,
              .output = output,
              .rows = spec.rows,
              .columns = spec.columns};
  find_axes(plate, region);
  return plate;
}

// Turns the output of a one-dimensional launch without a workload into a strip that ends at the
// last element that was written.
void make_strip(const core::Result& result, Plate& plate) {
  const core::TileMap& tiles = result.tiles;
  if (result.variant.work != nullptr || tiles.extent.y > 1 || tiles.extent.z > 1) {
    return;
  }
  plate.strip = true;
  const bool aligned = plate.rows == 1 || plate.columns % std::max(tiles.covers.x, 1U) == 0;
  plate.column_axis = aligned ? Axis::x : Axis::none;
  const auto field = plate.buffer < result.fields.size() ? result.fields[plate.buffer]
                                                         : std::shared_ptr<const core::Field>();
  if (!field || field->unwritten == 0 || field->texel_columns == 0) {
    return;
  }
  const auto last = std::find_if(field->texels.rbegin(), field->texels.rend(),
                                 [](float texel) { return !core::is_unwritten(texel); });
  const auto texels = static_cast<std::size_t>(field->texels.rend() - last);
  const std::uint64_t rows = core::ceil_div(texels, field->texel_columns);
  plate.rows =
      std::clamp(static_cast<std::uint32_t>(rows * plate.rows / std::max(field->texel_rows, 1U)),
                 1U, plate.rows);
}

// The output first, then each input in the order of reads().
std::vector<Plate> make_plates(const core::Result& result, const core::Workload& workload) {
  const core::Sizes& sizes = result.problem.sizes;
  const core::Box one{{0, 0, 0}, {1, 1, 1}};
  std::vector<Plate> plates;
  plates.push_back(make_plate(result, workload.writes(sizes, one).buffer, true,
                              [&](const core::Box& box) { return workload.writes(sizes, box); }));
  make_strip(result, plates.front());
  const auto reads = workload.reads(sizes, one);
  for (const core::Region& read : reads) {
    if (plates.back().buffer != read.buffer) {  // the first of it tells how they move
      plates.push_back(make_plate(result, read.buffer, false, [&](const core::Box& box) {
        const auto all = workload.reads(sizes, box);
        return *std::ranges::find(all, read.buffer, &core::Region::buffer);
      }));
    }
  }
  return plates;
}

double longest_side(const std::vector<Plate>& plates) {
  std::uint32_t longest = 1;
  for (const Plate& plate : plates) {
    longest = std::max({longest, plate.rows, plate.columns});
  }
  return longest;
}

glm::dvec2 drawn_size(const Plate& plate, double least) {
  return {std::max<double>(plate.columns, least), std::max<double>(plate.rows, least)};
}

Area whole_plate(const Plate& plate, const core::Result& result) {
  const core::TileMap& tiles = result.tiles;
  const core::Box last = whole_tile(tiles, tiles.groups() - 1U);
  const auto area = tiles_on(plate, result, last);
  return {plate.area.low, area ? glm::max(area->high, plate.area.high) : plate.area.high};
}

// Each tile has its own part of it.
bool moves(const Plate& plate) {
  return plate.row_axis != Axis::none || plate.column_axis != Axis::none;
}

void place(GridLayout& layout, const core::Result& result) {
  const double longest = longest_side(layout.plates);
  const double least = longest / kMostElongated;
  Plate& output = layout.plates.front();
  const glm::dvec2 size = drawn_size(output, least);
  output.area = {{0.0, 0.0}, size};
  // Tiles at the edge reach over it by less than a tile.
  const glm::dvec2 over = whole_plate(output, result).high - size;
  const double gap = 0.07 * longest + std::max(over.x, over.y);
  const auto still = static_cast<double>(
      std::ranges::count_if(layout.plates, [](const Plate& p) { return !moves(p); }));
  const double least_slot = kLeastSlots * longest / std::max(still, 1.0);
  double left = -gap;
  for (std::size_t i = 1; i < layout.plates.size(); ++i) {
    Plate& input = layout.plates[i];
    const glm::dvec2 extent = drawn_size(input, least);
    if (input.row_axis == Axis::none && input.column_axis == output.column_axis) {
      input.area = {{0.0, -gap - extent.y}, {extent.x, -gap}};
      output.caption_below = true;
    } else {
      const double slot = moves(input) ? extent.x : std::max(extent.x, least_slot);
      input.area = {{left - slot, 0.0}, {left - slot + extent.x, extent.y}};
      left -= slot + gap;
    }
  }
  for (Plate& plate : layout.plates) {
    plate.stretched = plate.rows < least || plate.columns < least;
    const Area whole = whole_plate(plate, result);
    layout.bounds.low = glm::min(layout.bounds.low, whole.low);
    layout.bounds.high = glm::max(layout.bounds.high, whole.high);
  }
}

// The workgroups themselves, in launch order: those of one dimension folded into rows, others as
// they lie, plane after plane.
GridLayout folded(const core::Result& result) {
  const glm::uvec3 groups = result.tiles.groups();
  const auto count = static_cast<double>(result.tiles.group_count());
  const bool line = groups.y == 1 && groups.z == 1;
  GridLayout layout;
  layout.fold =
      line ? static_cast<std::uint32_t>(std::max(1.0, std::ceil(std::sqrt(count * kFoldAspect))))
           : groups.x;
  layout.bounds.high = {layout.fold, std::ceil(count / layout.fold)};
  return layout;
}

std::uint32_t item_along(Axis wanted, const Plate& plate, glm::dvec2 cell) {
  const double value = plate.column_axis == wanted ? cell.x : plate.row_axis == wanted ? cell.y : 0;
  return static_cast<std::uint32_t>(value);
}

std::optional<glm::uvec3> item_on(const Plate& plate, glm::dvec2 point) {
  const glm::dvec2 fraction = (point - plate.area.low) / plate.area.size();
  if (plate.strip && fraction.x >= 0.0 && fraction.y >= 0.0 && fraction.x < 1.0 &&
      fraction.y < 1.0) {
    const glm::uvec2 cell(fraction * glm::dvec2(plate.columns, plate.rows));
    return glm::uvec3(cell.y * plate.columns + cell.x, 0, 0);
  }
  if (!plate.tiled() || fraction.x < 0.0 || fraction.y < 0.0 || fraction.x >= 1.0 ||
      fraction.y >= 1.0) {
    return std::nullopt;
  }
  const glm::dvec2 cell = fraction * glm::dvec2(plate.columns, plate.rows);
  return glm::uvec3(item_along(Axis::x, plate, cell), item_along(Axis::y, plate, cell), 0);
}

// Elements [first, last) of a strip: a rectangle a row, rows that are whole together.
std::vector<Area> strip_areas(const Plate& plate, std::uint64_t first, std::uint64_t last) {
  std::vector<Area> areas;
  const std::uint64_t columns = plate.columns;
  last = std::min(last, columns * plate.rows);
  while (first < last) {
    const std::uint64_t row = first / columns;
    const std::uint64_t rows =
        first % columns == 0 ? std::max<std::uint64_t>((last - first) / columns, 1) : 1;
    const std::uint64_t end = std::min(last, (row + rows) * columns);
    const std::uint64_t width = rows > 1 ? columns : end - first;
    const auto at = static_cast<std::uint32_t>(first % columns);
    areas.push_back(plate.cells({.buffer = plate.buffer,
                                 .first_row = static_cast<std::uint32_t>(row),
                                 .last_row = static_cast<std::uint32_t>(row + rows),
                                 .first_column = at,
                                 .last_column = at + static_cast<std::uint32_t>(width)}));
    first = end;
  }
  return areas;
}

}  // namespace

Area Plate::cells(const core::Region& region) const {
  const glm::dvec2 unit = area.size() / glm::dvec2(columns, rows);
  return {area.low + unit * glm::dvec2(region.first_column, region.first_row),
          area.low + unit * glm::dvec2(region.last_column, region.last_row)};
}

GridLayout grid_layout(const core::Result& result) {
  const core::Workload* workload = result.items_work();
  if (result.tiles.group_count() == 0) {
    return {};
  }
  // Workgroups that share tiles are numbered along one dimension.
  if (workload == nullptr || result.buffers.empty() || result.tiles.slices > 1) {
    return folded(result);
  }
  if (result.tiles.extent.y == 1 && workload->extent(result.problem.sizes).y == 1 &&
      workload->size_names().size() == 1) {
    return folded(result);
  }
  GridLayout layout;
  layout.plates = make_plates(result, *workload);
  place(layout, result);
  return layout;
}

std::optional<std::uint64_t> tile_at(const GridLayout& layout, const core::Result& result,
                                     glm::dvec2 point) {
  if (layout.fold > 0) {
    if (point.x < 0.0 || point.y < 0.0 || point.x >= layout.fold) {
      return std::nullopt;
    }
    const auto tile =
        static_cast<std::uint64_t>(point.y) * layout.fold + static_cast<std::uint64_t>(point.x);
    return tile < result.tiles.group_count() ? std::optional(tile) : std::nullopt;
  }
  const auto item = item_at(layout, point);
  if (!item || item->x >= std::max(result.tiles.extent.x, 1U)) {
    return std::nullopt;
  }
  const glm::uvec3 groups = result.tiles.groups();
  const glm::uvec3 group = glm::min(*item / result.tiles.covers, groups - 1U);
  return std::uint64_t{group.y} * groups.x + group.x;
}

std::optional<glm::uvec3> item_at(const GridLayout& layout, glm::dvec2 point) {
  for (const Plate& plate : layout.plates) {
    if (const auto item = item_on(plate, point)) {
      return item;
    }
  }
  return std::nullopt;
}

Area folded_tile(const GridLayout& layout, std::uint64_t tile) {
  const glm::dvec2 at{static_cast<double>(tile % layout.fold),
                      static_cast<double>(tile / layout.fold)};
  return {at, at + 1.0};
}

std::vector<Area> areas_on(const Plate& plate, const core::Result& result, const core::Box& items) {
  if (plate.strip) {
    return strip_areas(plate, items.first.x, items.last.x);
  }
  const core::Workload* workload = result.items_work();
  if (workload == nullptr) {
    return {};
  }
  const core::Region written = workload->writes(result.problem.sizes, items);
  if (plate.output && written.buffer == plate.buffer) {
    return {plate.cells(written)};
  }
  std::vector<Area> areas;
  for (const core::Region& read : workload->reads(result.problem.sizes, items)) {
    if (read.buffer == plate.buffer) {
      areas.push_back(plate.cells(read));
    }
  }
  return areas;
}

std::optional<Area> tiles_on(const Plate& plate, const core::Result& result,
                             const core::Box& items) {
  const auto areas = areas_on(plate, result, items);
  return areas.empty() ? std::nullopt : std::optional(areas.front());
}

core::Box whole_tile(const core::TileMap& tiles, glm::uvec3 group) {
  return {group * tiles.covers, (group + 1U) * tiles.covers};
}

glm::vec2 GridCamera::pixel(glm::dvec2 world) const {
  return middle + (world - centre) * scale;
}

Rect GridCamera::pixels(const Area& area) const {
  return {pixel(area.low), pixel(area.high)};
}

glm::dvec2 GridCamera::world(glm::vec2 pixel) const {
  return centre + (glm::dvec2(pixel) - middle) / scale;
}

GridCamera grid_camera(const GridLayout& layout, const Rect& room, glm::vec2 centre, float zoom) {
  const glm::dvec2 size = glm::max(layout.bounds.size(), glm::dvec2(1e-9));
  const glm::dvec2 fit = glm::dvec2(glm::max(room.size(), 1.0F)) / size;
  return {.centre = layout.bounds.low + size * glm::dvec2(centre),
          .middle = room.centre(),
          .scale = std::min(fit.x, fit.y) * static_cast<double>(zoom)};
}

}  // namespace ui

// Where the matrices of a workload stand beside each other, and which tile is where. Pure geometry
// in the plane of the data ("world": one unit is about one element).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/work/result.h"
#include "ui/canvas/rect.h"

namespace ui {

/// A rectangle of the world.
struct Area {
  glm::dvec2 low{0.0};
  glm::dvec2 high{0.0};
  [[nodiscard]] glm::dvec2 size() const { return high - low; }
};

/// A dimension of the launch that a buffer's rows or columns follow.
enum class Axis { none, x, y };

/// One buffer as it is drawn.
struct Plate {
  std::size_t buffer = 0;
  std::string name;
  bool output = false;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  Axis row_axis = Axis::none;
  Axis column_axis = Axis::none;
  Area area;
  bool caption_below = false;  ///< another plate stands right above
  bool strip = false;          ///< element i is taken to be work item i's, row after row
  bool stretched = false;      ///< a side is drawn longer than it is, so that it can be seen

  /// Cells of the buffer in the world; cells beyond its edge lie beyond its area.
  [[nodiscard]] Area cells(const core::Region& region) const;
  /// Each cell of it belongs to one tile.
  [[nodiscard]] bool tiled() const { return row_axis != Axis::none && column_axis != Axis::none; }
};

struct GridLayout {
  std::vector<Plate> plates;
  Area bounds;             ///< of the plates and of what reaches over their edges
  std::uint32_t fold = 0;  ///< above 0: one-dimensional, so many tiles a row, a unit each
};

/// Matrices stand as in text books: what gives an output its rows to its left, what gives it its
/// columns above it. A one-dimensional launch is folded into rows of tiles.
[[nodiscard]] GridLayout grid_layout(const core::Result& result);

/// The tile at a point of the world, in launch order.
[[nodiscard]] std::optional<std::uint64_t> tile_at(const GridLayout& layout,
                                                   const core::Result& result, glm::dvec2 point);
/// The work item whose cell is at a point of the world, on any plate; not of a folded launch.
[[nodiscard]] std::optional<glm::uvec3> item_at(const GridLayout& layout, glm::dvec2 point);
/// Where a tile of a folded launch is.
[[nodiscard]] Area folded_tile(const GridLayout& layout, std::uint64_t tile);
/// What a box of tiles covers on a plate: the cells that it writes there or reads from there.
[[nodiscard]] std::vector<Area> areas_on(const Plate& plate, const core::Result& result,
                                         const core::Box& items);
/// The first of these areas.
[[nodiscard]] std::optional<Area> tiles_on(const Plate& plate, const core::Result& result,
                                           const core::Box& items);
/// The work items of a tile, as far as its invocations reach: over the edge, too.
[[nodiscard]] core::Box whole_tile(const core::TileMap& tiles, glm::uvec3 group);

/// World to pixels.
struct GridCamera {
  glm::dvec2 centre{0.0};  ///< of the world, in the middle of the pixels
  glm::dvec2 middle{0.0};  ///< that middle, in pixels
  double scale = 1.0;      ///< pixels a unit

  [[nodiscard]] glm::vec2 pixel(glm::dvec2 world) const;
  [[nodiscard]] Rect pixels(const Area& area) const;
  [[nodiscard]] glm::dvec2 world(glm::vec2 pixel) const;
};

/// `centre` is a fraction of the bounds; at zoom 1 they just fit into `room`.
[[nodiscard]] GridCamera grid_camera(const GridLayout& layout, const Rect& room, glm::vec2 centre,
                                     float zoom);

}  // namespace ui

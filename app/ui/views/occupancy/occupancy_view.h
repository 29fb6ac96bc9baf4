// The parts of the occupancy view, which draw_occupancy() in occupancy_view.cpp puts together.
#pragma once

#include <string>
#include <vector>

#include "core/report/occupancy.h"
#include "ui/panels/panels.h"

namespace ui {

/// What the parts of one frame share.
struct OccupancyScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Occupancy& occupancy;
  const core::TileOccupancy& tile;  ///< the one that the controls ask for

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] const core::Result& result() const { return frame.model.result; }
};

/// One resource as a bar: what is there, and a piece for each workgroup that has its part of it.
struct ResourceBar {
  std::string name, words;
  Colour colour = 0;
  std::uint64_t each = 0;
  std::uint64_t has = 0;
  std::uint32_t count = 0;  ///< pieces
  bool limits = false;
};

/// Of a multiprocessor where it is known, else of what a workgroup may take.
[[nodiscard]] std::vector<ResourceBar> resource_bars(const OccupancyScene& scene);
[[nodiscard]] float bars_height(const OccupancyScene& scene, std::size_t bars, float width);
void draw_bars(const OccupancyScene& scene, Rect area, const std::vector<ResourceBar>& bars);

/// One multiprocessor: its warp slots as cells, in them the workgroups that it holds.
[[nodiscard]] float slots_height(const OccupancyScene& scene, float width);
void draw_slots(const OccupancyScene& scene, Rect area);

/// Every tile of the variant's range; a click chooses it.
[[nodiscard]] float table_height(const OccupancyScene& scene);
void draw_tile_table(const OccupancyScene& scene, Rect area);
/// What the driver tells of the compiled kernel.
[[nodiscard]] float statistics_height(const OccupancyScene& scene);
void draw_statistics(const OccupancyScene& scene, Rect area);

}  // namespace ui

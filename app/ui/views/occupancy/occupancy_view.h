// The parts of the occupancy view, which draw_occupancy() in occupancy_view.cpp puts together.
#pragma once

#include <optional>

#include "core/model/occupancy.h"
#include "ui/panels/panels.h"

namespace ui {

/// What the parts of one frame share.
struct OccupancyScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Occupancy& occupancy;
  const core::TileOccupancy& tile;    ///< the one that the controls ask for
  std::uint32_t multiprocessors = 0;  ///< of the GPU that is spoken of; 0: not known

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] const core::Result& result() const { return frame.model.result; }
};

/// A multiprocessor's warp slots, and what a workgroup takes of its resources.
void draw_occupancy_figure(const OccupancyScene& scene, Stack& stack);
/// The launch in waves of all that the GPU holds at once; nothing where that is not known.
/// Of the launch on that device; nothing: it is not known.
[[nodiscard]] std::optional<core::LaunchWaves> waves_in(const OccupancyScene& scene);
void draw_waves(const OccupancyScene& scene, Stack& stack);
/// Every tile of the variant's range; a click chooses it.
void draw_tile_table(const OccupancyScene& scene, Stack& stack);
struct WavesTold;
/// Every way to launch the kernel that its model knows, predicted beside measured: none where it
/// has no model.
void draw_wave_table(const OccupancyScene& scene, Stack& stack, const WavesTold& told);
/// Those ways, kept until something else runs; `elsewhere`: as on an H200, of which nothing is
/// measured.
[[nodiscard]] const WavesTold& told_waves(const OccupancyScene& scene, bool elsewhere);
/// What the driver tells of the compiled kernel.
void draw_statistics(const OccupancyScene& scene, Stack& stack);

}  // namespace ui

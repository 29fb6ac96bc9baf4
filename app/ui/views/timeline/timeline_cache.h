// What the timeline view and the grid keep from frame to frame: the Gantt as a picture, painted
// beside the interface's thread, and the tiles of the grid in the timeline's colours.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/report/timeline.h"
#include "ui/canvas/textures.h"
#include "ui/views/timeline/tile_colours.h"
#include "ui/widgets/background.h"

namespace ui {

/// What part of a timeline is painted, and how large.
struct GanttWindow {
  std::shared_ptr<const core::Timeline> of;
  TileColours by = TileColours::start_order;
  double first = 0.0;  ///< ticks
  double last = 0.0;
  double top = 0.0;  ///< lanes
  double bottom = 0.0;
  std::uint32_t width = 0;  ///< texels
  std::uint32_t height = 0;
  bool operator==(const GanttWindow&) const = default;
};

struct GanttPicture {
  GanttWindow window;
  Image image;
};

/// A texel is the tile that is there in the middle of its time; where it covers several lanes, the
/// mean of their tiles. As opaque as its lanes are busy: where they are idle the ground shows.
[[nodiscard]] GanttPicture paint_gantt(const GanttWindow& window);

/// Tiles of the grid at a moment of the launch, a texel each; of very many, every so manieth.
struct LaunchPicture {
  std::shared_ptr<const core::Timeline> of;
  TileColours by = TileColours::output;
  double at = -1.0;  ///< ticks; below 0: the whole launch is over
  Colour to_come = 0;
  Colour running = 0;
  std::uint32_t across = 1;  ///< tiles a row
  std::uint32_t stride = 1;  ///< of these and of the rows, one in so many has a texel
  bool operator==(const LaunchPicture&) const = default;
};

struct TimelineCache final : ViewState {
  Background<GanttWindow, GanttPicture> gantt;
  [[nodiscard]] bool busy() const override { return gantt.busy(); }

  LaunchPicture launch;  ///< what the grid's texture was last made from
  std::uint64_t launch_version = 0;
  Image launch_image;
  Rows launch_changed;                 ///< of it, since the version before
  std::vector<std::uint32_t> running;  ///< tiles, at `launch.at`
  std::size_t started = 0;             ///< how many had started then

  /// Brings the grid's picture up to date: as a launch plays on, only tiles that have changed since
  /// are painted again.
  void paint_launch(const LaunchPicture& wanted);
};

}  // namespace ui

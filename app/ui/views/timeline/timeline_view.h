// The parts of the timeline view, which draw_timeline() in timeline_view.cpp puts together.
#pragma once

#include <optional>

#include "ui/panels/panels.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/timeline_cache.h"
#include "ui/views/timeline/timeline_layout.h"

namespace ui {

void draw_timeline(const Frame& frame, const Canvas& canvas, const Rect& area);

/// What the parts of one frame share.
struct TimelineScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Timeline& timeline;
  GanttCamera camera;
  std::optional<std::uint32_t> tile;  ///< the one that is pointed at

  [[nodiscard]] const Rect& plot() const { return camera.plot; }
  [[nodiscard]] TileColours colours() const;
};

/// The title, beside the views' names in the corner of `area`, and the figures in words. Takes
/// their height off `rest`.
void draw_timeline_words(const Frame& frame, const Canvas& canvas, const core::Timeline& timeline,
                         const Rect& area, Rect& rest);
/// Width that the names of rows need to the left of the plot, and height of the axis below it.
[[nodiscard]] float row_names_width(const Canvas& canvas, const core::Timeline& timeline);
[[nodiscard]] float time_axis_height(const Canvas& canvas);
/// The tiles, the rows' names, the axis, slices, the moment that is played.
void draw_gantt(const TimelineScene& scene);
/// A tile's numbers, for the cards of the grid and of the Gantt.
[[nodiscard]] std::vector<TileCard::Line> timeline_lines(const core::Timeline& timeline,
                                                         std::uint64_t tile);
/// The pointed-at tile and its numbers.
void draw_pointed_bar(const TimelineScene& scene);
void draw_timeline_legend(const TimelineScene& scene, Rect strip);

}  // namespace ui

// The parts of the timeline view, which draw_timeline() in timeline_view.cpp puts together.
#pragma once

#include <optional>

#include "ui/panels/panels.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/timeline_cache.h"
#include "ui/views/timeline/timeline_layout.h"

namespace ui {

void draw_timeline(const Frame& frame, const Canvas& canvas, const Rect& area);
/// Why there is nothing to draw, in a sentence; empty: there is.
[[nodiscard]] std::string no_timeline(const Frame& frame);

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

/// Title and figures in words; what is left for the rest.
[[nodiscard]] Stack draw_timeline_words(const Frame& frame, const Canvas& canvas,
                                        const core::Timeline& timeline, const Rect& area);
/// What the names of rows and the axis leave for the tiles.
[[nodiscard]] Rect gantt_plot(const Canvas& canvas, Rect room, const core::Timeline& timeline);
/// The tiles, the rows' names, the axis, slices, the moment that is played.
void draw_gantt(const TimelineScene& scene);
/// A tile's numbers, for the cards of the grid and of the Gantt.
[[nodiscard]] std::vector<TileCard::Line> timeline_lines(const core::Timeline& timeline,
                                                         std::uint64_t tile);
/// The pointed-at tile and its numbers.
void draw_pointed_bar(const TimelineScene& scene);
void draw_timeline_legend(const TimelineScene& scene, const Rect& strip);

}  // namespace ui

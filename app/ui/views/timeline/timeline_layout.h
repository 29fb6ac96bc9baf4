// Where a moment and a lane of the timeline are in its Gantt. Pure geometry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/report/timeline.h"
#include "ui/canvas/rect.h"
#include "ui/views/timeline/timeline_state.h"
#include "ui/widgets/axis.h"

namespace ui {

/// What part of a timeline a rectangle of pixels shows.
struct GanttCamera {
  Rect plot;
  ValueAxis time;   ///< ticks, to the right
  ValueAxis lanes;  ///< downwards

  /// Ticks a pixel.
  [[nodiscard]] double step() const {
    return (time.high - time.low) / static_cast<double>(plot.width());
  }
};

/// The view's middle and zoom; never beyond the first tile's start and the last one's end.
[[nodiscard]] GanttCamera gantt_camera(const TimelineState& view, const core::Timeline& timeline,
                                       const Rect& plot);
/// Zooms so that what is under the mouse stays there.
void zoom_gantt(TimelineState& view, const core::Timeline& timeline, const Rect& plot,
                glm::vec2 mouse, float time_factor, float rows_factor);
void pan_gantt(TimelineState& view, const GanttCamera& camera, const core::Timeline& timeline,
               glm::vec2 pixels);

/// The tile at a place of the plot; of tiles narrower than a pixel, the nearest there.
[[nodiscard]] std::optional<std::uint32_t> tile_at(const GanttCamera& camera,
                                                   const core::Timeline& timeline, glm::vec2 at);
[[nodiscard]] Rect rect_of(const GanttCamera& camera, const core::Timeline& timeline,
                           std::uint32_t tile);

}  // namespace ui

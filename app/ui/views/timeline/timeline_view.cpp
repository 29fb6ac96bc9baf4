#include "ui/views/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

std::optional<std::uint32_t> pointed_tile(const Frame& frame, const core::Timeline& timeline) {
  const std::int64_t tile = frame.state.view.tile;
  return tile >= 0 && tile < static_cast<std::int64_t>(timeline.tiles.size())
             ? std::optional(static_cast<std::uint32_t>(tile))
             : std::nullopt;
}

void take_mouse(const TimelineScene& scene, const Hit& mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  core::View& view = scene.frame.state.view;
  const glm::vec2 at = vec(io.MousePos);
  const glm::vec2 moved = vec(io.MouseDelta);
  TimelineState& seen = scene.frame.state.of<TimelineState>();
  if (mouse.held && moved != glm::vec2(0.0F)) {
    pan_gantt(seen, scene.camera, scene.timeline, moved);
  }
  if (mouse.hovered && io.MouseWheel != 0.0F) {
    const float factor = std::pow(wheel_zoom, io.MouseWheel);
    zoom_gantt(seen, scene.timeline, scene.plot(), at, io.KeyShift ? 1.0F : factor,
               io.KeyShift ? factor : 1.0F);
  }
  // Only a mouse that moves takes the pointer away from the keyboard, or from a scene.
  if (moved != glm::vec2(0.0F) && !mouse.held) {
    const auto tile = mouse.hovered ? tile_at(scene.camera, scene.timeline, at) : std::nullopt;
    view.tile = tile ? static_cast<std::int64_t>(*tile) : -1;
  }
  if (mouse.hovered && view.tile >= 0 && ImGui::IsMouseDoubleClicked(0)) {
    view.name = "tile";
  }
}

}  // namespace

std::string no_timeline(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (result.timeline && !result.timeline->tiles.empty()) {
    return {};
  }
  if (result.refused()) {
    return "The kernel is refused and does not run, so it has no timeline.";
  }
  if (!result.timeline) {
    return "The start, end and multiprocessor of each tile appear here after the race check. The "
           "kernel then runs with added code that records them.";
  }
  return result.timeline->incomplete.empty() ? "Nothing was recorded."
                                             : result.timeline->incomplete.front();
}

TileColours TimelineScene::colours() const {
  const TileColours by = tile_colours(frame.state.of<LaunchState>(), frame.model.result);
  return by == TileColours::output ? TileColours::start_order : by;
}

void draw_timeline(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Timeline& timeline = *frame.model.result.timeline;
  Stack stack = draw_timeline_words(frame, canvas, timeline, area);
  const float line = canvas.line_height();
  const Rect legend = stack.rest.cut_bottom(line);
  stack.rest.cut_bottom(frame.theme.gap.small);
  const Rect plot = gantt_plot(canvas, stack.rest, timeline);
  if (plot.width() < 2.0F * line || plot.height() < line) {
    return;
  }
  const Hit mouse = hit("gantt", plot);
  const auto camera = [&] { return gantt_camera(frame.state.of<TimelineState>(), timeline, plot); };
  take_mouse({frame, canvas, timeline, camera(), std::nullopt}, mouse);
  const TimelineScene scene{frame, canvas, timeline, camera(), pointed_tile(frame, timeline)};
  draw_gantt(scene);
  draw_pointed_bar(scene);
  draw_timeline_legend(scene, legend);
}

}  // namespace ui

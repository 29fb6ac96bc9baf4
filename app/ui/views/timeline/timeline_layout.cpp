#include "ui/views/timeline/timeline_layout.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ui {
namespace {

constexpr float kMostRows = 1e4F;
constexpr double kLeastTicks = 16.0;  // across the plot
constexpr double kMostTime = 1e5;     // what the centre is precise enough for

// Values from the first to the last that there is.
struct Whole {
  double first = 0.0;
  double length = 1.0;

  [[nodiscard]] double fraction(double value) const { return (value - first) / length; }
};

// The part of the whole that is seen between two pixels.
ValueAxis axis_of(float centre, float zoom, const Whole& whole, float from, float to) {
  const double half = 0.5 / static_cast<double>(std::max(zoom, 1.0F));
  const double middle = std::clamp(static_cast<double>(centre), half, 1.0 - half);
  return {whole.first + (middle - half) * whole.length,
          whole.first + (middle + half) * whole.length, from, to};
}

// The centre at which a fraction of the whole stays at the same fraction of the plot.
float centre_about(double whole_fraction, float plot_fraction, float zoom) {
  const double half = 0.5 / static_cast<double>(std::max(zoom, 1.0F));
  const double centre = whole_fraction + (1.0 - 2.0 * static_cast<double>(plot_fraction)) * half;
  return static_cast<float>(std::clamp(centre, half, 1.0 - half));
}

// While tiles ran: a launch may begin long before, or end long after.
Whole ticks(const core::Timeline& t) {
  return {static_cast<double>(t.figures.first),
          std::max(static_cast<double>(t.figures.last - t.figures.first), 1.0)};
}

Whole lanes(const core::Timeline& t) {
  return {0.0, std::max(static_cast<double>(t.lanes.lanes()), 1.0)};
}

}  // namespace

GanttCamera gantt_camera(const TimelineState& view, const core::Timeline& timeline,
                         const Rect& plot) {
  return {plot, axis_of(view.centre.x, view.zoom, ticks(timeline), plot.low.x, plot.high.x),
          axis_of(view.centre.y, view.rows_zoom, lanes(timeline), plot.low.y, plot.high.y)};
}

void zoom_gantt(TimelineState& view, const core::Timeline& timeline, const Rect& plot,
                glm::vec2 mouse, float time_factor, float rows_factor) {
  const GanttCamera now = gantt_camera(view, timeline, plot);
  const auto most =
      static_cast<float>(std::clamp(ticks(timeline).length / kLeastTicks, 1.0, kMostTime));
  view.zoom = std::clamp(view.zoom * time_factor, 1.0F, most);
  view.rows_zoom = std::clamp(view.rows_zoom * rows_factor, 1.0F, kMostRows);
  const glm::vec2 in = (mouse - plot.low) / plot.size();
  view.centre = {
      centre_about(ticks(timeline).fraction(now.time.value(mouse.x)), in.x, view.zoom),
      centre_about(lanes(timeline).fraction(now.lanes.value(mouse.y)), in.y, view.rows_zoom)};
}

void pan_gantt(TimelineState& view, const GanttCamera& camera, const core::Timeline& timeline,
               glm::vec2 pixels) {
  const glm::vec2 in = pixels / camera.plot.size();  // where the corner goes
  view.centre = {centre_about(ticks(timeline).fraction(camera.time.low), in.x, view.zoom),
                 centre_about(lanes(timeline).fraction(camera.lanes.low), in.y, view.rows_zoom)};
}

std::optional<std::uint32_t> tile_at(const GanttCamera& camera, const core::Timeline& timeline,
                                     glm::vec2 at) {
  const double lane = std::floor(camera.lanes.value(at.y));
  if (!camera.plot.contains(at) || lane < 0.0 ||
      lane >= static_cast<double>(timeline.lanes.lanes())) {
    return std::nullopt;
  }
  const auto l = static_cast<std::size_t>(lane);
  const std::uint32_t begin = timeline.lanes.lane_first[l];
  const auto tiles =
      std::span(timeline.lanes.tiles).subspan(begin, timeline.lanes.lane_first[l + 1] - begin);
  const double moment = camera.time.value(at.x);
  const auto found = std::ranges::partition_point(tiles, [&](std::uint32_t tile) {
    return static_cast<double>(timeline.tiles[tile].end) <= moment - camera.step();
  });
  const bool there = found != tiles.end() &&
                     static_cast<double>(timeline.tiles[*found].start) <= moment + camera.step();
  return there ? std::optional(*found) : std::nullopt;
}

Rect rect_of(const GanttCamera& camera, const core::Timeline& timeline, std::uint32_t tile) {
  const core::TimelineTile& t = timeline.tiles[tile];
  const std::uint32_t lane = timeline.lanes.lane_of[tile];
  return {{camera.time.pixel(static_cast<double>(t.start)), camera.lanes.pixel(lane)},
          {camera.time.pixel(static_cast<double>(t.end)), camera.lanes.pixel(lane + 1.0)}};
}

}  // namespace ui

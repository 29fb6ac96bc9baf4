#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/widgets/axis.h"

namespace ui {
namespace {

constexpr double kLeastRow = 0.3;  // lines of text: thinner rows get no lines between them

std::size_t row_count(const core::Timeline& t) {
  return t.tells_multiprocessor ? t.lanes.rows() : t.lanes.lanes();
}

// Where the picture that there is lies now: until the next one is painted it moves along.
void draw_picture(const TimelineScene& scene) {
  const GanttCamera& c = scene.camera;
  auto& painter = scene.frame.state.of<TimelineCache>().gantt;
  const GanttWindow wanted{.of = scene.frame.model.result.timeline,
                           .by = scene.colours(),
                           .first = c.time.low,
                           .last = c.time.high,
                           .top = c.lanes.low,
                           .bottom = c.lanes.high,
                           .width = static_cast<std::uint32_t>(c.plot.width()),
                           .height = static_cast<std::uint32_t>(c.plot.height())};
  const auto picture = painter.newest(wanted, scene.frame.settle, paint_gantt);
  if (picture == nullptr || picture->window.of != wanted.of) {
    return;
  }
  const GanttWindow& w = picture->window;
  const Rect rect{{c.time.pixel(w.first), c.lanes.pixel(w.top)},
                  {c.time.pixel(w.last), c.lanes.pixel(w.bottom)}};
  const auto texture =
      scene.frame.textures.image("gantt", painter.version(), [picture] { return picture->image; });
  scene.canvas.image(texture, rect);
}

// Each multiprocessor is a row; where it is not told, each lane. Names as many as have room.
void draw_rows(const TimelineScene& scene) {
  const Canvas& canvas = scene.canvas;
  const core::TimelineLanes& lanes = scene.timeline.lanes;
  const bool told = scene.timeline.tells_multiprocessor;
  const std::size_t rows = row_count(scene.timeline);
  const GanttCamera& c = scene.camera;
  const auto top_of = [&](std::size_t row) {
    return c.lanes.pixel(static_cast<double>(told ? lanes.row_first[row] : row));
  };
  const double mean =
      static_cast<double>(lanes.lanes()) / static_cast<double>(std::max<std::size_t>(rows, 1));
  const double height = mean * static_cast<double>(c.plot.height()) / (c.lanes.high - c.lanes.low);
  const float line = canvas.line_height(pen::mono);
  std::size_t step = 1;
  while (step < 128 && static_cast<double>(step) * height < 1.25 * static_cast<double>(line)) {
    step *= 2;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const float low = top_of(row);
    const float high = top_of(row + 1);
    if (high <= c.plot.low.y || low >= c.plot.high.y) {
      continue;
    }
    if (height >= kLeastRow * static_cast<double>(line) && row > 0 && low > c.plot.low.y) {
      canvas.line({c.plot.low.x, low}, {c.plot.high.x, low}, canvas.theme().colours.background);
    }
    const float middle = 0.5F * (low + high);
    if (row % step == 0 && middle >= c.plot.low.y && middle <= c.plot.high.y) {
      canvas.write({{c.plot.low.x - 3.0F * line, middle - 0.5F * line},
                    {c.plot.low.x - canvas.theme().gap.small, middle + 0.5F * line}},
                   std::to_string(row), pen::mono_dim, Align::right);
    }
  }
}

void draw_axis(const TimelineScene& scene) {
  const Rect& plot = scene.plot();
  const core::Timeline& t = scene.timeline;
  ValueAxis ms = scene.camera.time;
  ms.low *= t.tick_ms;
  ms.high *= t.tick_ms;
  draw_axis_below(scene.canvas, plot, ms);
  const float y = plot.high.y + axis_height(scene.canvas);
  Strip below{scene.canvas, {{plot.low.x, y}, {plot.high.x, y + scene.canvas.line_height()}}};
  below.right(
      t.zero_is_launch ? "ms from the start of the launch" : "ms from the start of the first tile",
      pen::dim);
  below.fitting(
      t.tells_multiprocessor
          ? Wordings{"one row per multiprocessor, with its tiles", "one row per multiprocessor", ""}
          : Wordings{"rows: tiles that do not overlap", "packed rows", ""},
      pen::dim);
}

void draw_slices(const TimelineScene& scene) {
  const GanttCamera& c = scene.camera;
  for (std::size_t n = 1; n < scene.timeline.slices.size(); ++n) {
    const float x = c.time.pixel(static_cast<double>(scene.timeline.slices[n]));
    if (x > c.plot.low.x && x < c.plot.high.x) {
      scene.canvas.line({x, c.plot.low.y}, {x, c.plot.high.y},
                        fade(scene.frame.theme.colours.text, 0.35F));
    }
  }
}

// What is still to come steps back.
void draw_moment(const TimelineScene& scene) {
  const auto at = played_ticks(scene.frame.state.of<LaunchState>(), scene.timeline);
  if (!at) {
    return;
  }
  const Palette& colours = scene.frame.theme.colours;
  const Rect& plot = scene.plot();
  const float x = scene.camera.time.inside(*at);
  scene.canvas.fill({{x, plot.low.y}, plot.high}, fade(colours.background, 0.88F));
  scene.canvas.line({x, plot.low.y}, {x, plot.high.y}, colours.accent, scene.frame.theme.gap.thin);
}

}  // namespace

Rect gantt_plot(const Canvas& canvas, Rect room, const core::Timeline& timeline) {
  const float names = canvas.width(std::to_string(row_count(timeline)), pen::mono);
  room.cut_left(names + canvas.theme().gap.medium);
  room.cut_bottom(axis_height(canvas) + canvas.line_height());
  return {glm::floor(room.low), glm::floor(room.high)};
}

void draw_gantt(const TimelineScene& scene) {
  scene.canvas.fill(scene.plot(), scene.frame.theme.colours.surface);
  {
    const Clip clip(scene.canvas, scene.plot());
    draw_picture(scene);
    draw_slices(scene);
    draw_moment(scene);
  }
  draw_rows(scene);
  draw_axis(scene);
}

}  // namespace ui

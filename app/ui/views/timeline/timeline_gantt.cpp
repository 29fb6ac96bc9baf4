#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/widgets/axis.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kLeastRow = 5.0F;  // pixels: thinner rows get no lines between them

// Where the picture that there is lies now: until the next one is painted it moves along.
void draw_picture(const TimelineScene& scene) {
  const GanttCamera& c = scene.camera;
  TimelineCache& cache = scene.frame.state.of<TimelineCache>();
  const GanttPicture* picture = cache.gantt({.of = scene.frame.model.result.timeline,
                                             .by = scene.colours(),
                                             .first = c.first,
                                             .last = c.last,
                                             .top = c.top,
                                             .bottom = c.bottom,
                                             .width = static_cast<std::uint32_t>(c.plot.width()),
                                             .height = static_cast<std::uint32_t>(c.plot.height())},
                                            scene.frame.settle);
  if (picture == nullptr) {
    return;
  }
  const GanttWindow& w = picture->window;
  const Rect rect{{c.x_of(w.first), c.y_of(w.top)}, {c.x_of(w.last), c.y_of(w.bottom)}};
  const auto texture = scene.frame.textures.image("gantt", cache.shown_version,
                                                  [picture] { return picture->image; });
  scene.canvas.image(texture, rect);
}

std::size_t row_step(const TimelineScene& scene, double row_height) {
  const double line =
      static_cast<double>(scene.canvas.line_height(scene.frame.theme.fonts.mono)) * 1.25;
  for (const std::size_t step : {1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
    if (static_cast<double>(step) * row_height >= line) {
      return step;
    }
  }
  return 128;
}

// Each multiprocessor is a row; where it is not told, each lane.
void draw_rows(const TimelineScene& scene) {
  const Theme& theme = scene.frame.theme;
  const core::TimelineLanes& lanes = scene.timeline.lanes;
  const bool told = scene.timeline.tells_multiprocessor;
  const std::size_t rows = told ? lanes.rows() : lanes.lanes();
  const auto first_lane = [&](std::size_t row) {
    return static_cast<double>(told ? lanes.row_first[row] : row);
  };
  const double mean =
      static_cast<double>(lanes.lanes()) / static_cast<double>(std::max<std::size_t>(rows, 1));
  const GanttCamera& c = scene.camera;
  const double height = mean * static_cast<double>(c.plot.height()) / (c.bottom - c.top);
  const std::size_t step = row_step(scene, height);
  const float half = 0.5F * scene.canvas.line_height(theme.fonts.mono);
  for (std::size_t row = 0; row < rows; ++row) {
    const float low = c.y_of(first_lane(row));
    const float high = c.y_of(first_lane(row + 1));
    if (high <= c.plot.low.y || low >= c.plot.high.y) {
      continue;
    }
    if (height >= static_cast<double>(theme.px(kLeastRow)) && row > 0 && low > c.plot.low.y) {
      scene.canvas.line({c.plot.low.x, low}, {c.plot.high.x, low}, theme.colours.background);
    }
    const float middle = 0.5F * (low + high);
    if (row % step == 0 && middle - half >= c.plot.low.y - half &&
        middle + half <= c.plot.high.y + half) {
      scene.canvas.text_in({{c.plot.low.x - theme.px(60), middle - half},
                            {c.plot.low.x - theme.px(6), middle + half}},
                           std::to_string(row), theme.fonts.mono, theme.colours.dim, Align::right);
    }
  }
}

void draw_axis(const TimelineScene& scene) {
  const Theme& theme = scene.frame.theme;
  const GanttCamera& c = scene.camera;
  const core::Timeline& t = scene.timeline;
  const float y = c.plot.high.y;
  const float line = scene.canvas.line_height(theme.fonts.mono);
  const auto most = static_cast<std::size_t>(c.plot.width() / theme.px(90));
  const auto values =
      round_values(c.first * t.tick_ms, c.last * t.tick_ms, std::max<std::size_t>(most, 2));
  scene.canvas.line({c.plot.low.x, y}, {c.plot.high.x, y}, theme.colours.line);
  const std::string unit =
      t.zero_is_launch ? "ms from the launch's start" : "ms from the first tile's start";
  const float named = scene.canvas.measure(unit, theme.fonts.text).x + theme.px(12);
  for (const double value : values) {
    const float x = c.x_of(value / t.tick_ms);
    scene.canvas.line({x, y}, {x, y + theme.px(4)}, theme.colours.dim);
    const std::string text = fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value);
    const float width = scene.canvas.measure(text, theme.fonts.mono).x;
    const float left = std::clamp(x - 0.5F * width, c.plot.low.x, c.plot.high.x - width);
    scene.canvas.text({left, y + theme.px(5)}, text, theme.fonts.mono, theme.colours.dim);
  }
  scene.canvas.text_in({{c.plot.high.x - named, y + theme.px(6) + line},
                        {c.plot.high.x, y + theme.px(6) + 2.0F * line}},
                       unit, theme.fonts.text, theme.colours.dim, Align::right);
  scene.canvas.text_in({{c.plot.low.x, y + theme.px(6) + line},
                        {c.plot.high.x - named, y + theme.px(6) + 2.0F * line}},
                       t.tells_multiprocessor ? "a row: a multiprocessor, its tiles packed into it"
                                              : "a row: a lane of packed tiles",
                       theme.fonts.text, theme.colours.dim);
}

void draw_slices(const TimelineScene& scene) {
  const GanttCamera& c = scene.camera;
  for (std::size_t n = 1; n < scene.timeline.slices.size(); ++n) {
    const float x = c.x_of(static_cast<double>(scene.timeline.slices[n]));
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
  const float x = std::clamp(scene.camera.x_of(*at), plot.low.x, plot.high.x);
  scene.canvas.fill({{x, plot.low.y}, plot.high}, fade(colours.background, 0.88F));
  scene.canvas.line({x, plot.low.y}, {x, plot.high.y}, colours.accent, scene.frame.theme.px(2));
}

}  // namespace

float row_names_width(const Canvas& canvas, const core::Timeline& timeline) {
  const Theme& theme = canvas.theme();
  const std::size_t rows =
      timeline.tells_multiprocessor ? timeline.lanes.rows() : timeline.lanes.lanes();
  return canvas.measure(std::to_string(rows), theme.fonts.mono).x + theme.px(8);
}

float time_axis_height(const Canvas& canvas) {
  const Theme& theme = canvas.theme();
  return canvas.line_height(theme.fonts.mono) * 2.0F + theme.px(8);
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

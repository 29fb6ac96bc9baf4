// All variants of the workload side by side: medians as bars, their spread as whiskers, speed-ups.
#include <algorithm>

#include <fmt/format.h>

#include "ui/panels/rungs.h"
#include "ui/views.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

void fill_row(const core::Rung& rung, BarRow& row) {
  row.value = rung.spread.median;
  row.low = rung.spread.p5;
  row.high = rung.spread.p95;
  row.second = time_text(rung.spread.median);
  row.number = rung.speedup > 0.0 ? fmt::format("{:.2f}×", rung.speedup) : "…";
}

// How the figures came about, and what can be done about it.
void draw_state(const Frame& frame, const Canvas& canvas, Rect line) {
  const core::Result& result = frame.model.result;
  if (result.comparing) {
    frame.requests.cancel |= pressed_word(canvas, line, "Cancel (Esc)");
  } else {
    frame.requests.compare |= pressed_word(canvas, line, "Measure anew (a)");
  }
  const std::string state = ladder_state(result);
  std::string text = result.device.emulated() ? state + "; emulated: not a GPU's times" : state;
  if (canvas.measure(text, frame.theme.fonts.text).x > line.width()) {
    text = result.device.emulated() ? state + "; emulated" : state;
  }
  const Palette& c = frame.theme.colours;
  canvas.text_in(line, text, frame.theme.fonts.text,
                 result.comparing || result.device.emulated() ? c.accent : c.dim);
}

void draw_progress(const Frame& frame, const Canvas& canvas, const Rect& line) {
  const auto& ladder = frame.model.result.ladder;
  const auto due = static_cast<std::size_t>(std::ranges::count_if(
      ladder, [](const core::Rung& r) { return r.due || (!r.measured && !r.error); }));
  if (due == 0) {
    return;
  }
  draw_progress_line(canvas, line,
                     1.0 - static_cast<double>(due) / static_cast<double>(ladder.size()));
}

void draw_title(const Frame& frame, const Canvas& canvas, const Rect& line) {
  const core::Result& result = frame.model.result;
  const Theme& theme = frame.theme;
  const std::string what = result.bodies ? "Time of a step" : "Time of a launch";
  const std::string at =
      fmt::format("{}, all variants at {}", what, core::to_string(result.problem.sizes));
  const bool fits = canvas.measure(at, theme.fonts.text).x <= line.width();
  canvas.text_in(line, fits ? at : what, theme.fonts.text, theme.colours.text);
}

void draw_compare(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  const core::Result& result = frame.model.result;
  const Rect title = title_line(frame, canvas, area);
  if (result.ladder.empty()) {
    return nothing_yet(canvas, {{title.low.x, title.high.y + theme.px(8)}, area.high},
                       "All variants of the workload appear here as they are measured.");
  }
  draw_title(frame, canvas, title);
  Rect rest{{title.low.x, title.high.y + theme.px(4)},
            {area.high.x - theme.px(16), area.high.y - theme.px(10)}};
  const float line = canvas.line_height(theme.fonts.text);
  draw_state(frame, canvas, rest.cut_top(line));
  rest.cut_top(theme.px(4));
  draw_progress(frame, canvas, rest.cut_top(theme.px(2)));
  rest.cut_top(theme.px(6));
  draw_rung_bars(frame, canvas, rest, {.unit = "ms; bar: median, whiskers: p5 – p95"}, fill_row);
}

// Measures them anew and shows it.
void keys(ActionTable& table) {
  table.group("Run");
  table.key(letter('a'), "compare all variants: measure them anew, warmed up",
            [](ActionContext& c, int) {
              c.state.view.name = "compare";
              c.requests.compare = true;
            });
}

}  // namespace

CentreView compare_row() {
  return {.name = "compare",
          .there = always,
          .draw = draw_compare,
          .needs = [](ViewStates&) { return core::Steps{core::Step::ladder}; },
          .moves = {.pan =
                        [](ActionContext& c, glm::vec2 by) {
                          c.state.of<RungRows>().first += static_cast<int>(by.y);
                        }},
          .keys = keys};
}

}  // namespace ui

#include "ui/views/stream/stream_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/edits.h"
#include "ui/views.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/colour_scale.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kTwoColumns = 520.0F;  // at scale 1; C stands beside the lanes
constexpr float kTiles = 0.32F;        // of the width, for C

std::string percent(double share) {
  return fmt::format("{:.1f}%", 100.0 * share);
}

std::string hidden_words(const core::StreamReport& r) {
  const auto hidden = r.figures.hidden();
  return hidden ? fmt::format("{} of the copies' time hidden behind computation", percent(*hidden))
                : "how much of the copies is hidden: not reported by this device";
}

std::string state_words(const core::StreamReport& r) {
  switch (r.phase) {
    case core::StreamPhase::preparing:
      return "making the inputs";
    case core::StreamPhase::streaming:
      return fmt::format("{:.0f}%, {}", 100.0 * r.progress,
                         r.left_ms ? "about " + time_text(*r.left_ms) + " left"
                                   : std::string("time left not known yet"));
    case core::StreamPhase::verifying:
      return "verifying C";
    case core::StreamPhase::writing:
      return "writing C";
    case core::StreamPhase::failed:
      return r.error ? "ended: " + r.error->message : std::string("ended");
    case core::StreamPhase::done:
      break;
  }
  return fmt::format("measured: {} from host memory to host memory", time_text(r.figures.ms));
}

std::string check_words(const core::Check& check) {
  return fmt::format("C is {}: max error {} of {}, tolerance {}; {}",
                     check.correct ? "right" : "WRONG", short_scientific(check.max_error),
                     check.scale, short_scientific(check.tolerance), check.method);
}

std::vector<std::string> words_of(const core::StreamReport& r) {
  std::vector<std::string> lines{state_words(r)};
  if (r.progress > 0.0) {
    lines.front() += fmt::format("; {}", rate_text(r.figures.gflops, "FLOP/s"));
    lines.push_back(hidden_words(r));
    if (!r.lanes.empty() && !r.lanes.back().queues.empty()) {
      lines.back() += "; " + r.lanes.back().queues;
    }
    if (std::ranges::any_of(r.lanes, &core::StreamLane::emulated)) {
      lines.back() += "; emulated: not a GPU's times";
    }
  }
  if (r.check.done) {
    lines.push_back(check_words(r.check));
  }
  return lines;
}

void draw_switch(const Frame& frame, const Canvas& canvas, Rect& line, bool running) {
  if (pressed_word(canvas, line, running ? "Cancel (S)" : "Start (S)")) {
    frame.requests.stream = !running;
  }
}

// Takes the height of the words off `rest`.
void draw_words(const StreamScene& scene, Rect& rest) {
  const Theme& theme = scene.theme();
  const Canvas& canvas = scene.canvas;
  const bool running = !scene.report.over();
  const float height = canvas.line_height(theme.fonts.text);
  const auto lines = words_of(scene.report);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 0) {
      Rect line = rest.cut_top(height);
      draw_switch(scene.frame, canvas, line, running);
      canvas.text_in(line, lines[i], theme.fonts.text, theme.colours.text);
      continue;
    }
    const bool wrong = i == 2 && !scene.report.check.correct;
    const std::size_t broken = canvas.wrap(lines[i], theme.fonts.text, rest.width()).size();
    canvas.wrapped(rest.cut_top(height * static_cast<float>(broken)), lines[i], theme.fonts.text,
                   wrong ? theme.colours.race : theme.colours.dim);
  }
  rest.cut_top(theme.px(4));
  if (running) {
    draw_progress_line(canvas, rest.cut_top(theme.px(2)), scene.report.progress);
    rest.cut_top(theme.px(4));
  }
}

std::string title_of(const core::StreamReport& r) {
  return fmt::format("C = A·B streamed over {} accelerator{}", r.lanes.size(),
                     r.lanes.size() == 1 ? "" : "s");
}

void draw_nothing(const Frame& frame, const Canvas& canvas, Rect rest) {
  Rect line = rest.cut_top(canvas.line_height(frame.theme.fonts.text));
  draw_switch(frame, canvas, line, false);
  rest.cut_top(frame.theme.px(8));
  nothing_yet(
      canvas, rest,
      "The multiplication in pieces appears here once it is started: the rows of A and C "
      "are dealt out to the devices, B goes by in panels of columns, and copies go on "
      "while tiles of C are computed. Nothing larger than a few tiles has to fit a device.");
}

void draw_legend(const StreamScene& scene, Rect strip) {
  const Theme& theme = scene.theme();
  strip.cut_top(theme.px(4));
  const ColourScale scale{"tile computed at", "0", time_text(scene.duration()), ""};
  draw_scale(scene.canvas, scene.frame.textures,
             strip.cut_left(scale_width(scene.canvas, scale, false)), scale, false);
  strip.cut_left(theme.px(20));
  const Rect box = strip.cut_left(theme.px(10));
  const float inset = 0.5F * (box.height() - theme.px(10));
  scene.canvas.fill(box.inset(0.0F, inset), theme.colours.global);
  strip.cut_left(theme.px(6));
  scene.canvas.text_in(strip, "copy", theme.fonts.text, theme.colours.text);
}

}  // namespace

double StreamScene::duration() const {
  return std::max(report.elapsed_ms, 1e-3);
}

namespace {

void draw_stream(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  const auto& report = frame.model.result.stream;
  const Rect title = title_line(frame, canvas, area);
  Rect rest{{title.low.x, title.high.y + theme.px(4)},
            {area.high.x - theme.px(16), area.high.y - theme.px(10)}};
  canvas.text_in(title, report && !report->lanes.empty() ? title_of(*report) : "Stream",
                 theme.fonts.title, theme.colours.text);
  if (!report) {
    return draw_nothing(frame, canvas, rest);
  }
  const StreamScene scene{frame, canvas, *report, frame.cache.version("stream", report)};
  draw_words(scene, rest);
  if (!report->plan || report->lanes.size() != report->plan->shares.size()) {
    return;
  }
  draw_legend(scene, rest.cut_bottom(canvas.line_height(theme.fonts.text) + theme.px(8)));
  if (rest.width() >= kTwoColumns * theme.scale) {
    const Rect right = rest.cut_right(std::min(kTiles * rest.width(), rest.height()));
    rest.cut_right(theme.px(20));
    draw_stream_tiles(scene, right);
  } else {
    draw_stream_tiles(scene, rest.cut_bottom(0.4F * rest.height()));
    rest.cut_bottom(theme.px(10));
  }
  draw_stream_lanes(scene, rest);
}

bool can_stream(const core::Result& result) {
  return result.work && result.work->streams();
}

// Starts it and shows it, or stops it.
void start_or_stop(ActionContext& c, int) {
  const core::Result& result = c.model.result;
  const bool running = result.stream && !result.stream->over();
  if (!running && !can_stream(result)) {
    const auto& workloads = c.model.catalogue.workloads();
    const auto other = std::ranges::find_if(workloads, [](const auto& w) { return w->streams(); });
    if (other == workloads.end()) {
      return;
    }
    c.want(with_workload(c.state.wanted, c.model.catalogue, (*other)->name()));
  }
  c.state.view.name = "stream";
  c.requests.stream = !running;
}

void keys(ActionTable& table) {
  table.group("Run");
  table.key(letter('S'), "stream the work over devices; stop that", start_or_stop);
}

}  // namespace

CentreView stream_row() {
  return {.name = "stream",
          .there = can_stream,
          .draw = draw_stream,
          .needs = [](ViewStates&) { return core::Steps{core::Step::stream}; },
          .keys = keys};
}

}  // namespace ui

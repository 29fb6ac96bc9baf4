#include "ui/views/stream/stream_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/edits.h"
#include "ui/views.h"
#include "ui/widgets/legend.h"
#include "ui/widgets/view_head.h"

namespace ui {

double StreamScene::duration() const {
  return std::max(report.elapsed_ms, 1e-3);
}

namespace {

constexpr float kTwoColumns = 26.0F;     // in lines of text; C stands beside the lanes
constexpr float kNarrowColumns = 18.0F;  // where it is the larger for it
constexpr float kTiles = 0.32F;          // of the width, for C
constexpr float kPicture = 4.0F;         // lines of text that the axis and the legend need
constexpr float kLane = 4.0F;            // that a device's lane needs, with its names
constexpr std::size_t kNamed = 2;        // lanes that words make room for
constexpr float kBelow = 0.3F;           // of the height, for C where it stands below the lanes
constexpr float kLeastTiles = 3.0F;      // lines of text for C where lanes need the rest for names

std::string percent(double share) {
  return fmt::format("{:.1f}%", 100.0 * share);
}

std::string hidden_words(const core::StreamReport& r) {
  const auto hidden = r.figures.hidden();
  return hidden ? fmt::format("{} of the copy time overlaps with computation", percent(*hidden))
                : "overlap of copies with computation: not reported by this device";
}

std::string brief_hidden_words(const core::StreamReport& r) {
  const auto hidden = r.figures.hidden();
  return hidden ? fmt::format("{} of the copies overlap", percent(*hidden))
                : "overlap: not reported";
}

std::string state_words(const core::StreamReport& r) {
  switch (r.phase) {
    case core::StreamPhase::preparing:
      return "generating the inputs";
    case core::StreamPhase::streaming:
      return fmt::format("{:.0f}%, {}", 100.0 * r.progress,
                         r.left_ms ? "about " + time_text(*r.left_ms) + " left"
                                   : std::string("remaining time not known yet"));
    case core::StreamPhase::verifying:
      return "verifying C";
    case core::StreamPhase::writing:
      return "writing C";
    case core::StreamPhase::failed:
      return r.error ? "ended: " + r.error->message : std::string("ended");
    case core::StreamPhase::done:
      break;
  }
  return fmt::format("measured: {}, including all copies from and to host memory",
                     time_text(r.figures.ms));
}

std::string check_words(const core::Check& check) {
  return fmt::format("C is {}: max error {}, relative to {}, tolerance {}; {}",
                     check.correct ? "correct" : "WRONG", short_scientific(check.max_error),
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
      lines.back() += "; emulated: not GPU times";
    }
  }
  if (r.check.done) {
    lines.push_back(check_words(r.check));
  }
  return lines;
}

float words_height(const Canvas& canvas, const std::vector<std::string>& lines, float width) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    count += canvas.wrap(lines[i], canvas.font(pen::dim), width).size();
  }
  return static_cast<float>(count) * canvas.line_height();
}

bool has_two_columns(const Canvas& canvas, const Rect& area) {
  return area.width() >= kTwoColumns * canvas.line_height();
}

// What lanes and C need at least, so that one can tell what is what.
float picture_height(const core::StreamReport& report, const Canvas& canvas, const Rect& area) {
  const auto lanes = static_cast<float>(std::min(report.lanes.size(), kNamed));
  const float lines = kPicture + kLane * lanes;
  return lines * canvas.line_height() / (has_two_columns(canvas, area) ? 1.0F : 1.0F - kBelow);
}

// In a line: the answer, how much was hidden, and whose times these are.
Wordings brief_words(const core::StreamReport& r) {
  const bool emulated = std::ranges::any_of(r.lanes, &core::StreamLane::emulated);
  const std::string answer = !r.check.done ? "" : r.check.correct ? "C is right; " : "C is WRONG; ";
  const std::string brief = answer + brief_hidden_words(r);
  return {answer + hidden_words(r) + (emulated ? "; emulated: not GPU times" : ""),
          brief + (emulated ? "; emulated: not GPU times" : ""),
          brief + (emulated ? "; emulated" : "")};
}

// What is known so far below the line that says how it stands; in a line, and the rest under the
// mouse, where the picture would have no room.
void draw_words(const core::StreamReport& report, Stack& stack) {
  const auto lines = words_of(report);
  const float left = stack.rest.height() - words_height(stack.canvas, lines, stack.rest.width());
  if (lines.size() > 1 && left < picture_height(report, stack.canvas, stack.rest)) {
    std::string all = lines[1];
    for (std::size_t i = 2; i < lines.size(); ++i) {
      all += "\n" + lines[i];
    }
    const bool wrong = report.check.done && !report.check.correct;
    const Rect line = stack.lines();
    stack.canvas.write(line, stack.canvas.fitting(brief_words(report), line.width()),
                       wrong ? pen::text.in(&Palette::race) : pen::dim);
    if (hit("stream words", line).hovered) {
      tell(all);
    }
    return;
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const bool wrong = i == 2 && !report.check.correct;
    stack.wrap(lines[i], wrong ? pen::text.in(&Palette::race) : pen::dim);
  }
}

Stack draw_head(const Frame& frame, const Canvas& canvas, const Rect& area,
                const core::StreamReport* report) {
  const bool running = report != nullptr && !report->over();
  bool pressed = false;
  ViewHead head{.title = {"Stream"},
                .pen = pen::title,
                .word = running ? "Cancel (Shift+S)" : "Start (Shift+S)",
                .pressed = &pressed,
                .state_pen = pen::text,
                .progress = running ? std::optional(report->progress) : std::nullopt};
  if (report != nullptr) {
    const std::size_t lanes = report->lanes.size();
    head.state = {words_of(*report).front()};
    if (report->phase == core::StreamPhase::done) {
      head.state.push_back(
          fmt::format("measured: {}, from host to host", time_text(report->figures.ms)));
      head.state.push_back(fmt::format("measured: {}", time_text(report->figures.ms)));
    }
    head.title = {
        lanes == 0
            ? "Stream"
            : fmt::format("C = A·B streamed over {} accelerator{}", lanes, lanes == 1 ? "" : "s"),
        lanes == 0 ? "Stream" : fmt::format("{} accelerator{}", lanes, lanes == 1 ? "" : "s"),
        "Stream"};
  }
  Stack stack = draw_view_head(frame, canvas, area, head);
  if (pressed) {
    frame.requests.stream = !running;
  }
  return stack;
}

// Below the lanes, in a narrow view.
float tiles_below(const StreamScene& scene, const Rect& rest) {
  const float spare = rest.height() - scene.theme().gap.medium - named_lanes_height(scene);
  const float most = kBelow * rest.height();
  const float least = std::min(kLeastTiles * scene.canvas.line_height(), most);
  return std::clamp(spare, least, most);
}

// A tall C beside lanes that are narrow is much larger than below them.
bool stands_beside(const StreamScene& scene, const Rect& rest) {
  const core::StreamWork& work = scene.report.plan->work;
  const float line = scene.canvas.line_height();
  const auto scale = [&](float width, float height) {
    return std::min(width / static_cast<float>(work.n),
                    (height - 1.5F * line) / static_cast<float>(work.m));
  };
  return has_two_columns(scene.canvas, rest) ||
         (rest.width() >= kNarrowColumns * line &&
          scale(kTiles * rest.width(), rest.height()) >
              2.0F * scale(rest.width(), tiles_below(scene, rest)));
}

void draw_stream(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Gaps& gap = frame.theme.gap;
  const auto& report = frame.model.result.stream;
  Stack stack = draw_head(frame, canvas, area, report.get());
  if (!report) {
    return stack.wrap(
        "The multiplication in blocks appears here after you start it. Each device computes some "
        "rows of C and receives B in panels of columns. Copies continue while blocks of C are "
        "computed. A device needs memory for a few blocks only.",
        pen::dim);
  }
  const StreamScene scene{frame, canvas, *report, frame.cache.version("stream", report)};
  draw_words(*report, stack);
  stack.gap(gap.small);
  if (!report->plan || report->lanes.size() != report->plan->shares.size()) {
    return;
  }
  draw_legend(canvas, frame.textures, stack.rest.cut_bottom(canvas.line_height()),
              {legend_scale({"block computed at", "0", time_text(scene.duration()), ""}),
               {mark::fill(frame.theme.colours.global), "copy", "", 1}});
  stack.rest.cut_bottom(gap.small);
  Rect& rest = stack.rest;
  if (stands_beside(scene, rest)) {
    const Rect right = rest.cut_right(std::min(kTiles * rest.width(), rest.height()));
    rest.cut_right(gap.huge);
    draw_stream_tiles(scene, right);
  } else {
    draw_stream_tiles(scene, rest.cut_bottom(tiles_below(scene, rest)));
    rest.cut_bottom(gap.medium);
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
  table.key(letter('S'), "start or stop streaming the work over devices", start_or_stop);
}

}  // namespace

CentreView stream_row() {
  return {.name = "stream",
          .answers = "How does a problem larger than device memory run on several devices?",
          .manual = {.chapter = "Stream"},
          .there = can_stream,
          .draw = draw_stream,
          .needs = [](ViewStates&) { return core::Steps{core::Step::stream}; },
          .keys = keys};
}

}  // namespace ui

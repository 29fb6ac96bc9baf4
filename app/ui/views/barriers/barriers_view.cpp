// Trials of the kernel's barriers: a column a barrier, a row a kind; the verdict of the check for
// races, and the time of a launch against the kernel as it is written.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/work/barrier_trials.h"
#include "ui/panels/panels.h"
#include "ui/views.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

using core::BarrierKind;

constexpr float kLeastColumn = 120.0F;  // at scale 1
constexpr float kMostColumn = 230.0F;
constexpr std::array kRows{BarrierKind::all,          BarrierKind::global,
                           BarrierKind::shared,       BarrierKind::fence_all,
                           BarrierKind::fence_global, BarrierKind::fence_shared,
                           BarrierKind::off};

const char* words_of(BarrierKind kind) {
  switch (kind) {
    case BarrierKind::all:
      return "wait, order all memory";
    case BarrierKind::global:
      return "wait, order global memory";
    case BarrierKind::shared:
      return "wait, order shared memory";
    case BarrierKind::fence_all:
      return "order all, nobody waits";
    case BarrierKind::fence_global:
      return "order global, nobody waits";
    case BarrierKind::fence_shared:
      return "order shared, nobody waits";
    case BarrierKind::off:
      break;
  }
  return "no barrier";
}

/// What the parts of one frame share.
struct TrialScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::BarrierTrials& trials;
  std::vector<std::uint32_t> columns;  ///< barriers; 0: all of them
  float names = 0.0F;                  ///< width of the rows' names
  float column = 0.0F;
  float row = 0.0F;  ///< height

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] float line() const { return canvas.line_height(theme().fonts.text); }
};

std::string verdict_words(const core::BarrierTrial& trial) {
  if (!trial.done) {
    return "…";
  }
  if (!trial.report) {
    return "not here";
  }
  switch (trial.report->verdict) {
    case core::Verdict::clean:
      return "clean";
    case core::Verdict::racy:
      return "races: " + trial.hazards();
    case core::Verdict::divergent:
      return "refused: divergent";
    case core::Verdict::faulty:
      return "out of bounds";
    case core::Verdict::incomplete:
      break;
  }
  return "not checked in full";
}

std::string tooltip(const core::BarrierTrial& trial) {
  std::string text = trial.impossible;
  if (trial.report) {
    const auto& found = trial.report->findings;
    text = found.empty() ? verdict_words(trial) : found.front().sentence();
    for (const std::string& why : trial.report->incomplete) {
      text += "\n" + why;
    }
  }
  return text + (text.empty() ? "" : "\n") + "click: run the kernel like this";
}

void draw_cell(const TrialScene& scene, const Rect& box, const core::BarrierTrial& trial) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const Canvas& canvas = scene.canvas;
  const std::string id = fmt::format("trial {} {}", trial.barrier,
                                     trial.kind ? core::to_string(*trial.kind) : "as written");
  const Hit mouse = hit(id.c_str(), box);
  const bool chosen = scene.frame.state.wanted.barriers == trial.edits;
  const bool bad = trial.report && (trial.report->verdict == core::Verdict::racy ||
                                    trial.report->verdict == core::Verdict::divergent);
  const Rect inner = box.inset(theme.px(2), theme.px(1));
  canvas.fill(inner, bad ? fade(c.race, 0.16F) : fade(c.idle, mouse.hovered ? 0.25F : 0.12F));
  if (bad) {
    const Rect mark{inner.low, {inner.low.x + theme.px(5), inner.high.y}};
    canvas.fill(mark, fade(c.race, 0.5F));
    canvas.stripes(mark, c.race);
  }
  if (chosen) {
    canvas.frame(inner, c.accent, theme.px(2));
  }
  Rect text = inner.inset(theme.px(10), 0.0F);
  const auto relative = trial.relative();
  const std::string times = relative ? fmt::format("{:.2f}×", *relative) : "";
  const std::string ms = trial.spread.count > 0 ? time_text(trial.spread.median) : "";
  const std::string verdict = verdict_words(trial);
  const Colour colour = !trial.done ? c.dim : bad ? mix(c.race, c.text, 0.45F) : c.text;
  if (box.height() >= 2.0F * scene.line() + theme.px(4)) {
    canvas.text_in(text.cut_top(0.5F * inner.height()), verdict, theme.fonts.text, colour);
    canvas.text_in(text, ms, theme.fonts.mono, c.dim);
    canvas.text_in(text, times, theme.fonts.mono, c.dim, Align::right);
  } else {
    const float used = canvas.measure(times, theme.fonts.mono).x;
    canvas.text_in(text, times, theme.fonts.mono, c.dim, Align::right);
    text.high.x -= used + theme.px(6);
    canvas.text_in(text, verdict, theme.fonts.text, colour);
  }
  if (mouse.hovered) {
    ImGui::SetTooltip("%s", tooltip(trial).c_str());
  }
  if (mouse.clicked) {
    core::Experiment next = scene.frame.state.wanted;
    next.barriers = trial.edits;
    scene.frame.actions().want(next);
  }
}

void draw_column_names(const TrialScene& scene, Rect line) {
  const Theme& theme = scene.theme();
  const auto& barriers = scene.frame.model.result.facts->barriers;
  line.cut_left(scene.names);
  for (const std::uint32_t k : scene.columns) {
    const Rect box = line.cut_left(scene.column).inset(theme.px(4), 0.0F);
    const bool known = k > 0 && k <= barriers.size();
    scene.canvas.text_in(box,
                         k == 0  ? std::string("all barriers")
                         : known ? fmt::format("barrier {}, line {}", k, barriers[k - 1].at.line)
                                 : fmt::format("barrier {}", k),
                         theme.fonts.text,
                         k == 0 ? theme.colours.text : theme.colours.barrier_text);
  }
}

void draw_name(const TrialScene& scene, const Rect& box, const std::string& name,
               const std::string& words) {
  const Theme& theme = scene.theme();
  scene.canvas.text_in(box, name, theme.fonts.mono, theme.colours.text);
  const float used = scene.canvas.measure("fence-shared", theme.fonts.mono).x + theme.px(10);
  const Rect rest{{box.low.x + used, box.low.y}, {box.high.x - theme.px(6), box.high.y}};
  if (scene.canvas.measure(words, theme.fonts.text).x <= rest.width()) {
    scene.canvas.text_in(rest, words, theme.fonts.text, theme.colours.dim);
  }
}

void draw_table(const TrialScene& scene, Rect rest) {
  Rect written = rest.cut_top(scene.row);
  draw_name(scene, written.cut_left(scene.names), "as written", "");
  draw_cell(scene, written.cut_left(scene.column), scene.trials.list.front());
  draw_column_names(scene, rest.cut_top(scene.line() + scene.theme().px(4)));
  for (const BarrierKind kind : kRows) {
    Rect line = rest.cut_top(scene.row);
    if (line.height() < scene.row) {
      return;
    }
    draw_name(scene, line.cut_left(scene.names), core::to_string(kind), words_of(kind));
    for (const std::uint32_t k : scene.columns) {
      const Rect box = line.cut_left(scene.column);
      if (const core::BarrierTrial* trial = scene.trials.find(k, kind)) {
        draw_cell(scene, box, *trial);
      }
    }
  }
}

// What the trials tell: a sentence for barriers of which they tell the same.
std::string conclusions(const core::BarrierTrials& trials) {
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> told;
  for (std::uint32_t k = 1; k <= trials.barriers; ++k) {
    const std::string words = core::conclusion(trials, k);
    const auto same = std::ranges::find(told, words, &decltype(told)::value_type::first);
    if (words.empty()) {
      continue;
    }
    same == told.end() ? told.push_back({words, {k}}) : same->second.push_back(k);
  }
  std::string text;
  for (const auto& [words, barriers] : told) {
    text += fmt::format("{}{} {} {} {}.", text.empty() ? "" : " ",
                        barriers.size() > 1 ? "Barriers" : "Barrier", fmt::join(barriers, " and "),
                        barriers.size() > 1 ? "are" : "is", words);
  }
  return text;
}

void draw_state(const Frame& frame, const Canvas& canvas, Rect line) {
  const core::Result& result = frame.model.result;
  if (result.trying) {
    frame.requests.cancel |= pressed_word(canvas, line, "Cancel (Esc)");
  } else {
    frame.requests.try_barriers |=
        pressed_word(canvas, line, result.trials ? "Try anew (K)" : "Try them all (K)");
  }
  const std::string state =
      !result.trials ? std::string("not tried yet")
      : result.trying
          ? fmt::format("{} of {} tried", result.trials->done(), result.trials->list.size())
          : std::string("verdicts instrumented; times measured, against as written");
  const std::string text =
      result.device.emulated() ? state + "; emulated: not a GPU's times" : state;
  const bool fits = canvas.measure(text, frame.theme.fonts.text).x <= line.width();
  canvas.text_in(line, fits ? text : state, frame.theme.fonts.text, frame.theme.colours.dim);
}

void draw_progress(const Frame& frame, const Canvas& canvas, const Rect& line) {
  const core::Result& result = frame.model.result;
  if (!result.trials || !result.trying) {
    return;
  }
  draw_progress_line(
      canvas, line,
      static_cast<double>(result.trials->done()) / static_cast<double>(result.trials->list.size()));
}

// Columns that fit, all barriers together last; names as wide as there is room for.
void share_out(TrialScene& scene, const Rect& rest, float words) {
  const Theme& theme = scene.theme();
  const float brief = scene.canvas.measure("fence-shared", theme.fonts.mono).x + theme.px(12);
  for (std::uint32_t k = 1; k <= scene.trials.barriers; ++k) {
    if (scene.trials.find(k, BarrierKind::off) != nullptr) {
      scene.columns.push_back(k);
    }
  }
  if (scene.trials.find(0, BarrierKind::off) != nullptr) {
    scene.columns.push_back(0);
  }
  const float least = theme.px(kLeastColumn);
  while (scene.columns.size() > 1 &&
         brief + static_cast<float>(scene.columns.size()) * least > rest.width()) {
    scene.columns.erase(scene.columns.end() - (scene.columns.back() == 0 ? 2 : 1));
  }
  const auto count = static_cast<float>(scene.columns.size());
  scene.column = std::min((rest.width() - brief) / count, theme.px(kMostColumn));
  scene.names = std::min(rest.width() - count * scene.column, brief + words);
  scene.names = scene.names < brief + words && count * least + brief + words <= rest.width()
                    ? brief + words
                    : scene.names;
  scene.column = std::min((rest.width() - scene.names) / count, theme.px(kMostColumn));
  const float rows = static_cast<float>(kRows.size() + 1);
  const float room = (rest.height() - scene.line() - theme.px(4)) / rows;
  scene.row =
      std::floor(std::clamp(room, scene.line() + theme.px(2), 2.0F * scene.line() + theme.px(6)));
}

float widest_words(const Canvas& canvas) {
  float width = 0.0F;
  for (const BarrierKind kind : kRows) {
    width = std::max(width, canvas.measure(words_of(kind), canvas.theme().fonts.text).x);
  }
  return width + canvas.theme().px(10);
}

void draw_barriers(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  const core::Result& result = frame.model.result;
  const Rect title = title_line(frame, canvas, area);
  canvas.text_in(title, "What each barrier is for", theme.fonts.text, theme.colours.text);
  Rect rest{{title.low.x, title.high.y + theme.px(4)},
            {area.high.x - theme.px(16), area.high.y - theme.px(8)}};
  draw_state(frame, canvas, rest.cut_top(canvas.line_height(theme.fonts.text)));
  rest.cut_top(theme.px(4));
  draw_progress(frame, canvas, rest.cut_top(theme.px(2)));
  rest.cut_top(theme.px(6));
  if (!result.trials) {
    return nothing_yet(canvas, rest,
                       "Every barrier of the kernel as every kind of wait, as a fence without "
                       "waiting, and off: checked for races and timed, one after the other. The "
                       "live launches wait meanwhile.");
  }
  if (const std::string told = conclusions(*result.trials); !told.empty()) {
    rest.cut_top(canvas.wrapped(rest, told, theme.fonts.text, theme.colours.text) + theme.px(6));
  }
  TrialScene scene{.frame = frame, .canvas = canvas, .trials = *result.trials};
  share_out(scene, rest, widest_words(canvas));
  draw_table(scene, rest);
}

bool has_barriers(const core::Result& result) {
  return result.facts && !result.facts->barriers.empty();
}

void keys(ActionTable& table) {
  table.group("Races");
  table.key(letter('K'), "try every barrier as every kind", [](ActionContext& c, int) {
    c.state.view.name = "barriers";
    c.requests.try_barriers = true;
  });
}

}  // namespace

CentreView barriers_row() {
  return {.name = "barriers",
          .there = has_barriers,
          .draw = draw_barriers,
          .needs = [](ViewStates&) { return core::Steps{core::Step::trials}; },
          .keys = keys};
}

}  // namespace ui

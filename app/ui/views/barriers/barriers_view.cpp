// Trials of the kernel's barriers: a column a barrier, a row a kind; the verdict of the check for
// races, and the time of a launch against the kernel as it is written.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/work/barrier_trials.h"
#include "ui/canvas/format.h"
#include "ui/panels/panels.h"
#include "ui/views.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

using core::BarrierKind;

constexpr float kLeastColumn = 6.0F;  // in lines of text
constexpr float kMostColumn = 12.0F;
constexpr const char* kLongestName = "fence-shared";
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
      return "order all, no wait";
    case BarrierKind::fence_global:
      return "order global, no wait";
    case BarrierKind::fence_shared:
      return "order shared, no wait";
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
  std::vector<std::uint32_t> columns;   ///< barriers; 0: all of them
  std::vector<std::uint32_t> left_out;  ///< barriers that have no room
  float names = 0.0F;                   ///< width of the rows' names, with their meanings
  float brief = 0.0F;                   ///< and without
  float column = 0.0F;
  float row = 0.0F;  ///< height

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
};

std::string times_words(const core::BarrierTrials& trials, const core::BarrierTrial& trial) {
  const auto faster = trials.speed_up(trial);
  if (!faster || &trial == &trials.list.front()) {  // what the others are told against
    return faster ? "1×" : "";
  }
  const bool told = std::abs(*faster - 1.0) > trials.noise(trial);
  return told ? fmt::format("{:.2f}×", *faster) : "≈ 1×";
}

std::string verdict_words(const core::BarrierTrial& trial) {
  if (!trial.done) {
    return "…";
  }
  if (!trial.report) {
    return "not possible";
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
  return "not fully checked";
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
  return text + (text.empty() ? "" : "\n") + "click to run the kernel with this kind of barrier";
}

void draw_cell(const TrialScene& scene, const Rect& box, const core::BarrierTrial& trial) {
  const Gaps& gap = scene.theme().gap;
  const Palette& c = scene.theme().colours;
  const Canvas& canvas = scene.canvas;
  const std::string id = fmt::format("trial {} {}", trial.barrier,
                                     trial.kind ? core::to_string(*trial.kind) : "unchanged");
  const Hit mouse = hit(id.c_str(), box);
  const bool bad = trial.report && (trial.report->verdict == core::Verdict::racy ||
                                    trial.report->verdict == core::Verdict::divergent);
  const Rect inner = box.inset(gap.thin, 1.0F);
  canvas.fill(inner, bad ? fade(c.race, 0.16F) : fade(c.idle, mouse.hovered ? 0.25F : 0.12F));
  if (bad) {
    const Rect mark = Rect(inner).cut_left(gap.small);
    canvas.fill(mark, fade(c.race, 0.5F));
    canvas.stripes(mark, c.race);
  }
  if (scene.frame.state.wanted.barriers == trial.edits) {
    canvas.frame(inner, c.accent, gap.thin);
  }
  const Pen pen = pen::text.in(!trial.done ? c.dim : bad ? mix(c.race, c.text, 0.45F) : c.text);
  Stack stack{canvas, inner.inset(gap.medium, 0.0F)};
  const bool two = stack.has(2.0F);
  Strip first{canvas, two ? stack.rest.cut_top(0.5F * stack.rest.height()) : stack.rest};
  Strip second{canvas, stack.rest};
  first.right(times_words(scene.trials, trial), pen::mono_dim);
  const bool races = trial.report && trial.report->verdict == core::Verdict::racy;
  first.fitting(races ? Wordings{verdict_words(trial), trial.hazards(), "races"}
                      : Wordings{verdict_words(trial)},
                pen);
  if (two && trial.spread.count > 0) {
    const std::string time =
        fmt::format("{} ±{:.0f} %", time_text(trial.spread.median), 100.0 * trial.noise());
    second.fitting(
        trial.spread.unsteady() ? Wordings{time + ", unsteady", "~" + time} : Wordings{time},
        pen::mono_dim);
  }
  if (mouse.hovered) {
    tell(tooltip(trial));
  }
  if (mouse.clicked) {
    core::Experiment next = scene.frame.state.wanted;
    next.barriers = trial.edits;
    scene.frame.actions().want(next);
  }
}

void draw_column_names(const TrialScene& scene, Rect line) {
  const auto& barriers = scene.frame.model.result.facts->barriers;
  line.cut_left(scene.names);
  for (const std::uint32_t k : scene.columns) {
    const bool known = k > 0 && k <= barriers.size();
    const Rect box = line.cut_left(scene.column).inset(scene.theme().gap.small, 0.0F);
    const Pen pen = k == 0 ? pen::text : pen::text.in(&Palette::barrier_text);
    const Wordings words =
        k > 0 ? Wordings{known ? fmt::format("barrier {}, line {}", k, barriers[k - 1].at.line)
                               : fmt::format("barrier {}", k)}
              : Wordings{"all barriers", "all"};
    scene.canvas.write(box, scene.canvas.fitting(words, box.width(), pen), pen);
  }
}

void draw_name(const TrialScene& scene, Rect box, const std::string& name,
               const std::string& words) {
  scene.canvas.write(box, name, pen::mono);
  box.cut_left(scene.brief);
  if (scene.canvas.width(words) <= box.width()) {
    scene.canvas.write(box, words, pen::dim);
  }
}

// Of barriers whose columns have no room.
Wordings left_out_words(const TrialScene& scene) {
  const auto& left = scene.left_out;
  const std::string what = left.size() == 1
                               ? fmt::format("and barrier {} by itself", left.front())
                               : fmt::format("and each of {} more barriers by itself", left.size());
  return {what + ", in a wider view", what, fmt::format("+{} more", left.size())};
}

void draw_table(const TrialScene& scene, Stack& stack) {
  Rect written = stack.rest.cut_top(scene.row);
  draw_name(scene, written.cut_left(scene.names), "unchanged", "");
  draw_cell(scene, written.cut_left(scene.column), scene.trials.list.front());
  draw_column_names(scene, stack.lines());
  const float below = scene.left_out.empty() ? 0.0F : scene.canvas.line_height();
  const auto fit = static_cast<std::size_t>((stack.rest.height() - below) / scene.row);
  const std::size_t shown = fit < kRows.size() ? std::max<std::size_t>(fit, 1) - 1 : kRows.size();
  for (const BarrierKind kind : std::span(kRows).first(shown)) {
    Rect line = stack.rest.cut_top(scene.row);
    draw_name(scene, line.cut_left(scene.names), core::to_string(kind), words_of(kind));
    for (const std::uint32_t k : scene.columns) {
      const Rect box = line.cut_left(scene.column);
      if (const core::BarrierTrial* trial = scene.trials.find(k, kind)) {
        draw_cell(scene, box, *trial);
      }
    }
  }
  if (shown < kRows.size()) {
    stack.say(fmt::format("and {} more kinds", kRows.size() - shown), pen::dim);
  }
  if (!scene.left_out.empty()) {
    stack.fitting(left_out_words(scene), pen::dim);
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

// Columns that fit, all barriers together last; names as wide as there is room for.
void share_out(TrialScene& scene, const Rect& rest) {
  const Canvas& canvas = scene.canvas;
  const float line = canvas.line_height();
  for (std::uint32_t k = 1; k <= scene.trials.barriers + 1; ++k) {
    const std::uint32_t barrier = k <= scene.trials.barriers ? k : 0;
    if (scene.trials.find(barrier, BarrierKind::off) != nullptr) {
      scene.columns.push_back(barrier);
    }
  }
  scene.brief = canvas.width(kLongestName, pen::mono) + scene.theme().gap.medium;
  while (scene.columns.size() > 1 &&
         scene.brief + static_cast<float>(scene.columns.size()) * kLeastColumn * line >
             rest.width()) {
    const auto last = scene.columns.end() - (scene.columns.back() == 0 ? 2 : 1);
    scene.left_out.insert(scene.left_out.begin(), *last);
    scene.columns.erase(last);
  }
  const auto count = static_cast<float>(scene.columns.size());
  const auto words =
      std::ranges::max(kRows, {}, [&](BarrierKind kind) { return canvas.width(words_of(kind)); });
  const float names = scene.brief + canvas.width(words_of(words)) + scene.theme().gap.medium;
  const bool named = names + count * kLeastColumn * line <= rest.width();
  scene.names = named ? names : scene.brief;
  scene.column = std::min((rest.width() - scene.names) / count, kMostColumn * line);
  const float others = scene.left_out.empty() ? line : 2.0F * line;
  const float room = (rest.height() - others) / static_cast<float>(kRows.size() + 1);
  scene.row = std::floor(std::clamp(room, line, 2.3F * line));
}

double share_done(const core::BarrierTrials& trials) {
  return static_cast<double>(trials.done()) / static_cast<double>(trials.list.size());
}

void draw_barriers(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const auto& trials = result.trials;
  const bool busy = result.trying;
  Wordings state = measured_words(
      result, !trials ? "not tried yet"
              : busy  ? fmt::format("{} of {} tried", trials->done(), trials->list.size())
                      : "× as fast as the unchanged kernel, measured; ≈: within the spread");
  if (trials && !busy) {
    state.emplace_back("× as fast as unchanged kernel");
  }
  Stack stack = draw_view_head(
      frame, canvas, area,
      {.title = {"What each barrier is for", "Each barrier", ""},
       .word = busy     ? "Cancel (Esc)"
               : trials ? "Try again (Shift+K)"
                        : "Try all (Shift+K)",
       .pressed = busy ? &frame.requests.cancel : &frame.requests.try_barriers,
       .state = state,
       .progress = trials && busy ? std::optional(share_done(*trials)) : std::nullopt});
  if (!trials || !result.facts) {
    return stack.wrap(
        "Changes each barrier of the kernel to each kind in turn: wait, fence, and off. Each trial "
        "is checked for races and timed. The repeated launches pause meanwhile.",
        pen::dim);
  }
  if (const std::string told = conclusions(*trials); !told.empty()) {
    stack.wrap(told);
    stack.gap(frame.theme.gap.small);
  }
  TrialScene scene{.frame = frame, .canvas = canvas, .trials = *trials};
  share_out(scene, stack.rest);
  draw_table(scene, stack);
}

// A kernel that is not known yet may have them: the names of the views stay where they are.
bool has_barriers(const core::Result& result) {
  return result.facts ? !result.facts->barriers.empty() : result.variant.name.empty();
}

void keys(ActionTable& table) {
  table.group("Races");
  table.key(letter('K'), "try each barrier with each kind", [](ActionContext& c, int) {
    c.state.view.name = "barriers";
    c.requests.try_barriers = true;
  });
}

}  // namespace

CentreView barriers_row() {
  return {.name = "barriers",
          .answers = "What does each barrier do, and is a weaker one enough?",
          .manual = {.chapter = "Barriers"},
          .there = has_barriers,
          .draw = draw_barriers,
          .needs = [](ViewStates&) { return core::Steps{core::Step::trials}; },
          .keys = keys};
}

}  // namespace ui

// The variants of the workload as a ladder: each one's speed-up over the first, as a bar.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/edits.h"
#include "ui/launch/launch_flags.h"
#include "ui/launch/launch_panel.h"
#include "ui/panels/panels.h"
#include "ui/panels/rungs.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

// A line of the ladder: a variant, with a bar for each tile that is measured.
struct Step {
  const core::Variant* variant = nullptr;
  std::vector<const core::Rung*> rungs;
  const core::Rung* told =
      nullptr;  ///< whose figure stands there: the wanted tile's, or the best's
  bool chosen = false;

  [[nodiscard]] bool several() const { return rungs.size() > 1; }
};

const core::Rung* told_of(const Step& step, std::uint32_t wanted_tile) {
  if (step.rungs.empty()) {
    return nullptr;
  }
  const auto wanted = std::ranges::find(step.rungs, wanted_tile, &core::Rung::tile);
  return step.chosen && wanted != step.rungs.end()
             ? *wanted
             : *std::ranges::max_element(step.rungs, {}, &core::Rung::speedup);
}

std::vector<Step> steps(const Frame& frame) {
  const core::Experiment& wanted = frame.state.wanted;
  std::vector<Step> all;
  for (const core::Variant& variant : frame.model.catalogue.of(wanted.workload())) {
    Step step{.variant = &variant, .rungs = {}, .chosen = variant.id() == wanted.variant};
    for (const core::Rung& rung : frame.model.result.ladder) {
      if (rung.variant == variant.id()) {
        step.rungs.push_back(&rung);
      }
    }
    step.told = told_of(step, tile_of(wanted, frame.model.catalogue));
    all.push_back(std::move(step));
  }
  return all;
}

std::string verdict(const Step& step, const std::vector<core::Rung>& ladder) {
  if (step.variant->broken) {
    return "broken";
  }
  if (step.told == nullptr || (!step.told->measured && !step.told->error)) {
    return "…";
  }
  if (step.told->error) {
    return step.told->refused ? "refused" : "not possible";
  }
  return step.told->speedup > 0.0 ? rung_speedup(*step.told, ladder) : "…";
}

// With the tile whose figure it has.
std::string title_of(const Step& step) {
  const std::string title = step.variant->title.empty() ? step.variant->name : step.variant->title;
  const bool tiled = step.told != nullptr && step.told->tile > 0 && !step.told->error;
  return tiled ? fmt::format("{} {}", title, step.told->tile) : title;
}

// What a line could not say: times, or why there are none.
std::string details(const Step& step) {
  if (step.variant->broken) {
    return step.variant->broken->message;
  }
  if (!step.several()) {
    return step.told != nullptr ? rung_details(*step.told) : "not measured yet";
  }
  std::string text;
  for (const core::Rung* rung : step.rungs) {
    text += fmt::format("{}tile {}: {}", text.empty() ? "" : "\n", rung->tile, rung_details(*rung));
  }
  return text;
}

// A bar a tile, below each other; the told one is thick.
float bars_height(const Gaps& gap, std::size_t tiles) {
  return gap.small + 2.0F * gap.thin * static_cast<float>(std::max<std::size_t>(tiles, 1) - 1);
}

// All to one scale.
void draw_step_bars(const Canvas& canvas, Rect area, const Step& step, double fastest) {
  const Palette& c = canvas.theme().colours;
  const Gaps& gap = canvas.theme().gap;
  const auto draw = [&](const core::Rung* rung) {
    const bool told = rung == step.told;
    const Rect track = area.cut_top(told ? gap.small : gap.thin);
    canvas.fill(track, fade(c.line, 0.7F));
    if (rung != nullptr && rung->speedup > 0.0 && fastest > 0.0) {
      Rect bar = track;
      const auto share = static_cast<float>(rung->speedup / fastest);
      canvas.fill(bar.cut_left(std::max(1.0F, std::round(share * track.width()))),
                  step.chosen && told ? c.accent : c.dim);
    }
    area.cut_top(gap.thin);
  };
  if (step.rungs.empty()) {
    draw(nullptr);
  }
  std::ranges::for_each(step.rungs, draw);
}

void draw_step(const Canvas& canvas, const Rect& area, const Step& step, double fastest,
               const std::vector<core::Rung>& ladder) {
  const Gaps& gap = canvas.theme().gap;
  const float content = canvas.line_height() + gap.thin + bars_height(gap, step.rungs.size());
  Stack rest{canvas, area.inset(gap.large, 0.0F)};
  rest.gap(std::floor(0.5F * std::max(0.0F, area.height() - content)));
  Strip words = rest.strip();
  words.right(verdict(step, ladder), pen::mono);
  const bool usable = !step.variant->broken && !(step.told != nullptr && step.told->error);
  const Pen& pen = usable ? pen::text : pen::dim;
  words.write(shorten_name(canvas, title_of(step), words.rest.width(), pen), pen);
  rest.gap(gap.thin);
  draw_step_bars(canvas, rest.rest, step, fastest);
}

// What the chosen variant claims and what the workload computes.
struct Subject {
  std::string claim, about;
};

Subject subject_of(const Frame& frame) {
  const core::Variant* variant = variant_of(frame.state.wanted, frame.model.catalogue);
  const auto workload = frame.model.catalogue.workload(frame.state.wanted.workload());
  return {variant != nullptr ? variant->claim : std::string(),
          workload != nullptr ? workload->about() : std::string()};
}

// What the bars are relative to, or why some are missing.
std::string footnote(const Frame& frame, const std::vector<Step>& all) {
  const auto& ladder = frame.model.result.ladder;
  const auto says = [&](std::string_view begin) {
    return std::ranges::any_of(
        all, [&](const Step& s) { return verdict(s, ladder).starts_with(begin); });
  };
  if (says("…")) {
    return "…: not measured yet";
  }
  const auto several = std::ranges::any_of(all, &Step::several);
  const std::string unsteady = says("~") ? "~: unsteady times; " : "";
  return unsteady + "relative to " +
         (ladder.empty() ? title_of(all.front()) : rung_title(ladder.front())) +
         (several ? "; one bar per tile size; the number is for the selected size" : "");
}

// What the texts below the steps need.
float foot_height(const Frame& frame, const Canvas& canvas, float width,
                  const std::vector<Step>& all) {
  const Gaps& gap = frame.theme.gap;
  const Subject subject = subject_of(frame);
  float height = 2.0F * gap.medium;
  for (const std::string& text : {footnote(frame, all), subject.claim, subject.about}) {
    const auto lines = canvas.wrap(text, frame.theme.fonts.text, width - 2.0F * gap.large).size();
    height += static_cast<float>(lines) * canvas.line_height() + 1.0F + gap.medium;
  }
  return height;
}

// The steps that are shown: all, closer together where room is short; else as many as fit.
struct Window {
  float height;  // of a step
  int first, shown, count;
};

Window window_of(const Canvas& canvas, const Rect& area, float foot, int first,
                 const std::vector<Step>& all) {
  const Gaps& gap = canvas.theme().gap;
  const float line = canvas.line_height();
  std::size_t tiles = 1;
  for (const Step& step : all) {
    tiles = std::max(tiles, step.rungs.size());
  }
  const float content = line + bars_height(gap, tiles);
  const float least = content + gap.small;
  const auto count = static_cast<int>(all.size());
  const float fair = std::floor((area.height() - foot) / static_cast<float>(count));
  Window w{std::clamp(fair, least, content + gap.large), 0, count, count};
  if (area.height() < static_cast<float>(count) * least) {  // a line tells of the others
    w.shown = std::max(0, static_cast<int>((area.height() - line) / least));
    w.height = least;
    w.first = std::clamp(first, 0, w.count - w.shown);
  }
  return w;
}

// The chosen step comes into sight when it becomes the chosen one; the wheel may leave it again.
void follow_chosen(const Frame& frame, const std::vector<Step>& all, Window& w) {
  const auto at = std::ranges::find(all, true, &Step::chosen);
  if (at == all.end() || w.shown == 0) {
    return;
  }
  const std::string id = fmt::format("{} of {}", title_of(*at), w.shown);
  if (std::exchange(frame.state.step_in_sight, id) != id) {
    const auto place = static_cast<int>(at - all.begin());
    w.first = std::clamp(w.first, std::max(0, place - w.shown + 1), place);
  }
}

// How many there are beyond those that are shown; a click leafs.
void draw_more(const Frame& frame, const Canvas& canvas, const Rect& line, const Window& w) {
  const int below = w.count - w.first - w.shown;
  const Hit mouse = hit("more steps", line);
  canvas.write(line.inset(frame.theme.gap.large, 0.0F),
               w.first == 0 ? fmt::format("… {} more (wheel)", below)
               : below == 0 ? fmt::format("… {} more above", w.first)
                            : fmt::format("… {} above, {} below", w.first, below),
               mouse.hovered ? pen::text : pen::dim);
  if (mouse.clicked) {
    frame.state.first_step = below == 0 ? 0 : w.first + w.shown;
  }
}

void draw_steps(const Frame& frame, const Canvas& canvas, Rect& rest) {
  const auto all = steps(frame);
  double fastest = 0.0;
  for (const core::Rung& rung : frame.model.result.ladder) {
    fastest = std::max(fastest, rung.speedup);
  }
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel != 0.0F && rest.contains(vec(ImGui::GetIO().MousePos))) {
    frame.state.first_step -= wheel > 0.0F ? 1 : -1;
  }
  Window w = window_of(canvas, rest, foot_height(frame, canvas, rest.width(), all),
                       frame.state.first_step, all);
  follow_chosen(frame, all, w);
  frame.state.first_step = w.first;
  for (int i = w.first; i < w.first + w.shown; ++i) {
    const Step& step = all[static_cast<std::size_t>(i)];
    const Rect area = rest.cut_top(w.height);
    const Hit mouse = choosable(canvas, step.variant->id(), area, step.chosen);
    draw_step(canvas, area, step, fastest, frame.model.result.ladder);
    if (mouse.hovered) {
      tell(details(step));
    }
    if (mouse.clicked) {
      core::Experiment next = with_variant(frame.state.wanted, *step.variant);
      next.tile = step.told != nullptr && step.told->tile > 0 ? step.told->tile : next.tile;
      frame.actions().want(next);
    }
  }
  if (w.shown < w.count && rest.height() >= canvas.line_height()) {
    draw_more(frame, canvas, rest.cut_top(canvas.line_height()), w);
  }
}

}  // namespace

void draw_ladder(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "ladder", area);
  const Canvas& canvas = panel.canvas();
  const Theme& theme = frame.theme;
  const Gaps& gap = theme.gap;
  canvas.fill(area, theme.colours.surface);
  canvas.line({area.high.x - 1.0F, area.low.y}, {area.high.x - 1.0F, area.high.y},
              theme.colours.line);
  Stack rest{canvas, area.inset(gap.large, 0.0F)};
  rest.gap(gap.medium + gap.small);
  const core::Experiment& wanted = frame.state.wanted;
  if (!launch_fields(frame.model.result).empty()) {
    rest.heading("Launched with", to_string(letter('F')));
    rest.gap(gap.small);
    rest.rest.cut_bottom(gap.medium);
    rest.foot(wanted.choices.reference.empty()
                  ? "--reference KERNEL compares this kernel with another. For a list of kernels "
                    "with their times, put them into a folder with a workload.toml."
                  : "The compare view times this kernel and its reference.",
              pen::dim);
    return draw_launch(frame, rest);
  }
  rest.heading("Speed-up", "measured");
  rest.gap(gap.small);
  if (frame.model.catalogue.of(wanted.workload()).empty()) {
    return rest.wrap(
        !wanted.choices.reference.empty() ? "The compare view times this kernel and its reference."
        : core::names_a_file(wanted.variant)
            ? "--reference KERNEL compares this kernel with another. For a list of "
              "kernels with their times, put them into a folder with a workload.toml."
            : "Put a kernel into the workload's folder in shaders/ to add it to this list.",
        pen::dim);
  }
  Rect all = rest.rest.inset(-gap.large, 0.0F);
  draw_steps(frame, canvas, all);
  rest.rest = all.inset(gap.large, gap.medium);
  const std::string note = footnote(frame, steps(frame));
  if (rest.has(static_cast<float>(canvas.wrap(note, theme.fonts.text, rest.rest.width()).size()))) {
    rest.wrap(note, pen::dim);
  }
  const Subject subject = subject_of(frame);
  rest.foot(subject.claim, pen::dim);
  rest.foot(subject.about);
}

}  // namespace ui

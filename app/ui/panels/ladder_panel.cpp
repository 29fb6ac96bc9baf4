// The variants of the workload as a ladder: each one's speed-up over the first, as a bar.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/edits.h"
#include "ui/panels/panels.h"
#include "ui/panels/rungs.h"
#include "ui/widgets/format.h"

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

std::string verdict(const Step& step) {
  if (step.variant->broken) {
    return "broken";
  }
  if (step.told == nullptr || (!step.told->measured && !step.told->error)) {
    return "…";
  }
  if (step.told->error) {
    return step.told->refused ? "refused" : "not here";
  }
  return step.told->speedup > 0.0 ? fmt::format("{:.2f}×", step.told->speedup) : "…";
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

constexpr float kBar = 5.0F;   // of the tile that is told, in pixels at scale 1
constexpr float kThin = 2.0F;  // of another one
constexpr float kGap = 2.0F;

float bars_height(const Theme& theme, std::size_t tiles) {
  return theme.px(kBar) +
         static_cast<float>(std::max<std::size_t>(tiles, 1) - 1) * theme.px(kThin + kGap);
}

// A bar a tile, below each other, all to one scale.
void draw_step_bars(const Canvas& canvas, Rect area, const Step& step, double fastest) {
  const Theme& theme = canvas.theme();
  const auto draw = [&](const core::Rung* rung) {
    const bool told = rung == step.told;
    const Rect track = area.cut_top(theme.px(told ? kBar : kThin));
    canvas.fill(track, fade(theme.colours.line, 0.7F));
    if (rung != nullptr && rung->speedup > 0.0 && fastest > 0.0) {
      Rect bar = track;
      const auto share = static_cast<float>(rung->speedup / fastest);
      canvas.fill(bar.cut_left(std::max(1.0F, std::round(share * track.width()))),
                  step.chosen && told ? theme.colours.accent : theme.colours.dim);
    }
    area.cut_top(theme.px(kGap));
  };
  if (step.rungs.empty()) {
    draw(nullptr);
  }
  std::ranges::for_each(step.rungs, draw);
}

void draw_step(const Frame& frame, const Canvas& canvas, Rect area, const Step& step, bool hovered,
               double fastest) {
  const Theme& theme = frame.theme;
  const Palette& c = theme.colours;
  if (step.chosen || hovered) {
    canvas.fill(area, c.hover);
  }
  if (step.chosen) {
    canvas.fill({area.low, {area.low.x + theme.px(3), area.high.y}}, c.accent);
  }
  const float line = canvas.line_height(theme.fonts.text);
  const float bars = theme.px(3) + bars_height(theme, step.rungs.size());
  const float above = std::floor(0.5F * std::max(0.0F, area.height() - line - bars));
  Rect inside = area.inset(theme.px(16), above);
  const Rect words = inside.cut_top(line);
  const std::string number = verdict(step);
  const float width = canvas.measure(number, theme.fonts.mono).x;
  const Rect left{words.low, {words.high.x - width - theme.px(8), words.high.y}};
  const bool usable = !step.variant->broken && !(step.told != nullptr && step.told->error);
  canvas.text_in(left, title_of(step), theme.fonts.text, usable ? c.text : c.dim);
  canvas.text_in(words, number, theme.fonts.mono, c.text, Align::right);
  inside.cut_top(theme.px(3));
  draw_step_bars(canvas, {inside.low, {inside.high.x, area.high.y}}, step, fastest);
}

// A paragraph at the foot of `rest`, when all of it fits.
void draw_foot(const Canvas& canvas, Rect& rest, const std::string& text, Colour colour) {
  const Theme& theme = canvas.theme();
  const auto lines = canvas.wrap(text, theme.fonts.text, rest.width());
  const float height =
      static_cast<float>(lines.size()) * canvas.line_height(theme.fonts.text) + 1.0F;
  if (!lines.empty() && height <= rest.height()) {
    canvas.wrapped(rest.cut_bottom(height), text, theme.fonts.text, colour);
    rest.cut_bottom(theme.px(8));
  }
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

void draw_subject(const Frame& frame, const Canvas& canvas, Rect rest) {
  const Subject subject = subject_of(frame);
  draw_foot(canvas, rest, subject.claim, frame.theme.colours.dim);
  draw_foot(canvas, rest, subject.about, frame.theme.colours.text);
}

// What the bars are relative to, or why some are missing.
std::string footnote(const Frame& frame, const std::vector<Step>& all) {
  const bool missing = std::ranges::any_of(all, [](const Step& s) { return verdict(s) == "…"; });
  if (missing) {
    return "… is still to be measured";
  }
  const auto several = std::ranges::any_of(all, &Step::several);
  const auto& ladder = frame.model.result.ladder;
  return "relative to " + (ladder.empty() ? title_of(all.front()) : rung_title(ladder.front())) +
         (several ? "; a bar for each tile, in figures the thick one's" : "");
}

constexpr float kFootInset = 8.0F;

// What the texts below the steps need.
float foot_height(const Frame& frame, const Canvas& canvas, float width,
                  const std::vector<Step>& all) {
  const Theme& theme = frame.theme;
  const Subject subject = subject_of(frame);
  float height = theme.px(2 * kFootInset);
  for (const std::string& text : {footnote(frame, all), subject.claim, subject.about}) {
    const auto lines = canvas.wrap(text, theme.fonts.text, width - theme.px(32)).size();
    height += static_cast<float>(lines) * canvas.line_height(theme.fonts.text) + 1.0F + theme.px(8);
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
  const Theme& theme = canvas.theme();
  const float line = canvas.line_height(theme.fonts.text);
  std::size_t tiles = 1;
  for (const Step& step : all) {
    tiles = std::max(tiles, step.rungs.size());
  }
  const float content = line + bars_height(theme, tiles);
  const float least = content + theme.px(5);
  const auto count = static_cast<int>(all.size());
  const float fair = std::floor((area.height() - foot) / static_cast<float>(count));
  Window w{std::clamp(fair, least, content + theme.px(13)), 0, count, count};
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
  canvas.text_in(line.inset(frame.theme.px(16), 0.0F),
                 w.first == 0 ? fmt::format("… {} more (wheel)", below)
                 : below == 0 ? fmt::format("… {} more above", w.first)
                              : fmt::format("… {} above, {} below", w.first, below),
                 frame.theme.fonts.text,
                 mouse.hovered ? frame.theme.colours.text : frame.theme.colours.dim);
  if (mouse.clicked) {
    frame.state.first_step = below == 0 ? 0 : w.first + w.shown;
  }
}

void draw_steps(const Frame& frame, const Canvas& canvas, Rect& rest) {
  const Theme& theme = frame.theme;
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
    const Hit mouse = hit(step.variant->id().c_str(), area);
    draw_step(frame, canvas, area, step, mouse.hovered, fastest);
    if (mouse.hovered) {
      ImGui::SetTooltip("%s", details(step).c_str());
    }
    if (mouse.clicked) {
      core::Experiment next = with_variant(frame.state.wanted, *step.variant);
      next.tile = step.told != nullptr && step.told->tile > 0 ? step.told->tile : next.tile;
      frame.actions().want(next);
    }
  }
  if (w.shown < w.count && rest.height() >= canvas.line_height(theme.fonts.text)) {
    draw_more(frame, canvas, rest.cut_top(canvas.line_height(theme.fonts.text)), w);
  }
}

}  // namespace

void draw_ladder(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "ladder", area);
  const Canvas& canvas = panel.canvas();
  const Theme& theme = frame.theme;
  canvas.fill(area, theme.colours.surface);
  canvas.line({area.high.x - 1.0F, area.low.y}, {area.high.x - 1.0F, area.high.y},
              theme.colours.line);
  Rect rest = area;
  rest.cut_top(theme.px(12));
  Rect head = rest.cut_top(canvas.line_height(theme.fonts.text) + theme.px(2));
  head = head.inset(theme.px(16), 0.0F);
  const auto variants = frame.model.catalogue.of(frame.state.wanted.workload());
  heading(canvas, head, "Speed-up", "measured");
  rest.cut_top(theme.px(4));
  if (variants.empty()) {
    nothing_yet(canvas, rest.inset(theme.px(16), theme.px(4)),
                !frame.state.wanted.choices.reference.empty()
                    ? "It and its reference are timed side by side in the compare view."
                : core::names_a_file(frame.state.wanted.variant)
                    ? "A kernel alone has no ladder: --reference KERNEL compares it with another, "
                      "and a folder with a workload.toml makes steps of its kernels."
                    : "A kernel in shaders/ becomes a step of this ladder.");
    return;
  }
  draw_steps(frame, canvas, rest);
  Rect foot = rest.inset(theme.px(16), theme.px(kFootInset));
  const std::string note = footnote(frame, steps(frame));
  const float line = canvas.line_height(theme.fonts.text);
  const auto lines = static_cast<float>(canvas.wrap(note, theme.fonts.text, foot.width()).size());
  if (foot.height() > (lines + 0.1F) * line) {
    canvas.wrapped(foot.cut_top(lines * line + 1.0F), note, theme.fonts.text, theme.colours.dim);
  }
  draw_subject(frame, canvas, foot);
}

}  // namespace ui

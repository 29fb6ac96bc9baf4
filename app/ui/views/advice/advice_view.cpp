// Advice: which of the arrays that a workgroup reads are worth a copy in shared memory, and why.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/advice.h"
#include "ui/looked_into.h"
#include "ui/panels/panels.h"
#include "ui/views.h"
#include "ui/views/tile/tile_layout.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kLeastCard = 215.0F;  // at scale 1
constexpr float kMostCard = 420.0F;
constexpr float kMostFigure = 190.0F;
constexpr float kLeastFigure = 40.0F;

/// What the parts of one frame share.
struct AdviceScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Advice& advice;

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] float line() const { return canvas.line_height(theme().fonts.text); }
};

void say_what_will_come(const Frame& frame, const Canvas& canvas, const Rect& rest) {
  if (const auto why = why_no_trace(frame)) {
    return nothing_yet(canvas, rest, *why);
  }
  nothing_yet(canvas, rest,
              "Which arrays are worth a copy in shared memory appears here as soon as a workgroup "
              "has been traced.");
}

// The lines that read.
void light_lines(const AdviceScene& scene) {
  for (const core::ArrayAdvice& array : scene.advice.arrays) {
    for (const core::ArrayRead& read : array.reads) {
      if (read.at.line > 0) {
        scene.frame.state.lit_lines.push_back(read.at);
      }
    }
  }
}

std::string how(const AdviceScene& scene, float width) {
  const core::Advice& advice = scene.advice;
  const auto& [x, y, z] = advice.workgroup;
  const std::string some =
      advice.lost > 0 ? fmt::format("; {} accesses more were not kept", count_text(advice.lost))
                      : std::string();
  const std::string brief =
      fmt::format("Workgroup ({}, {}, {}): traced (instrumented){}", x, y, z, some);
  const std::string all =
      brief + "; savings modelled: caches may serve part of what is asked already";
  const bool fits = scene.canvas.measure(all, scene.theme().fonts.text).x <= width;
  return fits ? all : brief + "; savings modelled";
}

Colour colour_of(const Palette& c, core::Tiling tiling) {
  return tiling == core::Tiling::worth    ? c.shared_text
         : tiling == core::Tiling::staged ? c.text
                                          : c.dim;
}

const char* words_of(core::Tiling tiling) {
  return tiling == core::Tiling::worth    ? "worth a copy"
         : tiling == core::Tiling::staged ? "staged already"
                                          : "nothing to gain";
}

std::string lines_text(const core::ArrayAdvice& array) {
  std::vector<std::string> lines;
  for (const core::ArrayRead& read : array.reads) {
    const std::string name = std::to_string(read.at.line);
    if (std::ranges::find(lines, name) == lines.end()) {
      lines.push_back(name);
    }
  }
  return fmt::format("{} {}", lines.size() == 1 ? "line" : "lines", fmt::join(lines, ", "));
}

// Its number among those that read an element together: the same for all of them.
std::uint64_t together(const core::Advice& advice, const std::array<bool, 3>& invariant,
                       std::uint64_t invocation) {
  std::uint64_t number = 0;
  std::uint64_t stride = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t at = invocation % advice.local_size[d];
    invocation /= advice.local_size[d];
    number += invariant[d] ? 0 : at * stride;
    stride *= invariant[d] ? 1 : advice.local_size[d];
  }
  return number;
}

// The workgroup's invocations; one set of those that read an element together stands out.
void draw_invocations(const AdviceScene& scene, const core::ArrayAdvice& array, const Rect& area) {
  const core::Advice& advice = scene.advice;
  const auto& [width, height, depth] = advice.local_size;
  const std::uint64_t count = std::uint64_t{width} * height * depth;
  CellBlock block{.invocations = true,
                  .count = count,
                  .columns = height * depth > 1 ? width : wrap_columns(count)};
  const glm::vec2 cells(block.columns, block.rows());
  const float cell = std::min(area.width() / cells.x, area.height() / cells.y);
  block.area = {area.low, area.low + cell * cells};
  const auto invariant = array.invariant();
  const std::uint64_t sample = together(advice, invariant, count - 1) / 3;
  const Palette& c = scene.theme().colours;
  const float gap = cell > 5.0F ? 1.0F : 0.0F;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t set = together(advice, invariant, i);
    const Rect box = block.cell(i);
    scene.canvas.fill({box.low, {box.high.x - gap, box.high.y - gap}},
                      set == sample ? c.global : fade(c.global, set % 2 == 0 ? 0.22F : 0.12F));
  }
}

// What is asked for as a bar, and as its beginning what there is to be read.
void draw_amounts(const AdviceScene& scene, const core::ArrayAdvice& array, Rect& rest) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const Rect bar = rest.cut_top(theme.px(8));
  const float share = static_cast<float>(array.distinct) /
                      static_cast<float>(std::max<std::uint64_t>(array.asked, 1));
  scene.canvas.fill(bar, c.global);
  scene.canvas.fill({bar.low, {bar.low.x + std::max(2.0F, share * bar.width()), bar.high.y}},
                    c.shared);
  rest.cut_top(theme.px(2));
  const auto size = [](std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  Rect line = rest.cut_top(scene.line());
  const std::string distinct = size(array.distinct) + " distinct";
  scene.canvas.text_in(line, distinct, theme.fonts.text, c.shared_text);
  line.cut_left(scene.canvas.measure(distinct, theme.fonts.text).x + theme.px(10));
  scene.canvas.text_in(line, size(array.asked) + " asked for", theme.fonts.text, c.global_text,
                       Align::right);
}

std::string launch_words(const AdviceScene& scene, const core::ArrayAdvice& array) {
  const auto all = [&](std::uint64_t bytes) {
    return bytes_text(static_cast<double>(bytes) * static_cast<double>(scene.advice.workgroups));
  };
  return fmt::format("Staged, a launch asks for {} instead of {} (modelled)", all(array.distinct),
                     all(array.asked));
}

std::string figure_words(const AdviceScene& scene, const core::ArrayAdvice& array) {
  const auto invariant = array.invariant();
  return core::dimensions_text(invariant).empty()
             ? "coloured: one invocation"
             : "coloured, who reads one element: " +
                   core::readers_text(invariant, scene.advice.local_size);
}

void draw_card(const AdviceScene& scene, const core::ArrayAdvice& array, Rect rest) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const Canvas& canvas = scene.canvas;
  if (rest.height() < scene.line() + theme.px(6)) {
    return;
  }
  canvas.line(rest.low, {rest.high.x, rest.low.y}, colour_of(c, array.tiling), theme.px(2));
  rest.cut_top(theme.px(6));
  const Rect head = rest.cut_top(scene.line());
  canvas.text_in(head, array.name, theme.fonts.mono, c.global_text);
  const float name = canvas.measure(array.name, theme.fonts.mono).x + theme.px(10);
  canvas.text_in({{head.low.x + name, head.low.y}, head.high}, words_of(array.tiling),
                 theme.fonts.text, colour_of(c, array.tiling));
  canvas.text_in({{head.low.x + name + canvas.measure(words_of(array.tiling), theme.fonts.text).x +
                       theme.px(10),
                   head.low.y},
                  head.high},
                 lines_text(array), theme.fonts.text, c.dim, Align::right);
  std::string why = core::sentence(array, scene.advice);
  why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
  rest.cut_top(canvas.wrapped(rest, why, theme.fonts.text, c.text) + theme.px(8));
  if (rest.height() < scene.line() + theme.px(10)) {
    return;
  }
  draw_amounts(scene, array, rest);
  if (array.tiling == core::Tiling::worth) {
    rest.cut_top(canvas.wrapped(rest, launch_words(scene, array), theme.fonts.text, c.text));
  }
  rest.cut_top(theme.px(8));
  const float figure = std::min(rest.height() - scene.line(), theme.px(kMostFigure));
  if (figure >= theme.px(kLeastFigure)) {
    draw_invocations(scene, array, rest.cut_top(figure));
    canvas.text_in(rest.cut_top(scene.line()), figure_words(scene, array), theme.fonts.text, c.dim);
  }
}

// As many cards as there is room for; what saves most comes first.
void draw_cards(const AdviceScene& scene, Rect rest) {
  const Theme& theme = scene.theme();
  const float gap = theme.px(24);
  const auto& arrays = scene.advice.arrays;
  const auto fit = static_cast<std::size_t>(
      std::max(1.0F, std::floor((rest.width() + gap) / (theme.px(kLeastCard) + gap))));
  const std::size_t shown = std::min(fit, arrays.size());
  if (shown < arrays.size() && rest.height() > 4.0F * scene.line()) {
    std::vector<std::string> others;
    for (std::size_t i = shown; i < arrays.size(); ++i) {
      others.push_back(fmt::format("{}: {}", arrays[i].name, words_of(arrays[i].tiling)));
    }
    scene.canvas.text_in(rest.cut_bottom(scene.line()), fmt::format("{}", fmt::join(others, "; ")),
                         theme.fonts.text, theme.colours.dim);
  }
  const auto count = static_cast<float>(shown);
  const float width = std::min((rest.width() - gap * (count - 1.0F)) / count, theme.px(kMostCard));
  for (std::size_t i = 0; i < shown; ++i) {
    draw_card(scene, arrays[i], rest.cut_left(std::round(width)));
    rest.cut_left(gap);
  }
}

void draw_advice(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  ask_for_trace(frame);
  Rect head = title_line(frame, canvas, area);
  head.low.x = area.low.x + theme.px(24);
  Rect rest{{head.low.x, head.high.y + theme.px(6)},
            area.high - glm::vec2(theme.px(24), theme.px(8))};
  const auto& advice = frame.model.result.advice;
  if (!advice || (advice->arrays.empty() && !advice->incomplete.empty())) {
    return say_what_will_come(frame, canvas, rest);
  }
  const AdviceScene scene{frame, canvas, *advice};
  light_lines(scene);
  canvas.text_in(head, "Where is tiling worth it?", theme.fonts.text, theme.colours.dim);
  rest.cut_top(
      canvas.wrapped(rest, core::headline(*advice), theme.fonts.title, theme.colours.text));
  canvas.text_in(rest.cut_top(scene.line()), how(scene, rest.width()), theme.fonts.text,
                 theme.colours.dim);
  rest.cut_top(theme.px(12));
  draw_cards(scene, rest);
}

void keys(ActionTable& table) {
  table.group("View");
  table.key(letter('A'), "advice: where is tiling worth it", [](ActionContext& c, int) {
    const bool shown = current_view(c.state.view, c.model.result) == "advice";
    c.state.view.name = shown ? "grid" : "advice";
  });
}

}  // namespace

CentreView advice_row() {
  return {.name = "advice",
          .there = always,
          .draw = draw_advice,
          .needs = [](ViewStates&) { return core::Steps{core::Step::trace}; },
          .keys = keys};
}

}  // namespace ui

// Advice: which of the arrays that a workgroup reads are worth a copy in shared memory, and why.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/time_bound.h"
#include "core/report/advice.h"
#include "ui/canvas/format.h"
#include "ui/looked_into.h"
#include "ui/panels/panels.h"
#include "ui/views.h"
#include "ui/views/tile/tile_layout.h"
#include "ui/widgets/names.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kLeastCard = 11.0F;  // in lines of text
constexpr float kMostCard = 22.0F;
constexpr float kMostFigure = 10.0F;
constexpr float kLeastFigure = 2.0F;

/// What the parts of one frame share.
struct AdviceScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Advice& advice;

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
};

std::string nothing(const Frame& frame) {
  const auto& advice = frame.model.result.advice;
  const std::string why =
      no_trace_yet(frame, "This view shows which arrays to copy to shared memory,");
  return !advice || (advice->arrays.empty() && !advice->incomplete.empty()) ? why : "";
}

// The array whose card comes first, whatever it saves; empty: none.
struct AdviceState final : ViewState {
  std::string first;

  [[nodiscard]] std::vector<StateField> fields() override {
    return {field("advice_of", first)
                .with_meaning(
                    "Advice view: show this array first (empty: the array whose copy saves most)")};
  }
};

// The lines that read it.
void light_lines(const AdviceScene& scene, const core::ArrayAdvice& array) {
  for (const core::ArrayRead& read : array.reads) {
    if (read.at.line > 0) {
      scene.frame.state.lit_lines.push_back(read.at);
    }
  }
}

// Where nothing is to be done: whether that is all, or how far the time is from what it could be.
std::string headline_of(const AdviceScene& scene, const std::optional<core::TimeBound>& bound) {
  // A CPU's ceilings say nothing of what a tile is for.
  const bool emulated = scene.frame.model.result.device.emulated();
  return bound && bound->is_near() && !emulated && !core::advises(scene.advice)
             ? "Little left to gain: the time is close to the minimum on this device"
             : core::headline(scene.advice);
}

// What a CPU that plays a GPU takes is not held against the least that its ceilings allow.
Wordings bound_words(const core::TimeBound& bound, bool emulated) {
  const std::string took = time_text(bound.measured_ms);
  if (emulated) {
    return {
        fmt::format("Measured {} on a CPU device, which says little about tiles on a GPU", took),
        fmt::format("Measured {} (CPU device)", took), took + " (CPU device)"};
  }
  const std::string least = time_text(bound.ms);
  const std::string times = fmt::format("{:.3g}", bound.times());
  return {fmt::format("Measured {}: {} times the minimum of {} (modelled), limited by {}", took,
                      times, least, core::bounded_by(bound)),
          fmt::format("Measured {}; minimum {} (modelled): {} times", took, least, times),
          fmt::format("{}, {} times the minimum (modelled)", took, times)};
}

Wordings how(const core::Advice& advice) {
  const auto& [x, y, z] = advice.workgroup;
  const std::string some =
      advice.lost > 0
          ? fmt::format("; the trace had no room for {} more accesses", count_text(advice.lost))
          : std::string();
  const std::string brief = fmt::format(
      "Workgroup ({}, {}, {}): traced (instrumented){}; savings modelled", x, y, z, some);
  return {brief + "; caches may already serve some of the reads", brief,
          "traced (instrumented); savings modelled", "traced; savings modelled"};
}

Colour colour_of(const Palette& c, const core::ArrayAdvice& array) {
  return array.tiling == core::Tiling::worth    ? c.shared_text
         : array.tiling == core::Tiling::staged ? c.text
         : array.for_registers()                ? mix(c.registers, c.text, 0.35F)
                                                : c.dim;
}

const char* words_of(const core::ArrayAdvice& array) {
  return array.tiling == core::Tiling::worth    ? "worth a copy"
         : array.tiling == core::Tiling::staged ? "already copied"
         : array.for_registers()                ? "keep in registers"
                                                : "no copy needed";
}

std::string lines_text(const core::ArrayAdvice& array, const core::Variant& kernel) {
  std::vector<core::SourcePlace> places;
  std::ranges::transform(array.reads, std::back_inserter(places), &core::ArrayRead::at);
  return lines_name(places, kernel.file.string());
}

std::uint64_t invocations(const core::Advice& advice) {
  const auto& [x, y, z] = advice.local_size;
  return std::uint64_t{x} * y * z;
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

// No two read an element at the same time, but one after the other they do.
bool one_by_one(const core::ArrayAdvice& array) {
  return core::dimensions_text(array.invariant()).empty() && array.most_read_by.size() > 1;
}

// The workgroup's invocations; one set of those that read the same element stands out. Returns the
// height that they take.
float draw_invocations(const AdviceScene& scene, const core::ArrayAdvice& array, const Rect& area) {
  const core::Advice& advice = scene.advice;
  const auto& [width, height, depth] = advice.local_size;
  const std::uint64_t count = invocations(advice);
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
  const bool apart = one_by_one(array);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t set = together(advice, invariant, i);
    const bool stands_out =
        apart ? std::ranges::binary_search(array.most_read_by, static_cast<std::uint32_t>(i))
              : set == sample;
    const Rect box = block.cell(i);
    scene.canvas.fill({box.low, {box.high.x - gap, box.high.y - gap}},
                      stands_out ? c.global : fade(c.global, set % 2 == 0 ? 0.22F : 0.12F));
  }
  return block.area.height();
}

// What is asked for as a bar, and as its beginning what there is to be read.
void draw_amounts(const AdviceScene& scene, const core::ArrayAdvice& array, Stack& stack) {
  const Palette& c = scene.theme().colours;
  Rect bar = stack.lines(0.5F);
  const float share = static_cast<float>(array.distinct) /
                      static_cast<float>(std::max<std::uint64_t>(array.asked, 1));
  scene.canvas.fill(bar, c.global);
  scene.canvas.fill(bar.cut_left(std::max(2.0F, share * bar.width())), c.shared);
  stack.gap(scene.theme().gap.thin);
  const auto size = [](std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  Strip words = stack.strip();
  words.left(size(array.distinct) + " unique", pen::text.in(c.shared_text));
  words.write(size(array.asked) + " read", pen::text.in(c.global_text), Align::right);
}

Wordings launch_words(const AdviceScene& scene, const core::ArrayAdvice& array) {
  const auto all = [&](std::uint64_t bytes) {
    return bytes_text(static_cast<double>(bytes) * static_cast<double>(scene.advice.workgroups));
  };
  const std::string staged = all(array.distinct), now = all(array.asked);
  const std::string workgroups = count_text(scene.advice.workgroups);
  return {
      fmt::format("With a copy, {} workgroups like this one would read {} instead of {} (modelled)",
                  workgroups, staged, now),
      fmt::format("{} workgroups: {} with a copy, now {} (modelled)", workgroups, staged, now),
      fmt::format("With a copy {}, now {} (modelled)", staged, now)};
}

Wordings figure_words(const AdviceScene& scene, const core::ArrayAdvice& array) {
  if (one_by_one(array)) {
    const std::size_t who = array.most_read_by.size();
    return {fmt::format(
                "coloured: the {} invocations that read the same element, one after another", who),
            fmt::format("coloured: the {} that read the same element in turn", who),
            fmt::format("coloured: the {} that read it", who)};
  }
  const auto invariant = array.invariant();
  if (core::dimensions_text(invariant).empty()) {
    return {"squares: invocations; coloured: the only one that reads an element",
            "coloured: the only one that reads an element", "coloured: the only one that reads it"};
  }
  const std::string who = core::readers_text(invariant, scene.advice.local_size);
  const bool others = together(scene.advice, invariant, invocations(scene.advice) - 1) > 0;
  return {"coloured: readers of the same element, " + who +
              (others ? "; stripes: other such groups" : ""),
          "coloured: readers of the same element, " + who, "readers of one element: " + who,
          "coloured: " + who};
}

void draw_card(const AdviceScene& scene, const core::ArrayAdvice& array, const Rect& area) {
  const Gaps& gap = scene.theme().gap;
  const Palette& c = scene.theme().colours;
  const Colour colour = colour_of(c, array);
  Stack stack{scene.canvas, area};
  if (!stack.has(1.5F)) {
    return;
  }
  scene.canvas.line(area.low, {area.high.x, area.low.y}, colour, gap.thin);
  stack.gap(gap.small);
  Strip head = stack.strip();
  head.left(array.name, pen::mono.in(c.global_text));
  head.left(words_of(array), pen::text.in(colour));
  head.write(lines_text(array, scene.frame.model.result.variant), pen::dim, Align::right);
  std::string why = core::sentence(array, scene.advice);
  why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
  stack.wrap(why);
  stack.gap(gap.medium);
  if (!stack.has(1.5F)) {
    return;
  }
  draw_amounts(scene, array, stack);
  if (array.tiling == core::Tiling::worth) {
    const Wordings words = launch_words(scene, array);
    const auto lines =
        scene.canvas.wrap(words.front(), scene.canvas.font(pen::text), stack.rest.width());
    stack.has(static_cast<float>(lines.size())) ? stack.wrap(words.front()) : stack.fitting(words);
  }
  stack.gap(gap.medium);
  const float room = stack.rest.height() / scene.canvas.line_height() - 1.0F;
  if (room >= kLeastFigure) {
    Rect figure = stack.rest;
    figure = figure.cut_top(std::min(room, kMostFigure) * scene.canvas.line_height());
    const float high = draw_invocations(scene, array, figure);
    stack.gap(std::min(high + gap.small, figure.height()));
    stack.fitting(figure_words(scene, array), pen::dim);
  }
}

// What saves most comes first, but for one that was asked for.
std::vector<core::ArrayAdvice> cards_of(const AdviceScene& scene) {
  std::vector<core::ArrayAdvice> arrays = scene.advice.arrays;
  const std::string& first = scene.frame.state.of<AdviceState>().first;
  std::ranges::stable_partition(
      arrays, [&first](const core::ArrayAdvice& array) { return array.name == first; });
  return arrays;
}

// As many cards as there is room for.
void draw_cards(const AdviceScene& scene, Stack& stack) {
  const float line = scene.canvas.line_height();
  const float gap = scene.theme().gap.huge;
  const auto arrays = cards_of(scene);
  const auto fit = static_cast<std::size_t>(
      std::max(1.0F, std::floor((stack.rest.width() + gap) / (kLeastCard * line + gap))));
  const std::size_t shown = std::min(fit, arrays.size());
  if (shown < arrays.size() && stack.has(4.0F)) {
    std::vector<std::string> others;
    for (std::size_t i = shown; i < arrays.size(); ++i) {
      others.push_back(fmt::format("{}: {}", arrays[i].name, words_of(arrays[i])));
    }
    scene.canvas.write(stack.rest.cut_bottom(line), fmt::format("{}", fmt::join(others, "; ")),
                       pen::dim);
  }
  const auto count = static_cast<float>(shown);
  const float width = (stack.rest.width() - gap * (count - 1.0F)) / count;
  // One that was asked for is what the source is about, too.
  const bool asked =
      !arrays.empty() && arrays.front().name == scene.frame.state.of<AdviceState>().first;
  for (std::size_t i = 0; i < shown; ++i) {
    if (!asked || i == 0) {
      light_lines(scene, arrays[i]);
    }
    draw_card(scene, arrays[i], stack.rest.cut_left(std::round(std::min(width, kMostCard * line))));
    stack.rest.cut_left(gap);
  }
}

void draw_advice(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const AdviceScene scene{frame, canvas, *frame.model.result.advice};
  Stack stack = draw_view_head(
      frame, canvas, area,
      {.title = {"Where is tiling worth it?", "Tiling: where?", ""}, .pen = pen::dim});
  const auto bound = core::time_bound(frame.model.result);
  stack.wrap(headline_of(scene, bound), pen::title);
  if (bound) {
    stack.fitting(bound_words(*bound, frame.model.result.device.emulated()));
  }
  stack.fitting(how(scene.advice), pen::dim);
  stack.gap(frame.theme.gap.medium);
  draw_cards(scene, stack);
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
          .answers = "What would make this kernel faster, and why?",
          .manual = {.chapter = "Advice"},
          .there = always,
          .draw = draw_advice,
          .nothing = nothing,
          .needs = [](ViewStates&) { return core::Steps{core::Step::trace, core::Step::ceilings}; },
          .open = [](ViewStates& states) { states.of<AdviceState>(); },
          .keys = keys};
}

}  // namespace ui

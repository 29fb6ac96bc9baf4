// All variants of the workload side by side: medians as bars, their spread as whiskers, speed-ups.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/panels/rungs.h"
#include "ui/views.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

void fill_row(const core::Rung& rung, const std::vector<core::Rung>& ladder, BarRow& row) {
  row.value = rung.spread.median;
  row.low = rung.spread.p5;
  row.high = rung.spread.p95;
  row.second = time_text(rung.spread.median);
  row.number = rung.speedup > 0.0 ? rung_speedup(rung, ladder) : "…";
}

std::optional<double> progress(const std::vector<core::Rung>& ladder) {
  const auto due = std::ranges::count_if(
      ladder, [](const core::Rung& r) { return r.due || (!r.measured && !r.error); });
  return due == 0
             ? std::nullopt
             : std::optional(1.0 - static_cast<double>(due) / static_cast<double>(ladder.size()));
}

std::string nothing(const Frame& frame) {
  return frame.model.result.ladder.empty()
             ? "All variants of the workload appear here after they are measured."
             : "";
}

void draw_compare(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const bool busy = result.comparing;
  const std::string what = result.bodies ? "Time of a step" : "Time of a launch";
  Wordings state = measured_words(result, ladder_state(result));
  for (const auto& [all, part] : {std::pair{"measured, after", "measured, warmed up"},
                                  {"measured with almost", "almost no warm-up"}}) {
    if (state.front().starts_with(all)) {
      state.emplace_back(part);
    }
  }
  const Stack stack = draw_view_head(
      frame, canvas, area,
      {.title = {fmt::format("{}, all variants at {}", what, core::to_string(result.problem.sizes)),
                 what, "Times"},
       .word = busy ? "Cancel (Esc)" : "Measure again (A)",
       .pressed = busy ? &frame.requests.cancel : &frame.requests.compare,
       .state = std::move(state),
       .state_pen = busy || result.device.emulated() ? pen::accent : pen::dim,
       .progress = progress(result.ladder)});
  draw_rung_bars(
      frame, canvas, stack.rest,
      {.unit = "ms; median, p5 – p95; ~: unsteady", .heads = {"name", "ladder order", "time", "×"}},
      [&result](const core::Rung& rung, BarRow& row) { fill_row(rung, result.ladder, row); });
}

// Measures them anew and shows it.
void keys(ActionTable& table) {
  table.group("Run");
  table.key(letter('a'), "compare all variants: measure them again with warm-up",
            [](ActionContext& c, int) {
              c.state.view.name = "compare";
              c.requests.compare = true;
            });
}

}  // namespace

CentreView compare_row() {
  return {.name = "compare",
          .answers = "Which variant is fastest here?",
          .manual = {.chapter = "Compare"},
          .there = always,
          .draw = draw_compare,
          .nothing = nothing,
          .needs = [](ViewStates&) { return core::Steps{core::Step::ladder}; },
          .open = [](ViewStates& states) { states.of<RungRows>(); },
          .moves = {.pan =
                        [](ActionContext& c, glm::vec2 by) {
                          c.state.of<RungRows>().first += static_cast<int>(by.y);
                        }},
          .keys = keys};
}

}  // namespace ui

// Every way to launch the kernel that its model of waves knows: predicted beside measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/model/ceilings.h"
#include "ui/canvas/format.h"
#include "ui/edits.h"
#include "ui/views/occupancy/occupancy_state.h"
#include "ui/views/occupancy/occupancy_view.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

// A multiprocessor's share of the measured ceiling does so many multiply-adds in a ms; 0: that
// ceiling is not known, and times are told as shares of the fastest one's.
double adds_a_ms(const core::Result& result, const core::WavePlan& plan) {
  constexpr double kFlopsAnAdd = 2.0;
  const auto& ceilings = result.ceilings;
  return ceilings && ceilings->failure.empty() && plan.multiprocessors > 0
             ? ceilings->fma_gflops * 1e6 / kFlopsAnAdd / plan.multiprocessors
             : 0.0;
}

bool is_now(const core::Result& result, const core::WavePlan& plan) {
  const auto& now = result.waves ? result.waves->now : std::nullopt;
  return now && now->tile == plan.tile && now->settings == plan.settings;
}

// Of this launch, or of the ladder's rung of that tile, which the model has launched likewise; 0:
// not measured.
double measured_ms(const core::Result& result, const core::WavePlan& plan) {
  if (is_now(result, plan) && result.timing.spread.count > 0) {
    return result.timing.spread.median;
  }
  const auto rung = std::ranges::find_if(result.ladder, [&](const core::Rung& r) {
    return r.variant == result.variant.id() && r.tile == plan.tile && r.measured && !r.due;
  });
  return rung != result.ladder.end() ? rung->spread.median : 0.0;
}

TableRow row_of(const OccupancyScene& scene, const WavesTold& told, const core::WavePlan& plan,
                bool now) {
  const core::Result& result = scene.result();
  const double rate = told.elsewhere ? 0.0 : adds_a_ms(result, plan);
  const double fastest = told.plans.front().cost;
  const double measured = told.elsewhere ? 0.0 : measured_ms(result, plan);
  const double predicted = rate > 0.0 ? plan.cost / rate : 0.0;
  const double off = predicted > 0.0 && measured > 0.0 ? 100.0 * (measured / predicted - 1.0) : 0.0;
  return {.cells = {core::choice_words(plan), count_text(plan.workgroups), count_text(plan.waves),
                    fmt::format("{:.0f} %", 100.0 * plan.filled),
                    rate > 0.0 ? time_text(predicted) : fmt::format("{:.2f}×", plan.cost / fastest),
                    measured > 0.0 ? time_text(measured) : "",
                    predicted > 0.0 && measured > 0.0 ? fmt::format("{:+.0f} %", off) : ""},
          .chosen = now};
}

Table table_of(const OccupancyScene& scene, const WavesTold& told) {
  Table table{.columns = {{.align = Align::left, .importance = 9},
                          {.importance = 1},
                          {.importance = 2},
                          {.importance = 3},
                          {.importance = 8},
                          {.importance = 7},
                          {.importance = 5}},
              .rows = {{.cells = {"launched as", "workgroups", "waves", "filled", "predicted",
                                  "measured", "error"},
                        .heading = true}}};
  for (const core::WavePlan& plan : told.plans) {
    const bool now = !told.elsewhere && is_now(scene.result(), plan);
    table.rows.push_back(row_of(scene, told, plan, now));
  }
  return table;
}

std::string note_of(const OccupancyScene& scene, const WavesTold& told) {
  if (told.elsewhere) {
    return "predicted from rates measured on an H200 with 132 multiprocessors; not measured on "
           "this device";
  }
  const bool all = std::ranges::all_of(told.plans, [&scene](const core::WavePlan& plan) {
    return measured_ms(scene.result(), plan) > 0.0;
  });
  const std::string from =
      adds_a_ms(scene.result(), told.plans.front()) > 0.0
          ? "predicted: from waves of workgroups and the measured ceiling"
          : "predicted: relative to the fastest one until the ceiling is measured";
  return all ? from : from + "; " + to_string(letter('a')) + " (compare) measures the others";
}

}  // namespace

void draw_wave_table(const OccupancyScene& scene, Stack& stack, const WavesTold& told) {
  if (told.plans.empty() || !stack.has(4.0F)) {
    return;
  }
  stack.heading("All launch options", "model vs measured");
  const Table table = table_of(scene, told);
  const float note = 2.0F * scene.canvas.line_height();
  const float room = std::min(table_height(scene.canvas, table), stack.rest.height() - note);
  const TableDrawn drawn = draw_table(scene.canvas, stack.rest.cut_top(room), "launched as", table);
  if (drawn.hovered) {
    tell(core::sentence(told.plans[*drawn.hovered - 1]));
  }
  if (drawn.clicked) {  // the model shares its tiles anew
    core::Experiment next = scene.frame.state.wanted;
    next.tile = told.plans[*drawn.clicked - 1].tile;
    next.settings.clear();
    scene.frame.actions().want(next);
  }
  stack.wrap(note_of(scene, told), pen::dim);
  stack.gap(scene.theme().gap.large);
}

const WavesTold& told_waves(const OccupancyScene& scene, bool elsewhere) {
  constexpr std::uint32_t kHopper = 132;
  const core::Result& result = scene.result();
  OccupancyState& state = scene.frame.state.of<OccupancyState>();
  WavesTold& told = state.told;
  if (told.of == result.waves && told.elsewhere == elsewhere &&
      told.sizes == result.problem.sizes && told.variant == result.variant.id()) {
    return told;
  }
  told = {.of = result.waves,
          .variant = result.variant.id(),
          .sizes = result.problem.sizes,
          .elsewhere = elsewhere};
  core::DeviceInfo device;
  device.multiprocessors = kHopper;
  const auto all = elsewhere && result.work
                       ? core::plan_waves(result.variant, *result.work, told.sizes, device)
                   : result.waves ? result.waves->offers
                                  : std::vector<core::WavePlan>();
  told.plans = core::best_of_each(all, result.variant);
  const auto same = [&told](const core::WavePlan& plan) {
    return std::ranges::any_of(told.plans, [&plan](const core::WavePlan& other) {
      return other.tile == plan.tile && other.settings == plan.settings;
    });
  };
  if (!elsewhere && result.waves && result.waves->now && !same(*result.waves->now)) {
    told.plans.push_back(*result.waves->now);
  }
  return told;
}

}  // namespace ui

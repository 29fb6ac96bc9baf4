// The roofline: arithmetic per byte against arithmetic per second, with the ceilings that were
// measured on this device (Williams, Waterman and Patterson 2009, "Roofline"). Work without
// arithmetic is held against the copy instead.
#include "ui/views/roofline/roofline_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/format.h"
#include "ui/edits.h"
#include "ui/looked_into.h"
#include "ui/panels/rungs.h"
#include "ui/views.h"
#include "ui/widgets/view_head.h"

namespace ui {

const RooflinePoint* Roofline::chosen() const {
  const auto found = std::ranges::find(points, true, &RooflinePoint::chosen);
  return found == points.end() ? nullptr : &*found;
}

double Roofline::asked_of_global() const {
  const auto& t = result().traffic;
  return t && t->global_bytes > 0.0 ? t->flops / t->global_bytes : 0.0;
}

double Roofline::asked_of_shared() const {
  const auto& t = result().traffic;
  return t && t->shared_bytes > 0.0 ? t->flops / t->shared_bytes : 0.0;
}

namespace {

constexpr float kLeastPlot = 3.5F;  // in lines of text, both ways
constexpr float kCrowded = 0.6F;    // of the plot's height, for labels in one column

double rate(double work, double ms) {
  return ms > 0.0 ? work / ms * 1e-6 : 0.0;
}

// The chosen kernel as it runs now, where no rung of the ladder is just that.
bool needs_own_point(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const core::Experiment& e = result.experiment;
  const bool on_ladder = std::ranges::any_of(result.ladder, [&e](const core::Rung& r) {
    return r.measured && r.variant == e.variant && r.tile == e.tile;
  });
  return result.gflops() > 0.0 && (!on_ladder || !e.barriers.empty());
}

// Of a kernel that nobody says the work of, what its traced workgroup did.
std::vector<RooflinePoint> traced_point(const core::Result& result) {
  std::vector<RooflinePoint> points;
  if (result.traffic && result.traffic->global_bytes > 0.0 && result.gflops() > 0.0) {
    points.push_back({std::nullopt, result.variant.title, result.gflops(),
                      result.traffic->flops / result.traffic->global_bytes, true,
                      result.variant.precision});
  }
  return points;
}

std::vector<RooflinePoint> points_of(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (result.flops_traced) {
    return traced_point(result);
  }
  const double intensity = result.flops / result.bytes;
  const bool own = needs_own_point(frame);
  std::vector<RooflinePoint> points;
  for (std::size_t i = 0; i < result.ladder.size(); ++i) {
    const core::Rung& rung = result.ladder[i];
    if (rung.measured) {
      points.push_back({i, rung_title(rung), rate(result.flops, rung.spread.median),
                        rung.bytes > 0.0 ? result.flops / rung.bytes : intensity,
                        !own && is_chosen(frame, rung), rung.precision});
    }
  }
  if (own) {
    const std::string edited = result.experiment.barriers.empty() ? "" : ", edited";
    points.push_back({std::nullopt, result.variant.title + edited, result.gflops(), intensity, true,
                      result.variant.precision});
  }
  return points;
}

void choose_axes(Roofline& r, const Rect& plot) {
  const core::Ceilings& c = r.ceilings;
  double x_low = 0.3 * c.fma_gflops / std::max(c.shared_gbps, c.copy_gbps);
  double x_high = 0.0;
  double y_low = c.fma_gflops;
  double y_high = c.fma_gflops;
  for (const RooflinePoint& point : r.points) {
    x_high = std::max(x_high, point.intensity);
    x_low = std::min(x_low, 0.5 * point.intensity);
    y_low = std::min(y_low, point.gflops);
    y_high = std::max(y_high, point.gflops);
  }
  for (const double asked : {r.asked_of_global(), r.asked_of_shared()}) {
    x_low = asked > 0.0 ? std::min(x_low, 0.5 * asked) : x_low;
  }
  x_high = std::max(x_high, 3.0 * c.fma_gflops / c.copy_gbps);
  // The labels' room lies to the right of the last point.
  const double used = static_cast<double>(plot.width() - r.labels) / plot.width();
  x_high = x_low * std::pow(x_high / x_low, 1.0 / std::max(used, 0.3));
  r.plot = plot;
  r.x = {x_low, x_high, plot.low.x, plot.high.x, true};
  r.y = {0.4 * y_low, 2.0 * y_high, plot.high.y, plot.low.y, true};
}

std::string percent(double part, double whole) {
  return fmt::format("{:.0f} %", 100.0 * part / whole);
}

// What the chosen kernel reaches of each ceiling, in a sentence or two.
std::string roofline_reading(const Roofline& r) {
  const RooflinePoint* point = r.chosen();
  if (point == nullptr) {
    return ladder_state(r.result());
  }
  const core::Ceilings& c = r.ceilings;
  const std::string rate = rate_text(point->gflops, "FLOP/s");
  if (point->precision != core::Precision::fp32) {
    return fmt::format(
        "{}: {}. It multiplies {} values with cooperative matrices, so the ceiling of float32 "
        "multiply-adds does not apply.",
        point->title, rate, core::to_string(point->precision));
  }
  std::string text = fmt::format("{}: {}, {} of the ceiling of multiply-adds.", point->title, rate,
                                 percent(point->gflops, c.fma_gflops));
  if (const double x = r.asked_of_shared(); x > 0.0) {
    const double part = point->gflops / std::min(x * c.shared_gbps, c.fma_gflops);
    text += fmt::format(
        " The trace has one byte of shared memory per {:.3g} flop: {:.0f} % of that limit{}.", x,
        100.0 * part, part > 1.0 ? ", because one read may serve several invocations" : "");
  }
  if (const double x = r.asked_of_global(); x > 0.0) {
    const double part = point->gflops / std::min(x * c.copy_gbps, c.fma_gflops);
    text += fmt::format(
        " It has one byte of global memory per {:.3g} flop: {:.0f} % of that limit{}.", x,
        100.0 * part, part > 1.0 ? ", because caches serve some of the accesses" : "");
  }
  const auto& trace = r.result().trace;
  if (trace && !r.result().traffic) {
    text += " Its memory accesses could not be traced completely.";
  }
  return text;
}

float label_width(const Canvas& canvas, const std::vector<RooflinePoint>& points) {
  float width = 0.0F;
  for (const RooflinePoint& point : points) {
    width = std::max(width, canvas.width(point.title));
  }
  return width + 1.3F * canvas.line_height();
}

std::vector<LegendItem> legend_of(const Roofline& r) {
  const Palette& p = r.frame.theme.colours;
  const core::Ceilings& c = r.ceilings;
  const std::string flat = rate_text(c.fma_gflops, "FLOP/s");
  const std::string shared = rate_text(c.shared_gbps, "B/s");
  const std::string global = rate_text(c.copy_gbps, "B/s");
  std::vector<LegendItem> items{
      {mark::line(p.text), "float32 multiply-adds " + flat, flat, 6},
      {mark::line(p.shared),
       fmt::format("shared memory {}, {:.1f}× global", shared, c.shared_over_global()),
       "shared " + shared, 4},
      {mark::line(p.global), "global memory, copy " + global, "global " + global, 5},
      r.result().flops_traced
          ? LegendItem{mark::dot(p.text),
                       fmt::format("the kernel: flop and bytes of global memory of the traced "
                                   "workgroup {}, times {} workgroups",
                                   fmt::join(r.result().trace->workgroup, ","),
                                   count_text(r.result().tiles.group_count())),
                       "the kernel, traced", 1}
          : LegendItem{mark::dot(p.text), "a variant; bytes: each input and output value once",
                       "variants", 1}};
  if (r.chosen() != nullptr && r.asked_of_shared() > 0.0) {
    items.push_back(
        {mark::diamond(p.shared), "bytes accessed in shared memory (traced)", "shared bytes", 2});
  }
  if (r.chosen() != nullptr && r.asked_of_global() > 0.0 && !r.result().flops_traced) {
    items.push_back(
        {mark::diamond(p.global), "bytes accessed in global memory (traced)", "global bytes", 3});
  }
  return items;
}

void draw_arithmetic(const Frame& frame, const Canvas& canvas, Stack stack) {
  ask_for_trace(frame);
  const Gaps& gap = frame.theme.gap;
  const float line = canvas.line_height();
  const float least = kLeastPlot * line;
  Roofline r{.frame = frame,
             .canvas = canvas,
             .ceilings = *frame.model.result.ceilings,
             .points = points_of(frame)};
  const auto legend = legend_of(r);
  const float lines =
      legend_lines(canvas, stack.rest.width(), legend, 0.25F * stack.rest.height() / line);
  draw_legend(canvas, frame.textures, stack.lines(lines), legend);
  stack.gap(gap.small);
  stack.foot(roofline_reading(r), pen::text, 2.0F * least);
  Rect plot = stack.rest;
  plot.cut_left(canvas.width("500 M", pen::mono) + gap.medium);
  plot.cut_bottom(axis_height(canvas));
  plot.cut_top(0.5F * line);
  if (plot.width() < least || plot.height() < least) {
    return stack.wrap("The roofline needs a larger window.", pen::dim);
  }
  const float needed = static_cast<float>(r.points.size()) * line;
  r.columns = needed > kCrowded * plot.height() ? 2 : 1;
  const auto columns = static_cast<float>(r.columns);
  r.labels =
      std::min(columns * label_width(canvas, r.points), (0.3F + 0.15F * columns) * plot.width());
  choose_axes(r, plot);
  draw_roofline_plot(r);
}

void draw_bandwidth(const Frame& frame, const Canvas& canvas, Stack stack) {
  const core::Result& result = frame.model.result;
  stack.say(ladder_state(result), pen::dim);
  stack.gap(frame.theme.gap.medium);
  const double copy = result.ceilings->copy_gbps;
  const BarChart chart{.unit = "GB/s, each value moved once",
                       .limit = copy,
                       .limit_name = fmt::format("copy kernel, {:.4g} (100 %)", copy)};
  draw_rung_bars(frame, canvas, stack.rest, chart, [&](const core::Rung& rung, BarRow& row) {
    row.value = rate(result.bytes, rung.spread.median);
    row.low = rate(result.bytes, rung.spread.p95);
    row.high = rate(result.bytes, rung.spread.p5);
    row.second = rate_text(row.value, "B/s");
    row.number = fmt::format("{:.0f} %", 100.0 * row.value / copy);
  });
}

std::string nothing(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (!result.ceilings || result.ladder.empty()) {
    return "The ceilings of this device appear here after they are measured: the rates of copies, "
           "multiply-adds and reads of shared memory.";
  }
  const std::string& failure = result.ceilings->failure;
  return failure.empty() ? "" : "The ceilings could not be measured: " + failure;
}

void draw_roofline(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const bool emulated = result.device.emulated();
  if (result.variant.work == nullptr) {
    ask_for_trace(frame);
  }
  const bool arithmetic = result.flops_traced ? !traced_point(result).empty() : result.flops > 0.0;
  const std::string title = arithmetic ? "Roofline, measured" : "Bandwidth, measured";
  const Stack stack =
      draw_view_head(frame, canvas, area,
                     {.title = emulated ? Wordings{title + "; emulated: not GPU rates",
                                                   title + ", emulated", "emulated"}
                                        : Wordings{title},
                      .pen = emulated ? pen::accent : pen::text});
  arithmetic ? draw_arithmetic(frame, canvas, stack) : draw_bandwidth(frame, canvas, stack);
}

}  // namespace

CentreView roofline_row() {
  return {.name = "roofline",
          .answers = "Does arithmetic or memory limit the kernel?",
          .manual = {.chapter = "Roofline"},
          .there = always,
          .draw = draw_roofline,
          .nothing = nothing,
          .needs = [](ViewStates&) {
            return core::Steps{core::Step::trace, core::Step::ladder, core::Step::ceilings};
          }};
}

}  // namespace ui

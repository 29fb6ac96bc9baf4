// Live timing of the plain launch, and what was launched.
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/canvas/layout.h"
#include "ui/looked_into.h"
#include "ui/panels/panels.h"
#include "ui/panels/under_way.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/stack.h"

namespace ui {
namespace {

bool chained(const core::Result& result) {
  return result.bodies != nullptr;
}

void draw_time(Stack part, const core::Result& result, bool roomy) {
  const core::Timing& timing = result.timing;
  part.heading(chained(result)             ? "Time of a step"
               : result.grids().size() > 1 ? "Time of all launches"
                                           : "Time of a launch",
               "measured");
  part.gap(part.theme().gap.small);
  Strip big{part.canvas, part.lines(1.0F, pen::title)};
  const Rect whole = big.rest;
  big.right(time_text(timing.spread.median), pen::title);
  const std::string why = unsteady_text(timing.spread);
  big.fitting(why.empty() ? Wordings{"median"} : Wordings{"median, unsteady", "unsteady"},
              why.empty() ? pen::dim : pen::accent);
  if (!why.empty() && hit("unsteady", whole).hovered) {
    tell(why);
  }
  const std::string from_to =
      fmt::format("{} – {}", time_text(timing.spread.p5), time_text(timing.spread.p95));
  part.row("p5 – p95", from_to);
  if (roomy && result.device.emulated()) {
    part.say("emulated: not GPU times", pen::accent);
  } else if (roomy) {
    part.row("samples", count_text(timing.samples_ms.size()));
  }
}

// Of a run of several: what each takes.
void draw_launches(Stack part, const core::Result& result) {
  for (std::size_t i = 0; i < result.timing.each_ms.size() && i < result.launches.size(); ++i) {
    part.row(fmt::format("launch {}: {}", i + 1, result.launches[i].title).c_str(),
             time_text(core::spread_of(result.timing.each_ms[i])));
  }
}

// For a kernel without a workload, only a trace shows which bytes the launch touches.
bool knows_bytes(const core::Result& result) {
  return result.variant.work != nullptr || (result.trace && !result.trace->accesses.empty());
}

void draw_rates(const Frame& frame, Stack part, const core::Result& result) {
  if (!knows_bytes(result) && !result.trace) {
    ask_for_trace(frame);
  }
  if (result.flops > 0.0) {
    part.row(result.flops_traced ? "arithmetic, traced" : "arithmetic",
             rate_text(result.gflops(), "FLOP/s"));
  }
  if (knows_bytes(result)) {
    part.row("data (each value once)", rate_text(result.gbps(), "B/s"));
  } else {
    part.row("data (each value once)", "not traced");
  }
}

void draw_costs(Stack part, const core::Result& result) {
  const core::Timing& timing = result.timing;
  part.heading("Other costs", "wall clock");
  part.row("compile", time_text(timing.compile_ms));
  part.row("upload", time_text(timing.upload_ms));
  part.row(chained(result) ? "steps" : "launches", count_text(timing.launches));
  part.row("warm-up (not timed)", count_text(timing.warm_up));
  if (timing.slices > 1) {
    part.row("slices per launch", count_text(timing.slices));
  }
}

std::string dimensions(glm::uvec3 v) {
  std::string text = fmt::format("{} × {}", v.x, v.y);
  return v.z > 1 ? text + fmt::format(" × {}", v.z) : v.y > 1 ? text : std::to_string(v.x);
}

void draw_tiles(Stack part, const core::Result& result) {
  const core::TileMap& tiles = result.tiles;
  const double share = tiles.invocations() > 0
                           ? 100.0 * static_cast<double>(tiles.useful_invocations()) /
                                 static_cast<double>(tiles.invocations())
                           : 0.0;
  part.heading("Tiles", "exact");
  if (result.variant.name.empty()) {
    return part.say("shown after the kernel is compiled", pen::dim);
  }
  part.row("workgroups", dimensions(tiles.groups()));
  part.row("invocations each", dimensions(tiles.local_size));
  part.row("invocations in total", count_text(tiles.invocations()));
  part.row("useful", fmt::format("{} · {:.1f} %", count_text(tiles.useful_invocations()), share));
}

// A part of the panel: heights that it can have, and how to draw it.
struct Section {
  BarItem item;
  bool ruled = false;  ///< a thin line above it
  std::function<void(const Rect& part, int form)> draw;
};

std::vector<Section> sections_of(const Frame& frame, const Canvas& canvas, const core::Result& r,
                                 float gap) {
  const float line = canvas.line_height();
  const float head = line + gap;
  const float strip = 6.0F * line;
  const float histogram = 5.0F * line;
  const core::Timing& timing = r.timing;
  return {
      {{{head + 3.4F * line, head + 2.0F * line}, 9, false},
       false,
       [&](const Rect& part, int form) { draw_time({canvas, part}, r, form == 0); }},
      {{{static_cast<float>(timing.each_ms.size()) * line}, 7},
       false,
       [&](const Rect& part, int) { draw_launches({canvas, part}, r); }},
      {{{strip, 0.6F * strip}, 3},
       false,
       [&](const Rect& part, int) {
         draw_strip_chart(canvas, part, timing.samples_ms, timing.spread);
       }},
      {{{histogram, 0.7F * histogram}, 1},
       false,
       [&](const Rect& part, int) {
         draw_histogram(canvas, part, timing.samples_ms, timing.spread);
       }},
      {{{(r.flops > 0.0 ? 2.0F : 1.0F) * line}, 8},
       false,
       [&](const Rect& part, int) { draw_rates(frame, {canvas, part}, r); }},
      {{{head + (timing.slices > 1 ? 5.0F : 4.0F) * line}, 2},
       true,
       [&](const Rect& part, int) { draw_costs({canvas, part}, r); }},
      {{{head + 4.0F * line}, 4},
       true,
       [&](const Rect& part, int) { draw_tiles({canvas, part}, r); }},
  };
}

// Where there is no room for all sections, they are as low as they can be, and scroll.
void draw_sections(const Frame& frame, const Canvas& ground, const Rect& area,
                   const core::Result& result) {
  const float gap = ground.theme().gap.large;
  const auto there = [&](const Canvas& canvas) {
    auto sections = sections_of(frame, canvas, result, gap);
    std::erase_if(sections, [](const Section& s) { return s.item.widths.front() <= 0.0F; });
    return sections;
  };
  std::vector<BarItem> items;
  std::ranges::transform(there(ground), std::back_inserter(items), &Section::item);
  auto forms = fit(items, area.height(), gap);
  std::optional<Scrolled> body;
  Rect rest = area;
  if (std::ranges::find(forms, -1) != forms.end()) {
    body.emplace(frame, ground, "timing parts", area);
    const float bar = ImGui::GetStyle().ScrollbarSize + ground.theme().gap.small;
    rest = {body->top(), {area.high.x - bar, body->top().y + 1e5F}};
    std::ranges::transform(items, forms.begin(), [](const BarItem& item) {
      return static_cast<int>(item.widths.size()) - 1;
    });
  }
  const Canvas& canvas = body ? body->canvas() : ground;
  const auto sections = there(canvas);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Rect between = i > 0 ? rest.cut_top(gap) : Rect{};
    if (sections[i].ruled) {
      canvas.line({between.low.x, between.centre().y}, {between.high.x, between.centre().y},
                  canvas.theme().colours.line);
    }
    sections[i].draw(rest.cut_top(items[i].widths[static_cast<std::size_t>(forms[i])]), forms[i]);
  }
  if (body) {
    body->ends_at(rest.low);
  }
}

}  // namespace

void draw_timing(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "timing", area);
  const Canvas& canvas = panel.canvas();
  const Theme& theme = frame.theme;
  canvas.fill(area, theme.colours.surface);
  canvas.line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  Stack rest{canvas, area.inset(theme.gap.large, theme.gap.medium)};
  const core::Result& result = frame.model.result;
  if (!result.timing.samples_ms.empty()) {
    return draw_sections(frame, canvas, rest.rest, result);
  }
  rest.heading("Time of a launch", "measured");
  if (is_under_way(result)) {
    const double left = frame.state.of<UnderWay>().left(result.progress, ImGui::GetTime());
    rest.wrap(under_way_words(result, left) + ". Esc cancels it.");
    rest.gap(theme.gap.medium);
    draw_progress_line(canvas, rest.rest.cut_top(theme.gap.small), result.progress);
    rest.gap(theme.gap.medium);
  }
  rest.wrap(result.refused() ? "The kernel is refused and not launched, so it has no time."
            : result.text_only && result.error ? "The kernel does not run, so it has no time."
            : result.timing.warm_up > 0        ? "Warming up; samples follow."
                                               : "Samples appear here after the first launches.",
            pen::dim);
  rest.gap(2.0F * theme.gap.huge);
  if (result.tiles.group_count() > 0 && result.stage != core::Stage::starting) {
    draw_tiles(rest, result);
  }
}

}  // namespace ui

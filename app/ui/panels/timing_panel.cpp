// Live timing of the plain launch, and what was launched.
#include <fmt/format.h>

#include "ui/panels/panels.h"
#include "ui/widgets/charts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/layout.h"

namespace ui {
namespace {

// Sections from the top; `shown` says which of them the height allows.
enum Section { kTime, kLaunches, kStrip, kHistogram, kRates, kCosts, kTiles, kSections };

struct Heights {
  float line, gap, strip, histogram;
};

bool chained(const core::Result& result) {
  return result.bodies != nullptr;
}

std::vector<BarItem> sections(const core::Result& result, const Heights& h) {
  const float head = h.line + h.gap;
  const float rate_lines = result.flops > 0.0 ? 2.0F : 1.0F;
  std::vector<BarItem> items(kSections);
  items[kTime] = {{head + 3.4F * h.line, head + 2.0F * h.line}, 9, false};
  items[kLaunches] = {{static_cast<float>(result.timing.each_ms.size()) * h.line}, 7};
  items[kStrip] = {{h.strip, 0.6F * h.strip}, 3};
  items[kHistogram] = {{h.histogram, 0.7F * h.histogram}, 1};
  items[kRates] = {{rate_lines * h.line}, 8};
  items[kCosts] = {{head + (result.timing.slices > 1 ? 5.0F : 4.0F) * h.line}, 2};
  items[kTiles] = {{head + 4.0F * h.line}, 4};
  return items;
}

void draw_time(const Canvas& canvas, Rect part, const core::Result& result, bool roomy) {
  const Theme& theme = canvas.theme();
  const core::Timing& timing = result.timing;
  heading(canvas, part,
          chained(result)             ? "Time of a step"
          : result.grids().size() > 1 ? "Time of all launches"
                                      : "Time of a launch",
          "measured");
  const Rect big = part.cut_top(canvas.line_height(theme.fonts.title) + theme.px(4));
  canvas.text_in(big, time_text(timing.spread.median), theme.fonts.title, theme.colours.text,
                 Align::right);
  canvas.text_in(big, "median", theme.fonts.text, theme.colours.dim);
  const std::string from_to =
      fmt::format("{} – {}", time_text(timing.spread.p5), time_text(timing.spread.p95));
  row(canvas, part, "p5 – p95", from_to);
  if (roomy && result.device.emulated()) {
    canvas.text_in(part.cut_top(canvas.line_height(theme.fonts.text)),
                   "emulated: not a GPU's times", theme.fonts.text, theme.colours.accent);
  } else if (roomy) {
    row(canvas, part, "samples", count_text(timing.samples_ms.size()));
  }
}

// Of a run of several: what each takes.
void draw_launches(const Canvas& canvas, Rect part, const core::Result& result) {
  for (std::size_t i = 0; i < result.timing.each_ms.size() && i < result.launches.size(); ++i) {
    row(canvas, part, fmt::format("launch {}: {}", i + 1, result.launches[i].title).c_str(),
        time_text(core::spread_of(result.timing.each_ms[i]).median));
  }
}

void draw_rates(const Canvas& canvas, Rect part, const core::Result& result) {
  if (result.flops > 0.0) {
    row(canvas, part, "arithmetic", rate_text(result.gflops(), "FLOP/s"));
  }
  row(canvas, part, "data, each value once", rate_text(result.gbps(), "B/s"));
}

void draw_costs(const Canvas& canvas, Rect part, const core::Result& result) {
  const core::Timing& timing = result.timing;
  heading(canvas, part, "Apart from it", "wall clock");
  row(canvas, part, "compile", time_text(timing.compile_ms));
  row(canvas, part, "upload", time_text(timing.upload_ms));
  row(canvas, part, chained(result) ? "steps" : "launches", count_text(timing.launches));
  row(canvas, part, "of these warm-up, left out", count_text(timing.warm_up));
  if (timing.slices > 1) {
    row(canvas, part, "slices a launch", count_text(timing.slices));
  }
}

std::string dimensions(glm::uvec3 v) {
  std::string text = fmt::format("{} × {}", v.x, v.y);
  return v.z > 1 ? text + fmt::format(" × {}", v.z) : v.y > 1 ? text : std::to_string(v.x);
}

void draw_tiles(const Canvas& canvas, Rect part, const core::Result& result) {
  const core::TileMap& tiles = result.tiles;
  const double share = tiles.invocations() > 0
                           ? 100.0 * static_cast<double>(tiles.useful_invocations()) /
                                 static_cast<double>(tiles.invocations())
                           : 0.0;
  heading(canvas, part, "Tiles", "exact");
  row(canvas, part, "workgroups", dimensions(tiles.groups()));
  row(canvas, part, "invocations each", dimensions(tiles.local_size));
  row(canvas, part, "invocations in all", count_text(tiles.invocations()));
  row(canvas, part, "useful",
      fmt::format("{} · {:.1f} %", count_text(tiles.useful_invocations()), share));
}

// The sections one below the other, with thin lines between those that have a heading.
void draw_sections(const Canvas& canvas, Rect rest, const core::Result& result,
                   const Heights& heights) {
  const Theme& theme = canvas.theme();
  const auto items = sections(result, heights);
  const auto forms = fit(items, rest.height(), heights.gap);
  for (int s = 0; s < kSections; ++s) {
    const auto i = static_cast<std::size_t>(s);
    if (forms[i] < 0) {
      continue;
    }
    if (s != kTime) {
      const Rect gap = rest.cut_top(heights.gap);
      if (s == kCosts || s == kTiles) {
        canvas.line({gap.low.x, gap.centre().y}, {gap.high.x, gap.centre().y}, theme.colours.line);
      }
    }
    const Rect part = rest.cut_top(items[i].widths[static_cast<std::size_t>(forms[i])]);
    switch (s) {
      case kTime:
        draw_time(canvas, part, result, forms[i] == 0);
        break;
      case kLaunches:
        draw_launches(canvas, part, result);
        break;
      case kStrip:
        draw_strip_chart(canvas, part, result.timing.samples_ms, result.timing.spread);
        break;
      case kHistogram:
        draw_histogram(canvas, part, result.timing.samples_ms, result.timing.spread);
        break;
      case kRates:
        draw_rates(canvas, part, result);
        break;
      case kCosts:
        draw_costs(canvas, part, result);
        break;
      default:
        draw_tiles(canvas, part, result);
    }
  }
}

}  // namespace

void draw_timing(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "timing", area);
  const Canvas& canvas = panel.canvas();
  const Theme& theme = frame.theme;
  canvas.fill(area, theme.colours.surface);
  canvas.line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  Rect rest = area.inset(theme.px(16), theme.px(12));
  const core::Result& result = frame.model.result;
  if (result.timing.samples_ms.empty()) {
    heading(canvas, rest, "Time of a launch", "measured");
    nothing_yet(canvas, rest.cut_top(3.0F * canvas.line_height(theme.fonts.text)),
                result.timing.warm_up > 0 ? "Warming up; samples follow."
                                          : "Samples appear here after the first launches.");
    rest.cut_top(theme.px(16));
    if (result.tiles.group_count() > 0 && result.stage != core::Stage::starting) {
      draw_tiles(canvas, rest, result);
    }
    return;
  }
  const Heights heights{.line = canvas.line_height(theme.fonts.text),
                        .gap = theme.px(16),
                        .strip = theme.px(124),
                        .histogram = theme.px(104)};
  draw_sections(canvas, rest, result, heights);
}

}  // namespace ui

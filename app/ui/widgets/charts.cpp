#include "ui/widgets/charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/widgets/axis.h"
#include "ui/widgets/stack.h"

namespace ui {
namespace {

constexpr double kMostMedians = 3.0;  // a machine with other work has launches far above that

// Times to draw: around the samples, without the far outliers that would flatten all the rest.
ValueAxis times_of(const core::Spread& s, float from, float to) {
  const double wide = std::max(s.p95 - s.p5, 0.02 * s.median);
  const double low = std::max({0.0, s.low, s.p5 - wide});
  const double high =
      std::min({std::max(s.high, low), s.p95 + 1.5 * wide, kMostMedians * s.median});
  const double margin = std::max(0.08 * (high - low), 0.004 * s.median);
  return {std::max(0.0, low - margin), high + margin, from, to};
}

// The legend, and how many samples are above the axis.
void write_caption(const Canvas& canvas, const Rect& caption, const Wordings& words,
                   const std::vector<double>& samples, const ValueAxis& axis) {
  const auto above = std::ranges::count_if(samples, [&axis](double ms) { return ms > axis.high; });
  Strip strip{canvas, caption};
  if (above > 0) {
    strip.right(fmt::format("{} above", above), pen::dim);
  }
  strip.fitting(words, pen::dim);
}

}  // namespace

void draw_strip_chart(const Canvas& canvas, const Rect& area, const std::vector<double>& samples,
                      const core::Spread& spread) {
  const Palette& c = canvas.theme().colours;
  Rect chart = area;
  const Rect caption = chart.cut_bottom(canvas.line_height());
  const float half = 0.5F * canvas.line_height(pen::mono);
  const Rect labels =
      chart.cut_right(canvas.width("0000. ms", pen::mono) + canvas.theme().gap.medium);
  const float radius = canvas.theme().scale * (samples.size() > 150 ? 1.3F : 1.8F);
  const ValueAxis y = times_of(spread, chart.high.y, chart.low.y);
  const ValueAxis x{0.0, std::max(static_cast<double>(samples.size()) - 1.0, 1.0),
                    chart.low.x + radius, chart.high.x - radius};
  write_caption(canvas, caption, {"dot: launch; band: p5 – p95", "dots: launches"}, samples, y);
  const float median = y.inside(spread.median);
  canvas.fill({{chart.low.x, y.inside(spread.p95)}, {chart.high.x, y.inside(spread.p5)}},
              fade(c.accent, 0.16F));
  canvas.line({chart.low.x, median}, {chart.high.x, median}, c.accent);
  canvas.line({chart.low.x, chart.high.y}, chart.high, c.line);
  for (std::size_t i = 0; i < samples.size(); i += samples.size() / 600 + 1) {
    canvas.dot({x.pixel(static_cast<double>(i)), y.inside(samples[i])}, radius, c.text);
  }
  canvas.write({{labels.low.x, y.to}, {labels.high.x, y.to + 2.0F * half}}, time_text(y.high),
               pen::mono_dim, Align::right);
  canvas.write({{labels.low.x, y.from - 2.0F * half}, {labels.high.x, y.from}},
               y.low == 0.0 ? "0" : time_text(y.low), pen::mono_dim, Align::right);
}

void draw_histogram(const Canvas& canvas, const Rect& area, const std::vector<double>& samples,
                    const core::Spread& spread) {
  const Palette& c = canvas.theme().colours;
  Stack stack{canvas, area};
  const Rect caption = stack.lines();
  Strip labels{canvas, stack.rest.cut_bottom(canvas.line_height(pen::mono))};
  const Rect& chart = stack.rest;
  const ValueAxis x = times_of(spread, chart.low.x, chart.high.x);
  write_caption(canvas, caption, {"count of launches"}, samples, x);
  const auto bins = static_cast<std::size_t>(
      std::clamp(std::sqrt(static_cast<double>(samples.size())) * 2.0, 6.0, 40.0));
  const auto counts = core::histogram(samples, x.low, x.high, bins);
  const auto most = static_cast<float>(std::max<std::size_t>(std::ranges::max(counts), 1));
  const float width = chart.width() / static_cast<float>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const float height = chart.height() * static_cast<float>(counts[i]) / most;
    const float left = chart.low.x + static_cast<float>(i) * width;
    canvas.fill({{std::round(left), chart.high.y - height},
                 {std::round(left + width) - 1.0F, chart.high.y}},
                fade(c.accent, 0.75F));
  }
  canvas.line({chart.low.x, chart.high.y}, chart.high, c.line);
  labels.right(time_text(x.high), pen::mono_dim);
  labels.write(time_text(x.low), pen::mono_dim);
}

}  // namespace ui

#include "ui/widgets/charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/widgets/format.h"

namespace ui {
namespace {

// Times to draw: around the samples, without the far outliers that would flatten all the rest.
struct Range {
  double low;
  double high;
  explicit Range(const core::Spread& s) {
    const double wide = std::max(s.p95 - s.p5, 0.02 * s.median);
    low = std::max({0.0, s.low, s.p5 - wide});
    high = std::min(std::max(s.high, low), s.p95 + 1.5 * wide);
    const double margin = std::max(0.08 * (high - low), 0.004 * s.median);
    low = std::max(0.0, low - margin);
    high += margin;
  }
  [[nodiscard]] float fraction(double value) const {
    return static_cast<float>(std::clamp((value - low) / (high - low), 0.0, 1.0));
  }
};

}  // namespace

void draw_strip_chart(const Canvas& canvas, const Rect& area, const std::vector<double>& samples,
                      const core::Spread& spread) {
  const Theme& theme = canvas.theme();
  const Palette& c = theme.colours;
  const Range range(spread);
  Rect chart = area;
  canvas.text_in(chart.cut_bottom(canvas.line_height(theme.fonts.text)),
                 "newest right; band p5 – p95", theme.fonts.text, c.dim);
  const Rect labels = chart.cut_right(canvas.measure("0000. ms", theme.fonts.mono).x + theme.px(6));
  const auto y = [&](double value) {
    return chart.high.y - range.fraction(value) * chart.height();
  };
  canvas.fill({{chart.low.x, y(spread.p95)}, {chart.high.x, y(spread.p5)}}, fade(c.accent, 0.16F));
  canvas.line({chart.low.x, y(spread.median)}, {chart.high.x, y(spread.median)}, c.accent);
  canvas.line({chart.low.x, chart.high.y}, {chart.high.x, chart.high.y}, c.line);
  const double places = std::max<double>(static_cast<double>(samples.size()) - 1.0, 1.0);
  const float radius = theme.scale * (samples.size() > 150 ? 1.3F : 1.8F);
  const std::size_t stride = samples.size() / 600 + 1;
  for (std::size_t i = 0; i < samples.size(); i += stride) {
    const float x =
        chart.low.x + chart.width() * static_cast<float>(static_cast<double>(i) / places);
    canvas.dot({x, y(samples[i])}, radius, c.text);
  }
  const float half = 0.5F * canvas.line_height(theme.fonts.mono);
  const auto label = [&](float at, double value) {
    const Rect box{{labels.low.x, at - half}, {labels.high.x, at + half}};
    canvas.text_in(box, time_text(value), theme.fonts.mono, c.dim, Align::right);
  };
  label(chart.low.y + half, range.high);
  label(chart.high.y - half, range.low);
}

void draw_histogram(const Canvas& canvas, const Rect& area, const std::vector<double>& samples,
                    const core::Spread& spread) {
  const Theme& theme = canvas.theme();
  const Palette& c = theme.colours;
  Rect chart = area;
  canvas.text_in(chart.cut_top(canvas.line_height(theme.fonts.text)), "how often which time",
                 theme.fonts.text, c.dim);
  const Rect labels = chart.cut_bottom(canvas.line_height(theme.fonts.mono));
  const Range range(spread);
  const auto bins = static_cast<std::size_t>(
      std::clamp(std::sqrt(static_cast<double>(samples.size())) * 2.0, 6.0, 40.0));
  const auto counts = core::histogram(samples, range.low, range.high, bins);
  const std::size_t most = std::max<std::size_t>(*std::ranges::max_element(counts), 1);
  const float width = chart.width() / static_cast<float>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const float height = chart.height() * static_cast<float>(counts[i]) / static_cast<float>(most);
    const float x = chart.low.x + static_cast<float>(i) * width;
    canvas.fill(
        {{std::round(x), chart.high.y - height}, {std::round(x + width) - 1.0F, chart.high.y}},
        fade(c.accent, 0.75F));
  }
  canvas.line({chart.low.x, chart.high.y}, {chart.high.x, chart.high.y}, c.line);
  const float middle = labels.centre().x;
  canvas.text_in({labels.low, {middle, labels.high.y}}, time_text(range.low), theme.fonts.mono,
                 c.dim);
  canvas.text_in({{middle, labels.low.y}, labels.high}, time_text(range.high), theme.fonts.mono,
                 c.dim, Align::right);
}

}  // namespace ui

#include "ui/widgets/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ui {
namespace {

constexpr float kApart = 4.0F;  // lines of text, for the numbers below a plot

std::string text_of(const AxisLook& look, double value) {
  return look.text ? look.text(value)
                   : fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

}  // namespace

float ValueAxis::pixel(double value) const {
  const double share =
      logarithmic ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
                  : (value - low) / (high - low);
  return from + static_cast<float>(share * static_cast<double>(to - from));
}

double ValueAxis::value(float pixel) const {
  const double share = static_cast<double>((pixel - from) / (to - from));
  return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

std::vector<double> ValueAxis::ticks(float apart) const {
  const float room = std::abs(to - from) / apart;
  return logarithmic ? log_ticks(low, high)
                     : round_values(low, high, static_cast<std::size_t>(std::max(room, 2.0F)));
}

std::vector<double> round_values(double low, double high, std::size_t most) {
  const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(most, 1));
  if (!(rough > 0.0)) {
    return {low};
  }
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * decade;
  for (const double nice : {5.0, 2.0, 1.0}) {
    step = nice * decade >= rough ? nice * decade : step;
  }
  std::vector<double> values;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n += 1.0) {
    values.push_back(n * step);
  }
  return values;
}

std::vector<double> log_ticks(double low, double high) {
  const bool few = std::log10(high / low) < 2.0;
  std::vector<double> ticks;
  const auto first = static_cast<int>(std::floor(std::log10(low)));
  const auto last = static_cast<int>(std::ceil(std::log10(high)));
  for (int power = first; power <= last; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, power);
      if (value >= low && value <= high && (few || factor == 1.0)) {
        ticks.push_back(value);
      }
    }
  }
  return ticks;
}

void draw_axis_below(const Canvas& canvas, const Rect& plot, const ValueAxis& axis,
                     const AxisLook& look) {
  const Theme& theme = canvas.theme();
  const float top = plot.high.y + theme.gap.small;
  const float name = look.name.empty() ? 0.0F : canvas.width(look.name) + theme.gap.medium;
  const bool named = name > 0.0F && name < 0.4F * plot.width();
  const float last = plot.high.x - (named ? name : 0.0F);
  float free_from = plot.low.x - canvas.line_height();
  if (!look.grid) {
    canvas.line({plot.low.x, plot.high.y}, plot.high, theme.colours.line);
  }
  for (const double tick : axis.ticks(kApart * canvas.line_height())) {
    const float x = axis.pixel(tick);
    look.grid ? canvas.line({x, plot.low.y}, {x, plot.high.y + theme.gap.thin},
                            fade(theme.colours.line, 0.7F))
              : canvas.line({x, plot.high.y}, {x, top}, theme.colours.dim);
    const std::string text = text_of(look, tick);
    const float width = canvas.width(text, pen::mono);
    // At the ends it moves inside.
    const float left =
        std::clamp(x - 0.5F * width, plot.low.x, std::max(plot.high.x - width, plot.low.x));
    if (left > free_from && left + width <= last) {
      canvas.text({left, top}, text, theme.fonts.mono, theme.colours.dim);
      free_from = left + width + theme.gap.medium;
    }
  }
  if (named) {
    canvas.write({{last, top}, {plot.high.x, top + canvas.line_height()}}, look.name, pen::dim,
                 Align::right);
  }
}

void draw_axis_left(const Canvas& canvas, const Rect& plot, const ValueAxis& axis,
                    const AxisLook& look) {
  const Theme& theme = canvas.theme();
  const float line = canvas.line_height(pen::mono);
  float free_to = plot.high.y + line;
  for (const double tick : axis.ticks(2.0F * line)) {
    const float y = axis.pixel(tick);
    if (look.grid) {
      canvas.line({plot.low.x, y}, {plot.high.x, y}, fade(theme.colours.line, 0.7F));
    }
    if (y + 0.5F * line <= free_to) {
      free_to = y - 0.5F * line;
      const std::string text = text_of(look, tick);
      const float right = plot.low.x - theme.gap.small;
      canvas.text({right - canvas.width(text, pen::mono), free_to}, text, theme.fonts.mono,
                  theme.colours.dim);
    }
  }
  canvas.write({plot.low + glm::vec2(theme.gap.small, 0.0F),
                {plot.centre().x, plot.low.y + canvas.line_height()}},
               look.name, pen::dim);
}

float axis_height(const Canvas& canvas) {
  return canvas.line_height(pen::mono) + canvas.theme().gap.small;
}

}  // namespace ui

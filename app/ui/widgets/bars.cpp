// A chart of bars with whiskers: a name, a bar and its numbers a row.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/panels/rungs.h"

namespace ui {
namespace {

constexpr float kLeastBar = 110.0F;  // at scale 1, before the second numbers give way
constexpr float kTickApart = 64.0F;

// Places of the columns and rows of one chart.
struct Columns {
  float name, number, second;  ///< widths; second 0: left out
  float row;                   ///< height
  Rect bars;                   ///< where bars can be
  std::size_t first, shown;    ///< rows
  double most;                 ///< value at the right end
  [[nodiscard]] float x(double value) const {
    return bars.low.x + static_cast<float>(std::clamp(value / most, 0.0, 1.0)) * bars.width();
  }
};

float widest(const Canvas& canvas, const BarChart& chart, std::string BarRow::* text,
             ImFont* font) {
  float width = 0.0F;
  for (const BarRow& row : chart.rows) {
    width = std::max(width, canvas.measure(row.*text, font).x);
  }
  return width + 1.0F;
}

double largest(const BarChart& chart) {
  double most = chart.limit;
  for (const BarRow& row : chart.rows) {
    most = std::max({most, row.value, row.high});
  }
  return most > 0.0 ? 1.03 * most : 1.0;
}

Columns columns_of(const Canvas& canvas, Rect area, BarChart& chart) {
  const Theme& theme = canvas.theme();
  const float gap = theme.px(10);
  Columns c{};
  c.name = std::min(widest(canvas, chart, &BarRow::name, theme.fonts.text), 0.36F * area.width());
  c.number = widest(canvas, chart, &BarRow::number, theme.fonts.mono);
  c.second = widest(canvas, chart, &BarRow::second, theme.fonts.mono);
  const float fixed = c.name + c.number + 2.0F * gap;
  if (area.width() - fixed - c.second - gap < theme.px(kLeastBar)) {
    c.second = 0.0F;
  }
  const float line = canvas.line_height(theme.fonts.text);
  area.cut_bottom(2.0F * line + theme.px(4));  // the axis
  const auto rows = static_cast<float>(std::max<std::size_t>(chart.rows.size(), 1));
  c.row = std::clamp(std::floor(area.height() / rows), line + 1.0F, line + theme.px(14));
  c.shown =
      std::min(chart.rows.size(), static_cast<std::size_t>(std::max(0.0F, area.height() / c.row)));
  chart.first_row = std::clamp(chart.first_row, 0, static_cast<int>(chart.rows.size() - c.shown));
  c.first = static_cast<std::size_t>(chart.first_row);
  c.bars = {{area.low.x + c.name + gap, area.low.y},
            {area.high.x - c.number - gap - (c.second > 0.0F ? c.second + gap : 0.0F),
             area.low.y + c.row * static_cast<float>(c.shown)}};
  c.most = largest(chart);
  return c;
}

// 1, 2 or 5 times a power of ten, so that ticks are far enough apart.
double tick_step(double most, float width, float apart) {
  const double least = most * static_cast<double>(apart / std::max(width, 1.0F));
  const double ten = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * ten >= least) {
      return factor * ten;
    }
  }
  return 10.0 * ten;
}

void draw_axis(const Canvas& canvas, const Rect& area, const Columns& c, const BarChart& chart) {
  const Theme& theme = canvas.theme();
  const Palette& colours = theme.colours;
  const float line = canvas.line_height(theme.fonts.text);
  const float top = c.bars.high.y + theme.px(4);
  const double step = tick_step(c.most, c.bars.width(), theme.px(kTickApart));
  float free_from = area.low.x;
  for (double value = 0.0; value <= c.most; value += step) {
    const float x = c.x(value);
    canvas.line({x, c.bars.low.y}, {x, c.bars.high.y + theme.px(3)}, fade(colours.line, 0.8F));
    const std::string text = fmt::format("{:g}", value);
    const float width = canvas.measure(text, theme.fonts.mono).x;
    const float left = x - 0.5F * width;
    if (left > free_from && left + width < area.high.x) {
      canvas.text({left, top}, text, theme.fonts.mono, colours.dim);
      free_from = left + width + theme.px(6);
    }
  }
  std::string caption = chart.unit;
  if (c.shown < chart.rows.size()) {
    caption = fmt::format("rows {}–{} of {} (wheel, arrows); ", c.first + 1, c.first + c.shown,
                          chart.rows.size()) +
              caption;
  }
  if (!chart.limit_name.empty()) {
    caption += "; line: " + chart.limit_name;
  }
  canvas.text_in({{area.low.x, top + line}, {area.high.x, top + 2.0F * line}}, caption,
                 theme.fonts.text, colours.dim, Align::right);
}

void draw_whiskers(const Canvas& canvas, const Columns& c, const Rect& bar, const BarRow& row) {
  if (row.high <= 0.0) {
    return;
  }
  const Theme& theme = canvas.theme();
  const float middle = std::floor(bar.centre().y);
  const float cap = 0.3F * bar.height();
  const float low = std::floor(c.x(row.low));
  const float high = std::max(std::floor(c.x(row.high)), low + 1.0F);
  const Colour colour = theme.colours.text;
  canvas.line({low, middle}, {high, middle}, colour);
  canvas.line({low, middle - cap}, {low, middle + cap}, colour);
  canvas.line({high, middle - cap}, {high, middle + cap}, colour);
}

void draw_row(const Canvas& canvas, Rect area, const Columns& c, const BarRow& row, bool hovered) {
  const Theme& theme = canvas.theme();
  const Palette& colours = theme.colours;
  const float gap = theme.px(10);
  if (row.chosen || hovered) {
    canvas.fill(area.inset(-theme.px(8), 0.0F), colours.hover);
  }
  if (row.chosen) {
    canvas.fill({{area.low.x - theme.px(8), area.low.y}, {area.low.x - theme.px(5), area.high.y}},
                colours.accent);
  }
  canvas.text_in(area.cut_left(c.name), row.name, theme.fonts.text,
                 row.instead.empty() ? colours.text : colours.dim);
  if (!row.instead.empty()) {
    area.cut_left(gap);
    canvas.text_in(area, row.instead, theme.fonts.text, row.warned ? colours.text : colours.dim);
    return;
  }
  canvas.text_in(area.cut_right(c.number), row.number, theme.fonts.mono, colours.text,
                 Align::right);
  area.cut_right(gap);
  if (c.second > 0.0F) {
    canvas.text_in(area.cut_right(c.second), row.second, theme.fonts.mono, colours.dim,
                   Align::right);
  }
  const float height = std::round(std::min(0.62F * area.height(), theme.px(16)));
  const float top = std::round(area.centre().y - 0.5F * height);
  const Rect bar{{c.bars.low.x, top},
                 {std::max(c.x(row.value), c.bars.low.x + 1.0F), top + height}};
  const Colour colour = row.chosen ? colours.accent : mix(colours.background, colours.dim, 0.75F);
  canvas.fill(bar, row.faint ? fade(colour, 0.4F) : colour);
  draw_whiskers(canvas, c, bar, row);
}

}  // namespace

BarHit draw_bars(const Canvas& canvas, const Rect& area, BarChart& chart) {
  const Theme& theme = canvas.theme();
  BarHit result;
  const Hit mouse = hit("bars", area);
  if (mouse.hovered && ImGui::GetIO().MouseWheel != 0.0F) {
    chart.first_row -= ImGui::GetIO().MouseWheel > 0.0F ? 1 : -1;
  }
  const Columns c = columns_of(canvas, area, chart);
  if (c.shown == 0 || c.bars.width() < theme.px(20)) {
    return result;
  }
  draw_axis(canvas, area, c, chart);
  const float at = ImGui::GetIO().MousePos.y;
  for (std::size_t i = c.first; i < c.first + c.shown; ++i) {
    const float top = c.bars.low.y + c.row * static_cast<float>(i - c.first);
    const Rect row{{area.low.x, top}, {area.high.x, top + c.row}};
    const bool hovered = mouse.hovered && at >= row.low.y && at < row.high.y;
    draw_row(canvas, row, c, chart.rows[i], hovered);
    if (hovered) {
      result.hovered = i;
      result.clicked = mouse.clicked ? result.hovered : std::nullopt;
    }
  }
  if (chart.limit > 0.0) {
    const float x = c.x(chart.limit);
    canvas.line({x, c.bars.low.y}, {x, c.bars.high.y + theme.px(3)}, theme.colours.global,
                theme.px(2));
  }
  return result;
}

}  // namespace ui

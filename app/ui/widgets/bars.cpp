// A chart of bars with whiskers: a table whose second column is drawn, with an axis below.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/panels/rungs.h"
#include "ui/widgets/axis.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

enum Column : std::size_t { kName, kBar, kSecond, kNumber };

double largest(const BarChart& chart) {
  double most = chart.limit;
  for (const BarRow& row : chart.rows) {
    most = std::max({most, row.value, row.high});
  }
  return most > 0.0 ? 1.03 * most : 1.0;
}

// The whole of it; without the keys; how many there are, or the unit, alone.
Wordings caption_of(const BarChart& chart, const TableDrawn& drawn) {
  const std::string line = chart.limit_name.empty() ? "" : "; line: " + chart.limit_name;
  if (drawn.shown >= chart.rows.size()) {
    return {chart.unit + line, chart.unit, chart.unit.substr(0, chart.unit.find(';'))};
  }
  const std::string rows = fmt::format("rows {}–{} of {}", drawn.first + 1,
                                       drawn.first + drawn.shown, chart.rows.size());
  const std::string last = fmt::format("{}; {}{}", rows, chart.unit, line);
  return {fmt::format("{} (wheel, arrows); {}{}", rows, chart.unit, line), last, rows};
}

Table table_of(const BarChart& chart) {
  Table table{.columns = {{.align = Align::left, .pen = pen::text, .importance = 4, .most = 0.36F},
                          {.importance = 3, .least = 6.0F},
                          {.pen = pen::mono_dim, .importance = 1},
                          {.importance = 2}},
              .rows = {},
              .first = static_cast<std::size_t>(std::max(chart.first_row, 0)),
              .roomy = true};
  for (const BarRow& row : chart.rows) {
    TableRow cells{.cells = {row.name, "", row.second, row.number}, .chosen = row.chosen};
    if (!row.instead.empty()) {
      cells.cells = {{row.name, pen::dim}, {row.instead, row.warned ? pen::text : pen::dim}};
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void draw_bar(const Canvas& canvas, const Rect& cell, const ValueAxis& axis, const BarRow& row) {
  const Palette& c = canvas.theme().colours;
  const float height = std::round(std::min(0.62F * cell.height(), canvas.line_height()));
  const float top = std::round(cell.centre().y - 0.5F * height);
  const Rect bar{{cell.low.x, top},
                 {std::max(axis.inside(row.value), cell.low.x + 1.0F), top + height}};
  const Colour colour = row.chosen ? c.accent : mix(c.background, c.dim, 0.75F);
  canvas.fill(bar, row.faint ? fade(colour, 0.4F) : colour);
  if (row.high > 0.0) {  // whiskers
    const float middle = std::floor(bar.centre().y);
    const float cap = 0.3F * height;
    const float low = std::floor(axis.inside(row.low));
    const float high = std::max(std::floor(axis.inside(row.high)), low + 1.0F);
    canvas.line({low, middle}, {high, middle}, c.text);
    canvas.line({low, middle - cap}, {low, middle + cap}, c.text);
    canvas.line({high, middle - cap}, {high, middle + cap}, c.text);
  }
}

}  // namespace

namespace {

// Names of the columns, above them; the one that was clicked on.
std::optional<std::size_t> draw_heads(const Canvas& canvas, const BarChart& chart,
                                      const TableDrawn& drawn, const Rect& line) {
  std::optional<std::size_t> clicked;
  for (std::size_t i = 0; i < std::min(chart.heads.size(), drawn.columns.size()); ++i) {
    const Rect cell{{drawn.columns[i].low.x, line.low.y}, {drawn.columns[i].high.x, line.high.y}};
    if (cell.empty() || chart.heads[i].empty()) {
      continue;
    }
    const Hit mouse = hit(("sort by " + chart.heads[i]).c_str(), cell);
    const bool on = i == chart.sorted;
    const std::string arrow = on ? (chart.falling ? " ▼" : " ▲") : "";
    const Wordings words{chart.heads[i] + arrow, on && i > kBar ? arrow.substr(1) : chart.heads[i]};
    canvas.write(cell, canvas.fitting(words, cell.width()),
                 on || mouse.hovered ? pen::text : pen::dim,
                 i <= kBar ? Align::left : Align::right);
    clicked = mouse.clicked ? std::optional(i) : clicked;
  }
  return clicked;
}

}  // namespace

BarHit draw_bars(const Canvas& canvas, const Rect& area, BarChart& chart) {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel != 0.0F && area.contains(vec(ImGui::GetIO().MousePos))) {
    chart.first_row -= wheel > 0.0F ? 1 : -1;
  }
  Stack stack{canvas, area};
  const float caption = canvas.line_height();
  stack.rest.cut_bottom(axis_height(canvas) + caption);
  const Rect heads =
      chart.heads.empty() ? Rect() : stack.rest.cut_top(caption + canvas.theme().gap.small);
  ValueAxis axis{.low = 0.0, .high = largest(chart)};
  Table table = table_of(chart);
  table.ground = [&](const TableDrawn& drawn) {
    const Rect& bars = drawn.columns[kBar];
    axis.from = bars.low.x;
    axis.to = bars.high.x;
    draw_axis_below(canvas, bars, axis, {.grid = true});
    const float y = bars.high.y + axis_height(canvas);
    canvas.write({{area.low.x, y}, {area.high.x, y + caption}},
                 canvas.fitting(caption_of(chart, drawn), area.width(), pen::dim), pen::dim,
                 Align::right);
  };
  table.paint = [&](const Rect& cell, std::size_t row, std::size_t column) {
    if (column == kBar) {
      draw_bar(canvas, cell, axis, chart.rows[row]);
    }
  };
  const TableDrawn drawn = draw_table(canvas, stack.rest, "bar", table);
  chart.first_row = static_cast<int>(drawn.first);
  if (chart.limit > 0.0) {
    const Rect& bars = drawn.columns[kBar];
    const float x = axis.inside(chart.limit);
    canvas.line({x, bars.low.y}, {x, bars.high.y}, canvas.theme().colours.global,
                canvas.theme().gap.thin);
  }
  return {drawn.hovered, drawn.clicked,
          heads.empty() ? std::nullopt : draw_heads(canvas, chart, drawn, heads)};
}

}  // namespace ui

#include "ui/widgets/table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "ui/widgets/names.h"

namespace ui {
namespace {

float row_height(const Canvas& canvas) {
  return canvas.line_height() + canvas.theme().gap.thin;
}

// Beside the words of rows that can be lit.
float margin(const Canvas& canvas, const Table& table) {
  return table.choosable ? canvas.theme().gap.medium : 0.0F;
}

float between_columns(const Canvas& canvas) {
  return 1.5F * canvas.theme().gap.medium;
}

const Pen& pen_of(const Table& table, const TableRow& row, std::size_t column) {
  const TableCell& cell = row.cells[column];
  return row.heading ? pen::dim : cell.own ? *cell.own : table.columns[column].pen;
}

bool spans(const Table& table, const TableRow& row, std::size_t column) {
  return column + 1 == row.cells.size() && row.cells.size() < table.columns.size();
}

// The name gives way, never what is kept behind it.
std::string words_in(const Canvas& canvas, const TableCell& cell, float width, const Pen& pen) {
  if (canvas.width(cell.text, pen) <= width) {
    return cell.text;
  }
  const std::string& text = cell.brief.empty() ? cell.text : cell.brief;
  const std::size_t kept = std::min(cell.kept, text.size());
  const std::string end = text.substr(text.size() - kept);
  const float room = width - canvas.width(end, pen);
  return room < canvas.width("…", pen)
             ? shorten_name(canvas, text, width, pen)
             : shorten_name(canvas, text.substr(0, text.size() - kept), room, pen) + end;
}

// Nothing is known in it of any row.
bool empty(const Table& table, std::size_t column) {
  return std::ranges::all_of(table.rows, [&](const TableRow& row) {
    return row.heading || column >= row.cells.size() || row.cells[column].text.empty();
  });
}

// With the gap beside it; 0: the column gives way.
float wish(const Canvas& canvas, const Table& table, std::size_t column, float room) {
  const TableColumn& c = table.columns[column];
  float width = c.least * canvas.line_height();
  if (c.least == 0.0F && empty(table, column)) {
    return 0.0F;
  }
  for (const TableRow& row : table.rows) {
    if (c.least == 0.0F && column < row.cells.size() && !spans(table, row, column)) {
      width = std::max(width, canvas.width(row.cells[column].text, pen_of(table, row, column)));
    }
  }
  return std::min(std::ceil(width) + 1.0F, c.most * room) + between_columns(canvas);
}

std::vector<float> widths_of(const Canvas& canvas, const Table& table, float room) {
  std::vector<float> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    widths.push_back(wish(canvas, table, i, room));
  }
  const auto spare = [&] {
    return room + between_columns(canvas) - std::accumulate(widths.begin(), widths.end(), 0.0F);
  };
  std::vector<std::size_t> order(widths.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return table.columns[i].importance; });
  for (std::size_t i = 0; i + 1 < order.size() && spare() < 0.0F; ++i) {
    widths[order[i]] = 0.0F;
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] += table.columns[i].least > 0.0F && widths[i] > 0.0F ? std::max(spare(), 0.0F) : 0.0F;
  }
  return widths;
}

void draw_row(const Canvas& canvas, const TableDrawn& drawn, const Table& table, std::size_t at,
              const Rect& area) {
  const TableRow& row = table.rows[at];
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    Rect cell{{drawn.columns[i].low.x, area.low.y}, {drawn.columns[i].high.x, area.high.y}};
    if (spans(table, row, i)) {
      cell.high.x = area.high.x - margin(canvas, table);
    } else if (cell.empty()) {
      continue;
    }
    const Align align = spans(table, row, i) ? Align::left : table.columns[i].align;
    const bool unknown = row.cells[i].text.empty() && table.columns[i].least == 0.0F;
    const Pen& pen = pen_of(table, row, i);
    canvas.write(cell, unknown ? "–" : words_in(canvas, row.cells[i], cell.width(), pen), pen,
                 align);
    if (table.paint && !row.heading && !spans(table, row, i)) {
      table.paint(cell, at, i);
    }
  }
  if (row.heading) {
    canvas.line({area.low.x, area.high.y - 1.0F}, {area.high.x, area.high.y - 1.0F},
                canvas.theme().colours.line);
  }
}

// Which rows are shown, and how high they are.
float share_out(const Canvas& canvas, const Rect& area, const Table& table, TableDrawn& drawn) {
  const float least = row_height(canvas);
  const std::size_t count = table.rows.size();
  const float fair =
      std::floor(area.height() / static_cast<float>(std::max<std::size_t>(count, 1)));
  const float height =
      table.roomy ? std::clamp(fair, least, least + canvas.theme().gap.large) : least;
  drawn.shown =
      std::min(count, static_cast<std::size_t>(std::max(area.height() + 1.0F, 0.0F) / height));
  drawn.first = std::min(table.first, count - drawn.shown);
  const auto chosen = std::ranges::find(table.rows, true, &TableRow::chosen) - table.rows.begin();
  const auto at = static_cast<std::size_t>(chosen);
  if (!table.roomy && at < count && at >= drawn.first + drawn.shown) {
    drawn.first = std::min(at + 1 - drawn.shown + drawn.shown / 3, count - drawn.shown);
  }
  return height;
}

}  // namespace

namespace {

// Rows that stand neither from `first` to `last`, nor are names of columns.
std::size_t left_out(const Table& table, std::size_t first, std::size_t last) {
  const auto rows = std::span(table.rows);
  const auto count = [](std::span<const TableRow> some) {
    return static_cast<std::size_t>(std::ranges::count(some, false, &TableRow::heading));
  };
  return count(rows.first(first)) + count(rows.subspan(last));
}

}  // namespace

float table_height(const Canvas& canvas, const Table& table) {
  return static_cast<float>(table.rows.size()) * row_height(canvas);
}

TableDrawn draw_table(const Canvas& canvas, const Rect& whole, const char* id, const Table& table) {
  TableDrawn drawn;
  const float height = share_out(canvas, whole, table, drawn);
  // A row at least is shown, besides the names of its columns.
  const std::size_t least = !table.rows.empty() && table.rows.front().heading ? 2 : 1;
  const std::size_t last = drawn.first + drawn.shown;
  const bool hides = !table.roomy && last < table.rows.size() && drawn.shown > 0;
  const std::string more = left_out_words(left_out(table, drawn.first, last)).front();
  Rect area = whole;
  // Where there is no line for it, beside the last one.
  const bool beside = hides && (drawn.shown <= least || table.rows[last - 1].chosen);
  const Rect side =
      beside ? area.cut_right(canvas.width(more) + canvas.theme().gap.medium) : Rect();
  Rect rest = area;
  const Rect all = rest.cut_top(height * static_cast<float>(drawn.shown));
  float x = area.low.x + margin(canvas, table);
  for (const float width : widths_of(canvas, table, area.width() - 2.0F * margin(canvas, table))) {
    const float end = width > 0.0F ? x + width - between_columns(canvas) : x;
    drawn.columns.push_back({{x, all.low.y}, {end, all.high.y}});
    x += width;
  }
  if (table.ground) {
    table.ground(drawn);
  }
  rest = all;
  for (std::size_t i = drawn.first; i < last; ++i) {
    const Rect line = rest.cut_top(height);
    const TableRow& row = table.rows[i];
    if (hides && !beside && i + 1 == last) {
      canvas.write(line.inset(margin(canvas, table), 0.0F),
                   left_out_words(left_out(table, drawn.first, i)).front(), pen::dim);
      break;
    }
    if (table.choosable && !row.heading) {
      const Hit mouse = choosable(canvas, fmt::format("{} {}", id, i), line, row.chosen);
      drawn.hovered = mouse.hovered ? std::optional(i) : drawn.hovered;
      drawn.clicked = mouse.clicked ? std::optional(i) : drawn.clicked;
    }
    draw_row(canvas, drawn, table, i, line);
    if (beside && i + 1 == last) {
      canvas.write({{side.low.x, line.low.y}, {side.high.x, line.high.y}}, more, pen::dim,
                   Align::right);
    }
  }
  return drawn;
}

}  // namespace ui

// Tables: columns know how wide they are and give way where room is short, rows can be chosen.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/widgets/stack.h"

namespace ui {

struct TableColumn {
  Align align = Align::right;
  Pen pen = pen::mono;
  int importance = 0;  ///< the least important gives way first
  float least = 0.0F;  ///< above 0: it takes the room that others leave, so many lines at least
  float most = 1.0F;   ///< of the table's width
};

struct TableCell {
  std::string text;
  std::optional<Pen> own;  ///< instead of its column's
  std::string brief;       ///< where the text has no room; empty: the text, shortened
  std::size_t kept = 0;    ///< bytes at the end of what is shortened that are never cut: an index

  TableCell(std::string words) : text(std::move(words)) {}
  TableCell(const char* words) : text(words) {}
  TableCell(std::string words, const Pen& pen) : text(std::move(words)), own(pen) {}
};

struct TableRow {
  /// One for each column; of fewer the last one has all the room that is left. Empty: not known; a
  /// column of which nothing is known gives way.
  std::vector<TableCell> cells;
  bool heading = false;  ///< names of columns: dim, a line below, not to be chosen
  bool chosen = false;
};

/// What came of drawing one.
struct TableDrawn {
  std::size_t first = 0, shown = 0;  ///< rows
  std::vector<Rect> columns;         ///< with all rows that are shown; empty ones gave way
  std::optional<std::size_t> hovered, clicked;
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::size_t first = 0;  ///< the topmost row that is shown where not all fit
  bool choosable = true;  ///< rows take the mouse
  /// Rows share out the room that there is; the caller tells of those that have none. Otherwise the
  /// chosen row is always seen, and the last line tells how many more there are.
  bool roomy = false;
  /// Draws what is not words: behind the rows, once it is known where columns are, and into the
  /// cell of a row and column.
  std::function<void(const TableDrawn& drawn)> ground = nullptr;
  std::function<void(const Rect& cell, std::size_t row, std::size_t column)> paint = nullptr;
};

[[nodiscard]] float table_height(const Canvas& canvas, const Table& table);
/// As many rows as fit; their ids follow from `id`.
TableDrawn draw_table(const Canvas& canvas, const Rect& area, const char* id, const Table& table);

}  // namespace ui

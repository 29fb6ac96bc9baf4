// Where a workgroup's shared arrays and its invocations stand beside each other. Pure geometry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/ceil_div.h"
#include "core/report/trace.h"
#include "ui/canvas/rect.h"

namespace ui {

/// Cells in rows: a shared array as it lies in memory, or the invocations of a workgroup.
struct CellBlock {
  bool invocations = false;
  std::uint32_t variable = 0;  ///< of an array: place in Trace::variables
  std::uint64_t count = 1;     ///< cells
  std::uint32_t columns = 1;   ///< cells a row; the last row may be shorter
  std::uint32_t wide = 1;      ///< units that a cell is wide, and that it is high: few long rows
  std::uint32_t high = 1;
  bool wrapped = false;  ///< a row is not the innermost dimension, but a piece of it
  /// Cells on each side around as many rows and columns as the workgroup has: a stencil's tile.
  std::uint32_t halo = 0;
  Rect area;  ///< of all cells, pixels
  Rect slot;  ///< the area with what belongs to it: captions, notes

  [[nodiscard]] std::uint32_t rows() const {
    return static_cast<std::uint32_t>(core::ceil_div(count, columns));
  }
  [[nodiscard]] glm::vec2 cell_size() const { return area.size() / glm::vec2(columns, rows()); }
  [[nodiscard]] Rect cell(std::uint64_t index) const;
  [[nodiscard]] std::optional<std::uint64_t> cell_at(glm::vec2 pixel) const;
  /// Without the halo.
  [[nodiscard]] Rect inner() const {
    const glm::vec2 edge = static_cast<float>(halo) * cell_size();
    return area.inset(edge.x, edge.y);
  }
};

/// Cells a row of a one-dimensional array, so that it is not drawn as a line.
[[nodiscard]] std::uint32_t wrap_columns(std::uint64_t count);

/// The shared arrays and the invocations, without places yet: invocations after the first array
/// where there are several, else before it.
[[nodiscard]] std::vector<CellBlock> cell_blocks(const core::Trace& trace);

/// Lengths around blocks, pixels.
struct BlockSpacing {
  float above = 0.0F;  ///< for a caption
  float below = 0.0F;  ///< for notes
  float between = 0.0F;
  float least_slot = 0.0F;  ///< width that captions need
  float largest_cell = 0.0F;
  /// Invocations that would be smaller are drawn larger than cells of arrays, as far as there is
  /// room.
  float readable = 0.0F;
};

/// Places the blocks in rows inside `room`, all cells in the same units, as large as possible;
/// those of wide arrays higher where that leaves room, small invocations larger. Lines of up to 64
/// cells are folded once more where that makes cells larger.
void place_blocks(std::vector<CellBlock>& blocks, const Rect& room, const BlockSpacing& spacing);

/// In order, each once.
void sort_unique(std::vector<std::uint64_t>& cells);

/// Cells of a block that belong together, as few rectangles of cells.
struct CellRun {
  std::uint32_t row = 0, column = 0, rows = 1, columns = 1;
  [[nodiscard]] std::uint64_t cells() const { return std::uint64_t{rows} * columns; }
  bool operator==(const CellRun&) const = default;
};
/// `cells` in ascending order, each once.
[[nodiscard]] std::vector<CellRun> runs_of(const CellBlock& block,
                                           std::span<const std::uint64_t> cells);
[[nodiscard]] Rect area_of(const CellBlock& block, const CellRun& run);
[[nodiscard]] std::uint64_t cells_in(std::span<const CellRun> runs);

}  // namespace ui

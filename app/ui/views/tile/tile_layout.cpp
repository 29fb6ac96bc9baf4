#include "ui/views/tile/tile_layout.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace ui {
namespace {

constexpr std::uint32_t kMostColumns = 128;
// Of few long rows cells are so many times higher that they are no thinner than that.
constexpr std::uint32_t kLong = 32;
constexpr std::uint32_t kFlat = 8;
constexpr std::uint32_t kHighest = 4;
constexpr std::uint32_t kStacked = 4;  // that few invocations stand below each other
constexpr float kFolded = 1.25F;  // times that cells are larger where lines are folded once more
constexpr std::uint32_t kLargest = 4;  // times that invocations are larger than cells

// A shared array that is as much wider as it is higher than the workgroup, as far on both sides.
std::uint32_t halo_of(const core::Trace& trace, const core::TracedVariable& v) {
  const auto& local = trace.local_size;
  if (v.dimensions.size() != 2 || local[0] < 2 || local[1] < 2 || local[2] > 1) {
    return 0;
  }
  const std::uint32_t rows = v.dimensions[0] - std::min(v.dimensions[0], local[1]);
  const std::uint32_t columns = v.dimensions[1] - std::min(v.dimensions[1], local[0]);
  return rows == columns && rows % 2 == 0 ? rows / 2 : 0;
}

// Below each other: links to what stands beside them cross none of the others.
bool is_stacked(const core::Trace& trace) {
  const auto& size = trace.local_size;
  return size[0] > 1 && size[0] <= kStacked && size[1] == 1 && size[2] == 1;
}

CellBlock block_of(const core::Trace& trace, std::uint32_t variable) {
  const core::TracedVariable& v = trace.variables[variable];
  CellBlock block;
  block.variable = variable;
  for (const std::uint32_t length : v.dimensions) {
    block.count *= std::max(length, 1U);
  }
  const std::uint32_t innermost = v.dimensions.empty() ? 1 : std::max(v.dimensions.back(), 1U);
  const bool flat = innermost == block.count && innermost > 16;
  block.wrapped = flat || innermost > kMostColumns;
  block.columns = block.wrapped ? wrap_columns(block.count) : innermost;
  const std::uint64_t slices =
      v.bytes / std::max<std::uint64_t>(block.count * std::max(v.scalar_bytes, 1U), 1);
  block.wide = slices > 1 ? 2 : 1;
  const std::uint32_t across = block.columns * block.wide;
  block.high = across > kLong ? std::clamp(across / (kFlat * block.rows()), 1U, kHighest) : 1;
  block.halo = block.wrapped ? 0 : halo_of(trace, v);
  if (is_stacked(trace) && block.count <= kStacked && block.rows() == 1) {
    block.wide *= 2;
    block.high = 2;
  }
  return block;
}

CellBlock invocations_of(const core::Trace& trace) {
  const auto& size = trace.local_size;
  CellBlock block;
  block.invocations = true;
  block.count = std::uint64_t{size[0]} * size[1] * size[2];
  if (is_stacked(trace)) {
    return block;
  }
  block.wrapped = size[0] == block.count && block.count > 16;
  block.columns = block.wrapped ? wrap_columns(block.count) : size[0];
  return block;
}

// The blocks of each row of the figure: about as many in each.
std::vector<std::span<CellBlock>> split(std::vector<CellBlock>& blocks, std::size_t rows) {
  std::vector<std::span<CellBlock>> all;
  std::size_t first = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t last = blocks.size() * (r + 1) / rows;
    all.push_back(std::span(blocks).subspan(first, last - first));
    first = last;
  }
  return all;
}

float units_wide(const CellBlock& block) {
  return static_cast<float>(block.columns * block.wide);
}

float units_high(const CellBlock& block) {
  return static_cast<float>(block.rows() * block.high);
}

float row_width(std::span<const CellBlock> row, float cell, const BlockSpacing& spacing) {
  float width = spacing.between * static_cast<float>(row.size() - 1);
  for (const CellBlock& block : row) {
    width += std::max(units_wide(block) * cell, spacing.least_slot);
  }
  return width;
}

float row_height(std::span<const CellBlock> row, float cell, const BlockSpacing& spacing) {
  float rows = 0.0F;
  for (const CellBlock& block : row) {
    rows = std::max(rows, units_high(block));
  }
  return rows * cell + spacing.above + spacing.below;
}

// Slots may be asked for that fill the room to the last bit: sums of them are a rounding wider.
bool fits(std::span<const std::span<CellBlock>> rows, float cell, glm::vec2 room,
          const BlockSpacing& spacing) {
  constexpr float kRounding = 0.05F;
  float height = 0.0F;
  for (const auto& row : rows) {
    if (row_width(row, cell, spacing) > room.x + kRounding) {
      return false;
    }
    height += row_height(row, cell, spacing);
  }
  return height <= room.y + kRounding;
}

// The largest cell, in whole pixels where it has several.
float largest_cell(std::span<const std::span<CellBlock>> rows, glm::vec2 room,
                   const BlockSpacing& spacing) {
  float low = 0.0F;
  float high = spacing.largest_cell;
  for (int i = 0; i < 24; ++i) {
    const float middle = 0.5F * (low + high);
    (fits(rows, middle, room, spacing) ? low : high) = middle;
  }
  return low >= 4.0F ? std::floor(low + 0.01F) : low;
}

// Invocations that are small at that size are drawn some times larger, as far as there is room.
void enlarge(std::span<const std::span<CellBlock>> rows, float cell, glm::vec2 room,
             const BlockSpacing& spacing) {
  for (const auto& row : rows) {
    const auto block = std::ranges::find(row, true, &CellBlock::invocations);
    if (block == row.end() || cell <= 0.0F) {
      continue;
    }
    auto times = static_cast<std::uint32_t>(
        std::clamp(std::ceil(spacing.readable / cell), 1.0F, static_cast<float>(kLargest)));
    const std::uint32_t wide = block->wide;
    const std::uint32_t high = block->high;
    block->wide = wide * times;
    block->high = high * times;
    while (times > 1 && !fits(rows, cell, room, spacing)) {
      --times;
      block->wide = wide * times;
      block->high = high * times;
    }
  }
}

// What is wide and low at that size is drawn higher, as far as there is room: no cell more than
// kHighest times, no array into more than a square.
void heighten(std::span<const std::span<CellBlock>> rows, float cell, glm::vec2 room,
              const BlockSpacing& spacing) {
  std::vector<std::pair<CellBlock*, std::uint32_t>> wide;
  for (const auto& row : rows) {
    for (CellBlock& block : row) {
      if (!block.invocations && block.columns * block.wide > kLong) {
        wide.emplace_back(&block, block.high);
      }
    }
  }
  for (std::uint32_t times = kHighest; times > 1; --times) {
    for (const auto& [block, high] : wide) {
      const std::uint32_t most = block->columns * block->wide / std::max(block->rows(), 1U);
      block->high = std::max(high, std::min(times, most));
    }
    if (fits(rows, cell, room, spacing)) {
      return;
    }
  }
  for (const auto& [block, high] : wide) {
    block->high = high;
  }
}

// Blocks in rows, with the largest cell that has room.
struct Plan {
  std::vector<CellBlock> blocks;
  std::size_t rows = 1;
  float cell = -1.0F;
  [[nodiscard]] std::vector<std::span<CellBlock>> in_rows() { return split(blocks, rows); }
  /// Height of an invocation.
  [[nodiscard]] float invocation() const {
    const auto block = std::ranges::find(blocks, true, &CellBlock::invocations);
    return cell * static_cast<float>(block->high);
  }
};

Plan plan_of(std::vector<CellBlock> blocks, glm::vec2 room, const BlockSpacing& spacing) {
  Plan plan{.blocks = std::move(blocks)};
  for (std::size_t rows = 1; rows <= plan.blocks.size(); ++rows) {
    const float cell = largest_cell(split(plan.blocks, rows), room, spacing);
    if (cell > plan.cell) {
      plan.cell = cell;
      plan.rows = rows;
    }
  }
  enlarge(plan.in_rows(), plan.cell, room, spacing);
  return plan;
}

// Short lines nearer to a square. False: there is none.
bool fold(std::vector<CellBlock>& blocks) {
  constexpr std::uint32_t kColumns = 8;
  bool any = false;
  for (CellBlock& block : blocks) {
    if (block.wrapped && block.columns > kColumns &&
        block.count <= std::uint64_t{kColumns} * kColumns) {
      block.columns = kColumns;
      any = true;
    }
  }
  return any;
}

void place_row(std::span<CellBlock> row, glm::vec2 low, float width, float cell,
               const BlockSpacing& spacing) {
  const float height = row_height(row, cell, spacing);
  float x = std::floor(low.x + 0.5F * (width - row_width(row, cell, spacing)));
  for (CellBlock& block : row) {
    const glm::vec2 size{units_wide(block) * cell, units_high(block) * cell};
    const float slot = std::max(size.x, spacing.least_slot);
    block.slot = {{x, low.y}, {x + slot, low.y + height}};
    const float spare = height - spacing.above - spacing.below - size.y;
    const glm::vec2 at =
        glm::floor(glm::vec2(x + 0.5F * (slot - size.x), low.y + spacing.above + 0.5F * spare));
    block.area = {at, at + size};
    x += slot + spacing.between;
  }
}

}  // namespace

Rect CellBlock::cell(std::uint64_t index) const {
  const glm::vec2 size = cell_size();
  const glm::vec2 at{static_cast<float>(index % columns), static_cast<float>(index / columns)};
  return {area.low + at * size, area.low + (at + 1.0F) * size};
}

std::optional<std::uint64_t> CellBlock::cell_at(glm::vec2 pixel) const {
  if (!area.contains(pixel)) {
    return std::nullopt;
  }
  const glm::uvec2 at{(pixel - area.low) / cell_size()};
  const std::uint64_t index =
      std::uint64_t{std::min(at.y, rows() - 1)} * columns + std::min(at.x, columns - 1);
  return index < count ? std::optional(index) : std::nullopt;
}

std::uint32_t wrap_columns(std::uint64_t count) {
  if (count <= 16) {
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(count, 1));
  }
  std::uint32_t columns = count <= 256 ? 16 : 32;
  while (std::uint64_t{columns} * columns < count) {
    columns *= 2;
  }
  return columns;
}

std::vector<CellBlock> cell_blocks(const core::Trace& trace) {
  std::vector<CellBlock> blocks;
  for (std::uint32_t v = 0; v < trace.variables.size(); ++v) {
    if (trace.variables[v].memory == core::MemoryKind::shared) {
      blocks.push_back(block_of(trace, v));
    }
  }
  blocks.insert(blocks.begin() + (blocks.size() > 1 ? 1 : 0), invocations_of(trace));
  return blocks;
}

void place_blocks(std::vector<CellBlock>& blocks, const Rect& room, const BlockSpacing& spacing) {
  Plan plan = plan_of(blocks, room.size(), spacing);
  if (fold(blocks)) {
    Plan other = plan_of(std::move(blocks), room.size(), spacing);
    if (other.cell > kFolded * plan.cell ||
        (other.cell >= plan.cell && other.invocation() > kFolded * plan.invocation())) {
      plan = std::move(other);
    }
  }
  blocks = std::move(plan.blocks);
  const auto rows = split(blocks, plan.rows);
  heighten(rows, plan.cell, room.size(), spacing);
  float height = 0.0F;
  for (const auto& row : rows) {
    height += row_height(row, plan.cell, spacing);
  }
  float y = std::floor(room.low.y + 0.5F * std::max(0.0F, room.height() - height));
  for (const auto& row : rows) {
    place_row(row, {room.low.x, y}, room.width(), plan.cell, spacing);
    y += row_height(row, plan.cell, spacing);
  }
}

void sort_unique(std::vector<std::uint64_t>& cells) {
  std::ranges::sort(cells);
  const auto rest = std::ranges::unique(cells);
  cells.erase(rest.begin(), rest.end());
}

std::vector<CellRun> runs_of(const CellBlock& block, std::span<const std::uint64_t> cells) {
  std::vector<CellRun> runs;
  std::vector<CellRun> here;                               // of the row under way
  std::vector<std::size_t> last(block.columns, SIZE_MAX);  // run that began last in a column
  const auto close_row = [&] {
    for (const CellRun& run : here) {
      const std::size_t above = last[run.column];
      if (above != SIZE_MAX && runs[above].columns == run.columns &&
          runs[above].row + runs[above].rows == run.row) {
        ++runs[above].rows;
      } else {
        last[run.column] = runs.size();
        runs.push_back(run);
      }
    }
    here.clear();
  };
  for (const std::uint64_t cell : cells) {
    const auto row = static_cast<std::uint32_t>(cell / block.columns);
    const auto column = static_cast<std::uint32_t>(cell % block.columns);
    if (!here.empty() && here.back().row != row) {
      close_row();
    }
    if (!here.empty() && here.back().column + here.back().columns == column) {
      ++here.back().columns;
    } else {
      here.push_back({row, column, 1, 1});
    }
  }
  close_row();
  return runs;
}

std::uint64_t cells_in(std::span<const CellRun> runs) {
  std::uint64_t sum = 0;
  for (const CellRun& run : runs) {
    sum += run.cells();
  }
  return sum;
}

Rect area_of(const CellBlock& block, const CellRun& run) {
  const glm::vec2 size = block.cell_size();
  const glm::vec2 at{static_cast<float>(run.column), static_cast<float>(run.row)};
  const glm::vec2 cells{static_cast<float>(run.columns), static_cast<float>(run.rows)};
  return {block.area.low + at * size, block.area.low + (at + cells) * size};
}

}  // namespace ui

// A line of the source that is longer than its panel is wide, on as many rows as it takes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ui {

/// What a row has of a line.
struct RowPart {
  std::size_t begin = 0, end = 0;  ///< bytes of the line, half-open
  std::size_t indent = 0;          ///< letters before it; none before the first part
  bool operator==(const RowPart&) const = default;
};

/// The rows of a line where `columns` letters have room: broken behind spaces where it has any,
/// else behind brackets and commas, the later ones four letters further in than the line itself.
/// They join to the line; a line that fits has one, and so has an empty one. `behind`: letters that
/// are to have room behind the last row, which is broken once more for them.
[[nodiscard]] std::vector<RowPart> row_parts(std::string_view line, std::size_t columns,
                                             std::size_t behind = 0);

}  // namespace ui

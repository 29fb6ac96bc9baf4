// A finding's two lines are shown together, and with what a lesson's step wants in sight: where
// there is no room for all that lies between them, it is folded away, but for the barriers if they
// fit, or those of them that the experiment changes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/panels/panels.h"

namespace ui {

/// Lines of a file, from 1, both of them included.
struct LineRun {
  std::size_t first = 0, last = 0;
  [[nodiscard]] std::size_t count() const { return last - first + 1; }
  [[nodiscard]] bool has(std::size_t line) const { return first <= line && line <= last; }
  bool operator==(const LineRun&) const = default;
};

/// What to fold between lines that are kept, so that they and a row for each fold take no more than
/// `rows`; empty: nothing has to be; no list: they don't fit. In the order of the text, as `kept`
/// is.
[[nodiscard]] std::optional<std::vector<LineRun>> folds_between(std::span<const std::size_t> kept,
                                                                std::size_t rows);

struct SourceFold final : ViewState {
  std::string opened;  ///< what it was whose folds were opened by a click
};

/// The finding that the source is about: the chosen one, else the first race, or of a kernel that
/// was refused why; null: none.
[[nodiscard]] const core::Finding* told_finding(const Frame& frame);
/// The lines of that finding in the file that is shown, if it has two.
[[nodiscard]] std::optional<LineRun> told_lines(const Frame& frame);
/// What is folded of the file that is shown, in a panel with room for so many lines: `wanted` ones
/// of it are kept, as those of a finding are.
[[nodiscard]] std::vector<LineRun> source_folds(const Frame& frame,
                                                std::span<const std::size_t> wanted,
                                                std::size_t rows);
/// The row that stands for a fold; a click opens it.
void draw_source_fold(const Frame& frame, const Canvas& canvas, const Rect& row,
                      const LineRun& fold, float indent);

}  // namespace ui

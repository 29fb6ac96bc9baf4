// The source's lines as they stand in the panel, and which of them come into sight: those that a
// lesson's step, a finding, a race or the pointed-at tile is about.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/panels/source/source_fold.h"
#include "ui/panels/source/source_gutter.h"
#include "ui/panels/source/source_rows.h"

namespace ui {

/// A message that belongs to a line of the file that is shown.
struct LineError {
  std::size_t line;
  std::string message;
};
[[nodiscard]] std::optional<LineError> line_error(const Frame& frame);

/// A lesson asks: nothing but the text is shown.
[[nodiscard]] bool is_sealed(const Frame& frame);
/// Bytes of a line.
[[nodiscard]] std::size_t length_of(const GlslLine& line);
[[nodiscard]] std::string text_of(const GlslLine& line);
/// Of the file that is shown; made once for each text.
[[nodiscard]] const GlslListing& listing_of(const Frame& frame);
/// Where the view shows accesses: what those come from. Else: what the pointed-at tile reads.
[[nodiscard]] bool is_lit(const Frame& frame, const GlslLine& line, std::size_t number);

/// What is drawn of the file that is shown, line by line. Lines count from 1.
struct SourceLines {
  const GlslListing& listing;
  SourceNotes notes;
  Gutter gutter;
  std::size_t first = 1;       ///< of those that are shown: the header may be folded
  std::vector<LineRun> folds;  ///< a row each
  std::map<std::size_t, std::vector<RowPart>> wrapped;  ///< those that take several rows
  std::size_t message_rows = 0;                         ///< of the error below one of them

  [[nodiscard]] LineNotes notes_of(std::size_t line) const;
  /// The fold that a line lies in; null: none.
  [[nodiscard]] const LineRun* fold_of(std::size_t line) const;
  [[nodiscard]] std::vector<RowPart> parts_of(std::size_t line) const;
  /// None within a fold, but for its first line.
  [[nodiscard]] std::size_t rows_of(std::size_t line) const;
};
/// Rows of code that an error's message takes, in `width` pixels.
[[nodiscard]] std::size_t message_rows(const Canvas& canvas, const std::string& message,
                                       float width);
/// What the source is about is seen whole, and where nothing but the text is shown, all of it:
/// those lines are wrapped at the right edge of `seen`.
[[nodiscard]] SourceLines source_lines(const Frame& frame, const Canvas& canvas, const Rect& seen);

/// The kernel's files are gone through when it, or what the source is about, becomes another.
void follow_subject(const Frame& frame);
/// Scrolls the window that the lines are in. Returns what this frame is scrolled to, downwards: the
/// window itself follows in the next one.
float scroll_source(const Frame& frame, const Canvas& canvas, const SourceLines& lines,
                    const Rect& seen);

}  // namespace ui

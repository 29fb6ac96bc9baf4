// What views have around what they draw: a title beside the names of the views, in a second line
// how far it has come and what can be pressed, a thin line of progress.
#pragma once

#include <optional>

#include "ui/panels/panels.h"
#include "ui/widgets/stack.h"

namespace ui {

struct ViewHead {
  Wordings title;
  Pen pen = pen::text;
  Wordings note = {};  ///< beside the title
  Pen note_pen = pen::dim;
  const char* word = nullptr;  ///< at the right of the second line, to be pressed
  bool* pressed = nullptr;     ///< becomes true when it is
  Wordings state = {};         ///< the second line; empty: there is none
  Pen state_pen = pen::dim;
  std::optional<double> progress = {};  ///< 0 to 1; none: nothing is under way
};

/// Draws it; what is returned is left for the view, with margins.
[[nodiscard]] Stack draw_view_head(const Frame& frame, const Canvas& canvas, const Rect& area,
                                   const ViewHead& head);

/// `words`, and on an emulated device that they are not a GPU's.
[[nodiscard]] Wordings measured_words(const core::Result& result, const std::string& words);

}  // namespace ui

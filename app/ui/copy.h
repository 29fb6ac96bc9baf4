// Ctrl+C: what the pointer rests on, for another program.
#pragma once

#include "ui/actions.h"
#include "ui/canvas/rect.h"
#include "ui/view_state.h"

namespace ui {

/// A picture is asked of whoever has the frame's pixels.
struct CopyState final : ViewState {
  Rect picture;  ///< of the last frame, to be copied; empty: nothing is
};

/// A finding as its sentence, where the pointer is on their list; the ladder, the times or the
/// comparison as tab-separated values, where it is on those; else the view as a picture. Text goes
/// to the clipboard at once.
void copy_pointed(ActionContext& context);

/// A line a step of the ladder, with a line of names above.
[[nodiscard]] std::string ladder_tsv(const core::Result& result);
/// The chosen finding's sentence; all of them where none is chosen.
[[nodiscard]] std::string findings_text(const core::View& view, const core::Result& result);

}  // namespace ui

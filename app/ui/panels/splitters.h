// Lines between panels that are dragged; the window keeps what came of it.
#pragma once

#include "ui/canvas/layout.h"
#include "ui/panels/panel_sizes.h"
#include "ui/panels/panels.h"

namespace ui {

/// Takes the mouse on the lines between panels: to be called before these, so that they lie below.
/// A double click gives a line back to the layout.
void draw_splitters(const Frame& frame, const Layout& layout);

}  // namespace ui

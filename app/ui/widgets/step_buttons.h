// The buttons that go through a workgroup's life: a phase back, a moment back, play, a moment on, a
// phase on. Keys do the same.
#pragma once

#include "ui/panels/panels.h"

namespace ui {

/// Takes their room off the row's left; what they ask for is in the State's steps.
void draw_step_buttons(const Frame& frame, const Canvas& canvas, Rect& row);

}  // namespace ui

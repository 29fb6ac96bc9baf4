// The list of what can be opened, over the window; and the strip that steps through scenes.
#pragma once

#include "ui/open/open_state.h"
#include "ui/panels/panels.h"

namespace ui {

/// Acts on the keys that were pressed while it was shown.
void take_open_keys(const Frame& frame);
void draw_open(const Frame& frame, const Rect& window);
/// The title of the scene that is shown, its number, and buttons to the next and the previous one,
/// at the lower end of the view. Returns what is left of it.
[[nodiscard]] Rect draw_scene_strip(const Frame& frame, const Rect& view);

}  // namespace ui

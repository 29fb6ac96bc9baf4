// A size of the problem as a field of its own: keys reach it in the order in which they were
// pressed, however many of them within a frame.
#pragma once

#include <string>
#include <vector>

#include "ui/editor/text_buffer.h"
#include "ui/keys.h"
#include "ui/panels/top_bar.h"

namespace ui {

/// Of the one that is typed into (State::typing).
struct SizeField final : ViewState {
  TextBuffer line;
  bool refused = false;  ///< what stands in it is no size
  std::vector<KeyPress> pressed;
};

/// Begins to type at a size, all of it selected.
void type_size(State& state, const core::Sizes& sizes, std::size_t index);
/// Acts on keys that were pressed: Enter takes the size, Tab takes it and goes on to the next, Esc
/// gives up. "0" and nothing are refused at once.
void take_size_keys(const Frame& frame);
/// A size that does not run yet is marked, and the mouse is told which does.
void draw_size_field(const Bar& bar, const Rect& area, std::size_t index, const core::Sizes& sizes);

}  // namespace ui

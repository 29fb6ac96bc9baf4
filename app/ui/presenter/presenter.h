// The window on a projector: large text, a large pointer, a spotlight and a pen over the picture,
// a blank screen, and the keys of a clicker.
#pragma once

#include <vector>

#include <glm/vec2.hpp>

#include "ui/panels/panels.h"

namespace ui {

struct Presenter final : ViewState {
  bool on = false;
  bool full_screen = false;                   ///< the window follows
  bool blank = false;                         ///< nothing is shown
  bool spotlight = false;                     ///< all but what is around the pointer is dark
  bool pen = false;                           ///< the mouse draws, and presses nothing
  bool drawing = false;                       ///< a line is being drawn
  std::vector<std::vector<glm::vec2>> lines;  ///< that the pen drew; fractions of the window
};

/// Of the interface on a projector of that size in pixels: the smallest text is 24 pixels high at
/// 1280 × 720, and in proportion.
[[nodiscard]] float presenter_scale(glm::vec2 size);

/// The interface's scale: on a projector the display's size decides, but text never gets smaller.
[[nodiscard]] float window_scale(const State& state, glm::vec2 size);
/// Where the panels of the window go. On a projector, outside a lesson, the picture and the source
/// are alone.
[[nodiscard]] Layout layout_of(State& state, glm::vec2 size, float scale);

/// What its keys do, as rows of the table of actions.
void add_presenter_keys(ActionTable& table);
/// The keys of a clicker, and those that wake a blank screen. True: the key has done its work.
[[nodiscard]] bool take_presenter_key(ActionContext& context, const KeyPress& press);

/// Over all else; takes the mouse while the pen is out or the screen is blank.
void draw_presenter(const Frame& frame, const Rect& window);

}  // namespace ui

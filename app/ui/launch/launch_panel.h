// What a kernel without a workload is launched with, to be typed: in the ladder's place, which such
// a kernel has none of, or over the view where the window has no room for that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/editor/text_buffer.h"
#include "ui/keys.h"
#include "ui/panels/panels.h"

namespace ui {

struct LaunchPanel final : ViewState {
  std::optional<std::size_t> typing;  ///< the field that has the keyboard
  TextBuffer line;                    ///< what stands in it
  std::string begun;                  ///< what stood in it before anybody typed
  std::string refused;                ///< why that can't be its value
  std::vector<KeyPress> pressed;
  bool asked = false;     ///< a key wants to type here, once the kernel's fields are known
  bool over = false;      ///< it lies over the view
  std::size_t first = 0;  ///< the topmost that is shown

  /// Keys are for it, now or once it is open.
  [[nodiscard]] bool takes_keys() const { return typing || asked; }
  [[nodiscard]] bool changed() const { return line.text() != begun; }
  void forget_kernel() override;
};

/// Enter takes a value that was typed, Tab goes on to the next, Esc gives up.
void take_launch_keys(const Frame& frame);
/// Below a heading, as many as there is room for.
void draw_launch(const Frame& frame, Stack& rest);
/// The same over the view, while it is typed at in a window that has no ladder.
void draw_launch_over(const Frame& frame, const Rect& view);

}  // namespace ui

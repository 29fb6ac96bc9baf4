// State of the view of values: the buffer, the chosen cell, and the line that goes to an element.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/values/buffer_table.h"
#include "ui/editor/text_buffer.h"
#include "ui/keys.h"
#include "ui/view_state.h"

namespace ui {

struct ValuesState final : ViewState {
  std::string buffer;      ///< its name; empty: the first output
  core::TablePlace cell;   ///< chosen
  core::TablePlace top;    ///< the cell in the upper left corner
  std::uint64_t page = 1;  ///< rows that fit, as of the last frame

  bool typing = false;  ///< the line has the keyboard
  TextBuffer line;
  std::string refused;  ///< why there is no such element; empty: there is
  std::vector<KeyPress> pressed;

  [[nodiscard]] std::vector<StateField> fields() override;
  void forget_kernel() override;
};

}  // namespace ui

// What the window remembers of itself in the state folder, beside the last scene: what was opened,
// and where it stood.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace lab {

/// Names and absolute paths that were opened, the newest first, from
/// $XDG_STATE_HOME/tilescope/recent. Paths that are gone are left out.
[[nodiscard]] std::vector<std::string> read_recent();
/// Puts it first; the oldest of more than 30 go. A path becomes an absolute one. The new list.
[[nodiscard]] core::Expected<std::vector<std::string>> keep_recent(const std::string& name);

/// The upper left corner of what the window shows, in the display's coordinates.
struct WindowPlace {
  int x = 0, y = 0;
  bool maximized = false;
  /// How many pixels the display had to an inch, over 96: what the kept scale was chosen for. 0:
  /// not known.
  float density = 0.0F;
  bool operator==(const WindowPlace&) const = default;
};
/// From $XDG_STATE_HOME/tilescope/window; nothing where it is not known.
[[nodiscard]] std::optional<WindowPlace> read_place();
[[nodiscard]] core::Expected<void> keep_place(const WindowPlace& place);

}  // namespace lab

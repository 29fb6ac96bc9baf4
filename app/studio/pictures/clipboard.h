// The clipboard, for pictures: GLFW knows only text. On X11, and on Wayland where it plays X11
// (Xwayland), a picture belongs to whoever copied it until another program copies something.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/error.h"

namespace studio {

class Clipboard {
 public:
  Clipboard();
  ~Clipboard();
  Clipboard(const Clipboard&) = delete;
  Clipboard& operator=(const Clipboard&) = delete;

  /// Offers a PNG as image/png from now on, until someone else offers something or this ends.
  /// Fault::device where there is no X display, or the picture is more than it takes at once.
  [[nodiscard]] core::Expected<void> offer(std::vector<std::byte> png);

 private:
  class Owner;
  std::unique_ptr<Owner> owner_;
};

}  // namespace studio

// Opens a kernel in Tilescope's window.
#pragma once

#include <string>

#include "core/base/error.h"

namespace cli {

/// Starts this program for a kernel's file, and does not wait for it. Fails if the file does not
/// exist or if there is no display. Call it from one thread.
[[nodiscard]] core::Expected<void> open_window(const std::string& kernel);

}  // namespace cli

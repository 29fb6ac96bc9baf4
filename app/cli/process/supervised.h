// The window in a process of its own: what a driver's or a compiler's crash ends is that process,
// and not the window for good.
#pragma once

#include <functional>
#include <string>

#include "cli/arguments.h"

namespace cli {

struct WindowStart {
  std::string ended;  ///< what ended the one before, as a sentence; empty: nothing did
  bool bare = false;  ///< it ended twice soon after it had opened: neither the call's kernel nor
                      ///< the last scene's is to be opened
};

/// Calls `open` in a process that is this call once more, and returns its exit status. Where a
/// fault's signal ended it, what happened is said on stderr and it is opened again: as it was; bare
/// where the second ended soon, too; and Fault::device where the third did. Any other signal ends
/// this process as well; it takes the window with it when it ends.
[[nodiscard]] Outcome supervised(const std::function<Outcome(const WindowStart&)>& open);

}  // namespace cli

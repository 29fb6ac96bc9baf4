// The replaced functions. Each calls the next layer and keeps what a launch needs; what it keeps
// can fail without harm to the program.
#pragma once

#include <type_traits>
#include <utility>

#include "capture/next.h"

namespace capture::hook {

#define X(name) std::remove_pointer_t<PFN_vk##name> name;
TILESCOPE_HOOKS(X)
#undef X

/// Runs bookkeeping. An exception (out of memory) ends it, never the program.
template <class Body>
void guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
  } catch (...) {  // NOLINT(bugprone-empty-catch): the program goes on without this record
  }
}

}  // namespace capture::hook

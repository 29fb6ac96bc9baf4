// Splits an index range over the machine's cores. For long loops of pure work.
#pragma once

#include <cstddef>
#include <functional>

namespace core {

/// Calls `body(first, last)` on disjoint pieces of [0, count), each at least `grain` long but for
/// the last, on several threads at once, and returns when all are done. `body` must not throw.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace core

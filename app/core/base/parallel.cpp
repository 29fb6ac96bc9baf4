#include "core/base/parallel.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace core {

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t first, std::size_t last)>& body) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t pieces =
      std::clamp<std::size_t>(count / std::max<std::size_t>(grain, 1), 1, cores);
  std::vector<std::jthread> threads;
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    threads.emplace_back([&body, first = count * piece / pieces,
                          last = count * (piece + 1) / pieces] { body(first, last); });
  }
  body(0, count / pieces);
}

}  // namespace core

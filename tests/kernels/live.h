// Waiting for what a lab shows.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "lab/live/lab.h"

namespace tests {

using Snapshot = std::shared_ptr<const core::Result>;

/// The first result that `there` wants; null: it did not come in time.
inline Snapshot wait_for(const lab::Lab& lab, const std::function<bool(const core::Result&)>& there,
                         std::chrono::seconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (std::chrono::steady_clock::now() < end) {
    if (Snapshot now = lab.latest(); there(*now)) {
      return now;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return nullptr;
}

}  // namespace tests

// Waiting for what a lab shows.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "lab/live/lab.h"

namespace tests {

using Snapshot = std::shared_ptr<const core::Result>;

/// Returns the first result for which `there` is true. Null if there is none within `most`: the
/// default is far more than a busy machine needs.
inline Snapshot wait_for(const lab::Lab& lab, const std::function<bool(const core::Result&)>& there,
                         std::chrono::seconds most = std::chrono::seconds(300)) {
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

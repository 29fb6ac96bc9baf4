// How a probed launch is timed beside the plain one: often enough that their medians can be
// compared, on a device whose clocks are up.
#pragma once

#include <cstdint>

#include "core/base/device_info.h"

namespace lab {

/// Launches of each that are timed. An emulated device has nothing that varies but its host.
[[nodiscard]] inline std::uint32_t launches_beside_plain(const core::DeviceInfo& device) {
  return device.emulated() ? 7 : 35;
}

/// Device time that both take together before the first that counts, ms: an idle GPU takes its time
/// to come up to its clocks.
[[nodiscard]] inline double warm_up_beside_plain(const core::DeviceInfo& device) {
  return device.emulated() ? 1.0 : 300.0;
}

}  // namespace lab

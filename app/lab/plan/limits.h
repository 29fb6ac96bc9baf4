// What fits a device, before anything is tried on it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/tile_map.h"
#include "core/work/dispatch.h"

namespace lab {

/// Fault::usage when the workgroup is larger than the device allows: in invocations, in a
/// dimension, in shared memory, or in workgroups a launch. `tile` is for the sentence; 0: none was
/// chosen.
[[nodiscard]] core::Expected<void> check_workgroup(const core::TileMap& tiles,
                                                   std::uint64_t shared_bytes, std::uint32_t tile,
                                                   const core::DeviceInfo& device);

/// Fault::usage when a buffer, or all of them together, is larger than the device can hold.
[[nodiscard]] core::Expected<void> check_memory(const std::vector<core::Resource>& resources,
                                                const core::DeviceInfo& device);

}  // namespace lab

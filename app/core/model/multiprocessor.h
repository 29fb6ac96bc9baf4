// What one multiprocessor of a device can hold. Vulkan tells the limits of a workgroup, not these:
// they are published figures, found by the name of the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/device_info.h"

namespace core {

/// NVIDIA's multiprocessor, AMD's compute unit. Warps are AMD's waves.
struct Multiprocessor {
  std::string architecture;      ///< "Hopper, compute capability 9.0"
  std::uint32_t partitions = 4;  ///< schedulers, each with its part of the warps and registers
  std::uint32_t warps = 0;
  std::uint32_t workgroups = 0;
  std::uint32_t registers = 0;        ///< of 32 bits
  std::uint32_t register_unit = 256;  ///< a warp gets a multiple of so many
  std::uint32_t shared_bytes = 0;     ///< at the largest split between it and the first-level cache
  std::uint32_t shared_unit = 128;    ///< a workgroup gets a multiple of so many bytes
  std::uint32_t shared_reserved = 0;  ///< bytes of each workgroup that the driver keeps for itself
  bool slots_are_barriers = false;    ///< a workgroup of one warp takes no slot of `workgroups`
  bool operator==(const Multiprocessor&) const = default;
};

/// Nothing where the device's name is of no architecture in the table, or where the warps that the
/// device reports are not those of the table.
[[nodiscard]] std::optional<Multiprocessor> multiprocessor_of(const DeviceInfo& device);

}  // namespace core

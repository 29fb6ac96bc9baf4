// Occupancy of a setup: what its kernel takes at each tile of its range, and what the driver tells
// of it once it is compiled for statistics.
#pragma once

#include "core/model/occupancy.h"
#include "lab/ready/workbench.h"

namespace lab {

/// Of the kernel of one of its launches. Without compiling anything: shared memory and invocations
/// of every tile come from specialization, registers are not known yet.
[[nodiscard]] core::Occupancy occupancy_of(const Setup& setup, const core::DeviceInfo& device,
                                           std::size_t launch = 0);

/// A tile has not been compiled for its statistics yet, and the device reports them.
[[nodiscard]] bool can_refine(const core::Occupancy& occupancy, const core::DeviceInfo& device);
/// The next such tile, the chosen one first.
[[nodiscard]] std::uint32_t tile_to_refine(const core::Occupancy& occupancy);
/// It is not to be compiled: impossible, and why.
void leave_out(core::Occupancy& occupancy, const core::Error& why);
/// Compiles it, and models anew. One that does not compile
/// is impossible.
[[nodiscard]] core::Expected<void> refine(gpu::Device& device, const Setup& setup,
                                          std::size_t launch, core::Occupancy& occupancy);

}  // namespace lab

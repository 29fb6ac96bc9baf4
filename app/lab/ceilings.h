// Measures core::Ceilings.
#pragma once

#include <filesystem>

#include "core/ceilings.h"
#include "gpu/device.h"

namespace lab {

/// About a second on a GPU. Sizes follow the device: a copy far larger than its caches where its
/// memory allows, small ones where a CPU plays the GPU.
[[nodiscard]] core::Expected<core::Ceilings> measure_ceilings(gpu::Device& device,
                                                              const std::filesystem::path& shaders);

}  // namespace lab

// Kernels that serve the lab and are no variants: shaders/support/.
#pragma once

#include <filesystem>
#include <string>

#include "gpu/device.h"

namespace lab {

/// Compiles `shaders`/support/`name`.comp for storage buffers 0 to `buffers`-1 of set 0.
[[nodiscard]] core::Expected<gpu::Kernel> support_kernel(gpu::Device& device,
                                                         const std::filesystem::path& shaders,
                                                         const std::string& name,
                                                         std::uint32_t buffers,
                                                         std::uint32_t push_constant_bytes);

}  // namespace lab

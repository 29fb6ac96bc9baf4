// Inside of Driver, for this layer's sources.
#pragma once

#include <mutex>
#include <vector>

#include "gpu/driver.h"
#include "gpu/vulkan.h"

namespace gpu {

struct Driver::Impl {
  vk::raii::Context context;
  vk::raii::Instance instance{nullptr};
  bool validated = false;
  std::vector<vk::raii::PhysicalDevice> physical;  // in the order of `infos`
  std::vector<core::DeviceInfo> infos;
  mutable std::mutex mutex;
  std::vector<std::string> messages;
  vk::raii::DebugUtilsMessengerEXT messenger{nullptr};  // last: destroyed before what it reports to
};

/// Features and properties of a device, read once. Validated: as Features.
[[nodiscard]] core::DeviceInfo describe(const vk::raii::Instance& instance,
                                        const vk::raii::PhysicalDevice& device, bool validated);
[[nodiscard]] bool has_extension(const vk::raii::PhysicalDevice& device, const char* name);

}  // namespace gpu

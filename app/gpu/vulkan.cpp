#include "gpu/vulkan.h"

namespace gpu {

core::Error vulkan_error(const vk::SystemError& error, const std::string& doing) {
  const auto result = static_cast<vk::Result>(error.code().value());
  core::Error mapped{.fault = core::Fault::device};
  switch (result) {
    case vk::Result::eErrorDeviceLost:
      mapped.device_lost = true;
      mapped.message = "the device was lost while trying " + doing;
      break;
    case vk::Result::eErrorOutOfDeviceMemory:
    case vk::Result::eErrorOutOfHostMemory:
      mapped.message = "not enough memory " + doing;
      break;
    default:
      mapped.message = "failed " + doing + ": " + vk::to_string(result);
  }
  return mapped;
}

std::uint32_t memory_type(const vk::PhysicalDeviceMemoryProperties& properties,
                          std::uint32_t allowed, vk::MemoryPropertyFlags wanted) {
  for (std::uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
    if ((allowed & (1U << i)) != 0 &&
        (properties.memoryTypes[i].propertyFlags & wanted) == wanted) {
      return i;
    }
  }
  throw std::runtime_error("the device has no memory of the required type");
}

}  // namespace gpu

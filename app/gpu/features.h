// Which optional features and extensions a device is opened with.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "gpu/vulkan.h"

namespace gpu {

/// VkPhysicalDeviceCooperativeMatrixFeaturesKHR, which is younger than Debian 12's headers.
struct CooperativeMatrixFeaturesKhr {
  VkStructureType type = static_cast<VkStructureType>(1000506000);
  void* next = nullptr;
  VkBool32 cooperative_matrix = VK_FALSE;
  VkBool32 robust_buffer_access = VK_FALSE;
};

/// VkPhysicalDeviceShaderBfloat16FeaturesKHR, younger still.
struct Bfloat16FeaturesKhr {
  VkStructureType type = static_cast<VkStructureType>(1000141000);
  void* next = nullptr;
  VkBool32 scalars = VK_FALSE;
  VkBool32 dot_product = VK_FALSE;
  VkBool32 cooperative_matrix = VK_FALSE;
};

/// VkCooperativeMatrixPropertiesKHR: a shape, and what goes with it.
struct CooperativeMatrixPropertiesKhr {
  VkStructureType type = static_cast<VkStructureType>(1000506001);
  void* next = nullptr;
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  std::uint32_t a = 0;  ///< VkComponentTypeKHR
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t result = 0;
  VkBool32 saturating = VK_FALSE;
  std::uint32_t scope = 0;  ///< VkScopeKHR
};

/// Everything of the core versions that the device has, but for robustness, which costs speed and
/// is only asked for by name; and the extensions that probes use where they are there.
class Features {
 public:
  /// Validated: without what the validation layers of Debian 12 do not know.
  Features(const vk::raii::PhysicalDevice& device, bool robust, bool validated);
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;

  /// For vk::DeviceCreateInfo::pNext; lives as long as this object.
  [[nodiscard]] const void* chain() const { return &features_; }
  [[nodiscard]] const std::vector<const char*>& extensions() const { return extensions_; }
  /// Whether modules may have cooperative matrices of the KHR kind.
  [[nodiscard]] bool khr_matrices() const { return khr_matrices_.cooperative_matrix == VK_TRUE; }
  /// Capabilities that no module on this device may declare, and the feature that it would take, as
  /// Vulkan calls it (Vulkan specification, appendix "Capabilities").
  [[nodiscard]] std::map<spv::Capability, const char*> lacking() const;

 private:
  void add_extension(const vk::raii::PhysicalDevice& device, const char* name,
                     vk::BaseOutStructure* features);
  void link(vk::BaseOutStructure* structure);

  vk::PhysicalDeviceFeatures2 features_;
  vk::PhysicalDeviceVulkan11Features eleven_;
  vk::PhysicalDeviceVulkan12Features twelve_;
  vk::PhysicalDeviceVulkan13Features thirteen_;
  vk::PhysicalDeviceShaderClockFeaturesKHR clock_;
  vk::PhysicalDeviceShaderSMBuiltinsFeaturesNV sm_;
  vk::PhysicalDeviceShaderCoreBuiltinsFeaturesARM core_;
  vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable_;
  vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float_;
  vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT atomic_float_2_;
  vk::PhysicalDeviceCooperativeMatrixFeaturesNV cooperative_matrix_;
  CooperativeMatrixFeaturesKhr khr_matrices_;
  Bfloat16FeaturesKhr bfloat16_;
  vk::PhysicalDeviceRobustness2FeaturesEXT robustness_;
  std::vector<const char*> extensions_;
};

}  // namespace gpu

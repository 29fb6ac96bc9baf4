#include "gpu/features.h"

#include <utility>

#include "gpu/driver_impl.h"

namespace gpu {
namespace {

template <class Structure>
vk::BaseOutStructure* base(Structure& structure) {
  return reinterpret_cast<vk::BaseOutStructure*>(&structure);
}

// What the validation layers say of a module that declares more than it may (Vulkan's
// VUID-VkShaderModuleCreateInfo-pCode-08740), asked before a driver meets it.
class Lacking {
 public:
  void unless(vk::Bool32 there, spv::Capability capability, const char* feature) {
    if (there == VK_FALSE) {
      found_.emplace(capability, feature);
    }
  }
  [[nodiscard]] std::map<spv::Capability, const char*> take() { return std::move(found_); }

 private:
  std::map<spv::Capability, const char*> found_;
};

void find_numbers(const vk::PhysicalDeviceFeatures& core,
                  const vk::PhysicalDeviceVulkan11Features& eleven,
                  const vk::PhysicalDeviceVulkan12Features& twelve, Lacking& lacking) {
  using enum spv::Capability;
  lacking.unless(core.shaderFloat64, Float64, "shaderFloat64");
  lacking.unless(core.shaderInt64, Int64, "shaderInt64");
  lacking.unless(core.shaderInt16, Int16, "shaderInt16");
  lacking.unless(twelve.shaderFloat16, Float16, "shaderFloat16");
  lacking.unless(twelve.shaderInt8, Int8, "shaderInt8");
  lacking.unless(eleven.storageBuffer16BitAccess, StorageBuffer16BitAccess,
                 "storageBuffer16BitAccess");
  lacking.unless(eleven.uniformAndStorageBuffer16BitAccess, UniformAndStorageBuffer16BitAccess,
                 "uniformAndStorageBuffer16BitAccess");
  lacking.unless(eleven.storagePushConstant16, StoragePushConstant16, "storagePushConstant16");
  lacking.unless(twelve.storageBuffer8BitAccess, StorageBuffer8BitAccess,
                 "storageBuffer8BitAccess");
  lacking.unless(twelve.uniformAndStorageBuffer8BitAccess, UniformAndStorageBuffer8BitAccess,
                 "uniformAndStorageBuffer8BitAccess");
  lacking.unless(twelve.storagePushConstant8, StoragePushConstant8, "storagePushConstant8");
}

void find_memory(const vk::PhysicalDeviceVulkan11Features& eleven,
                 const vk::PhysicalDeviceVulkan12Features& twelve, Lacking& lacking) {
  using enum spv::Capability;
  lacking.unless(eleven.variablePointersStorageBuffer, VariablePointersStorageBuffer,
                 "variablePointersStorageBuffer");
  lacking.unless(eleven.variablePointers, VariablePointers, "variablePointers");
  lacking.unless(twelve.vulkanMemoryModel, VulkanMemoryModel, "vulkanMemoryModel");
  lacking.unless(twelve.vulkanMemoryModelDeviceScope, VulkanMemoryModelDeviceScope,
                 "vulkanMemoryModelDeviceScope");
  lacking.unless(twelve.bufferDeviceAddress, PhysicalStorageBufferAddresses, "bufferDeviceAddress");
}

void find_images(const vk::PhysicalDeviceFeatures& core, Lacking& lacking) {
  using enum spv::Capability;
  lacking.unless(core.shaderImageGatherExtended, ImageGatherExtended, "shaderImageGatherExtended");
  lacking.unless(core.imageCubeArray, SampledCubeArray, "imageCubeArray");
  lacking.unless(core.imageCubeArray, ImageCubeArray, "imageCubeArray");
  lacking.unless(core.shaderResourceResidency, SparseResidency, "shaderResourceResidency");
  lacking.unless(core.shaderResourceMinLod, MinLod, "shaderResourceMinLod");
}

void find_descriptors(const vk::PhysicalDeviceFeatures& core,
                      const vk::PhysicalDeviceVulkan12Features& twelve, Lacking& lacking) {
  using enum spv::Capability;
  lacking.unless(core.shaderUniformBufferArrayDynamicIndexing, UniformBufferArrayDynamicIndexing,
                 "shaderUniformBufferArrayDynamicIndexing");
  lacking.unless(core.shaderSampledImageArrayDynamicIndexing, SampledImageArrayDynamicIndexing,
                 "shaderSampledImageArrayDynamicIndexing");
  lacking.unless(core.shaderStorageBufferArrayDynamicIndexing, StorageBufferArrayDynamicIndexing,
                 "shaderStorageBufferArrayDynamicIndexing");
  lacking.unless(core.shaderStorageImageArrayDynamicIndexing, StorageImageArrayDynamicIndexing,
                 "shaderStorageImageArrayDynamicIndexing");
  lacking.unless(twelve.runtimeDescriptorArray, RuntimeDescriptorArray, "runtimeDescriptorArray");
  lacking.unless(twelve.shaderUniformTexelBufferArrayDynamicIndexing,
                 UniformTexelBufferArrayDynamicIndexing,
                 "shaderUniformTexelBufferArrayDynamicIndexing");
  lacking.unless(twelve.shaderStorageTexelBufferArrayDynamicIndexing,
                 StorageTexelBufferArrayDynamicIndexing,
                 "shaderStorageTexelBufferArrayDynamicIndexing");
  lacking.unless(twelve.shaderUniformBufferArrayNonUniformIndexing,
                 UniformBufferArrayNonUniformIndexing,
                 "shaderUniformBufferArrayNonUniformIndexing");
  lacking.unless(twelve.shaderSampledImageArrayNonUniformIndexing,
                 SampledImageArrayNonUniformIndexing, "shaderSampledImageArrayNonUniformIndexing");
  lacking.unless(twelve.shaderStorageBufferArrayNonUniformIndexing,
                 StorageBufferArrayNonUniformIndexing,
                 "shaderStorageBufferArrayNonUniformIndexing");
  lacking.unless(twelve.shaderStorageImageArrayNonUniformIndexing,
                 StorageImageArrayNonUniformIndexing, "shaderStorageImageArrayNonUniformIndexing");
  lacking.unless(twelve.shaderUniformTexelBufferArrayNonUniformIndexing,
                 UniformTexelBufferArrayNonUniformIndexing,
                 "shaderUniformTexelBufferArrayNonUniformIndexing");
  lacking.unless(twelve.shaderStorageTexelBufferArrayNonUniformIndexing,
                 StorageTexelBufferArrayNonUniformIndexing,
                 "shaderStorageTexelBufferArrayNonUniformIndexing");
}

void find_atomics(const vk::PhysicalDeviceVulkan12Features& twelve,
                  const vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT& one,
                  const vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT& two, Lacking& lacking) {
  using enum spv::Capability;
  lacking.unless(twelve.shaderBufferInt64Atomics | twelve.shaderSharedInt64Atomics, Int64Atomics,
                 "shaderBufferInt64Atomics");
  lacking.unless(one.shaderBufferFloat32AtomicAdd | one.shaderSharedFloat32AtomicAdd |
                     one.shaderImageFloat32AtomicAdd,
                 AtomicFloat32AddEXT, "shaderBufferFloat32AtomicAdd");
  lacking.unless(one.shaderBufferFloat64AtomicAdd | one.shaderSharedFloat64AtomicAdd,
                 AtomicFloat64AddEXT, "shaderBufferFloat64AtomicAdd");
  lacking.unless(two.shaderBufferFloat16AtomicAdd | two.shaderSharedFloat16AtomicAdd,
                 AtomicFloat16AddEXT, "shaderBufferFloat16AtomicAdd");
  lacking.unless(two.shaderBufferFloat16AtomicMinMax | two.shaderSharedFloat16AtomicMinMax,
                 AtomicFloat16MinMaxEXT, "shaderBufferFloat16AtomicMinMax");
  lacking.unless(two.shaderBufferFloat32AtomicMinMax | two.shaderSharedFloat32AtomicMinMax |
                     two.shaderImageFloat32AtomicMinMax,
                 AtomicFloat32MinMaxEXT, "shaderBufferFloat32AtomicMinMax");
  lacking.unless(two.shaderBufferFloat64AtomicMinMax | two.shaderSharedFloat64AtomicMinMax,
                 AtomicFloat64MinMaxEXT, "shaderBufferFloat64AtomicMinMax");
}

}  // namespace

Features::Features(const vk::raii::PhysicalDevice& device, bool robust, bool validated) {
  link(base(eleven_));
  link(base(twelve_));
  if (device.getProperties().apiVersion >= VK_API_VERSION_1_3) {
    link(base(thirteen_));
  }
  add_extension(device, VK_KHR_SHADER_CLOCK_EXTENSION_NAME, base(clock_));
  add_extension(device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME, base(sm_));
  add_extension(device, VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME, base(core_));
  add_extension(device, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, base(executable_));
  add_extension(device, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, base(atomic_float_));
  add_extension(device, VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, base(atomic_float_2_));
  if (has_extension(device, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)) {
    extensions_.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  }
  add_extension(device, VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME, base(cooperative_matrix_));
  if (!validated) {
    add_extension(device, "VK_KHR_cooperative_matrix", base(khr_matrices_));
    add_extension(device, "VK_KHR_shader_bfloat16", base(bfloat16_));
  }
  if (robust) {
    add_extension(device, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, base(robustness_));
  }
  (*device).getFeatures2(&features_, *device.getDispatcher());
  features_.features.robustBufferAccess = robust && features_.features.robustBufferAccess;
  khr_matrices_.robust_buffer_access = VK_FALSE;
  thirteen_.robustImageAccess = robust && thirteen_.robustImageAccess;
  robustness_.robustImageAccess2 = VK_FALSE;
  robustness_.nullDescriptor = VK_FALSE;
}

std::map<spv::Capability, const char*> Features::lacking() const {
  Lacking found;
  find_numbers(features_.features, eleven_, twelve_, found);
  find_memory(eleven_, twelve_, found);
  find_images(features_.features, found);
  find_descriptors(features_.features, twelve_, found);
  find_atomics(twelve_, atomic_float_, atomic_float_2_, found);
  found.unless(clock_.shaderSubgroupClock | clock_.shaderDeviceClock,
               spv::Capability::ShaderClockKHR, "shaderSubgroupClock");
  return found.take();
}

void Features::link(vk::BaseOutStructure* structure) {
  structure->pNext = static_cast<vk::BaseOutStructure*>(features_.pNext);
  features_.pNext = structure;
}

void Features::add_extension(const vk::raii::PhysicalDevice& device, const char* name,
                             vk::BaseOutStructure* features) {
  if (has_extension(device, name)) {
    extensions_.push_back(name);
    link(features);
  }
}

}  // namespace gpu

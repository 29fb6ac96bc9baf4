#include "gpu/features.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <variant>

#include "gpu/driver_impl.h"

namespace gpu {
namespace {

template <class Structure>
vk::BaseOutStructure* base(Structure& structure) {
  return reinterpret_cast<vk::BaseOutStructure*>(&structure);
}

using Core = vk::PhysicalDeviceFeatures;
using Eleven = vk::PhysicalDeviceVulkan11Features;
using Twelve = vk::PhysicalDeviceVulkan12Features;
using AtomicFloat = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT;
using AtomicFloat2 = vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT;
using Clock = vk::PhysicalDeviceShaderClockFeaturesKHR;
using NvMatrices = vk::PhysicalDeviceCooperativeMatrixFeaturesNV;

template <class... Structures>
struct Reports {
  using All = std::tuple<const Structures&...>;
  using Bit = std::variant<std::monostate, vk::Bool32 Structures::*...>;  // of any of them
};
using Known = Reports<Core, Eleven, Twelve, AtomicFloat, AtomicFloat2, Clock, NvMatrices,
                      CooperativeMatrixFeaturesKhr>;
using Reported = Known::All;
using Bit = Known::Bit;

bool is_set(const Reported& /*all*/, std::monostate /*none*/) {
  return false;
}

template <class Structure>
bool is_set(const Reported& all, vk::Bool32 Structure::* bit) {
  return std::get<const Structure&>(all).*bit != VK_FALSE;
}

// A capability, the feature that it takes, as Vulkan calls it, and the bits of which one will do.
struct Row {
  spv::Capability capability;
  const char* feature;
  std::array<Bit, 3> any;
};

// What the validation layers say of a module that declares more than it may (Vulkan's
// VUID-VkShaderModuleCreateInfo-pCode-08740), asked before a driver meets it.
namespace table {
using enum spv::Capability;
// SPV_KHR_cooperative_matrix, which is younger than Debian 12's headers.
constexpr auto CooperativeMatrixKHR = static_cast<spv::Capability>(6022);
constexpr auto rows = std::to_array<Row>({
    {Float64, "shaderFloat64", {&Core::shaderFloat64}},
    {Int64, "shaderInt64", {&Core::shaderInt64}},
    {Int16, "shaderInt16", {&Core::shaderInt16}},
    {Float16, "shaderFloat16", {&Twelve::shaderFloat16}},
    {Int8, "shaderInt8", {&Twelve::shaderInt8}},
    {StorageBuffer16BitAccess, "storageBuffer16BitAccess", {&Eleven::storageBuffer16BitAccess}},
    {UniformAndStorageBuffer16BitAccess,
     "uniformAndStorageBuffer16BitAccess",
     {&Eleven::uniformAndStorageBuffer16BitAccess}},
    {StoragePushConstant16, "storagePushConstant16", {&Eleven::storagePushConstant16}},
    {StorageBuffer8BitAccess, "storageBuffer8BitAccess", {&Twelve::storageBuffer8BitAccess}},
    {UniformAndStorageBuffer8BitAccess,
     "uniformAndStorageBuffer8BitAccess",
     {&Twelve::uniformAndStorageBuffer8BitAccess}},
    {StoragePushConstant8, "storagePushConstant8", {&Twelve::storagePushConstant8}},
    {VariablePointersStorageBuffer,
     "variablePointersStorageBuffer",
     {&Eleven::variablePointersStorageBuffer}},
    {VariablePointers, "variablePointers", {&Eleven::variablePointers}},
    {VulkanMemoryModel, "vulkanMemoryModel", {&Twelve::vulkanMemoryModel}},
    {VulkanMemoryModelDeviceScope,
     "vulkanMemoryModelDeviceScope",
     {&Twelve::vulkanMemoryModelDeviceScope}},
    {PhysicalStorageBufferAddresses, "bufferDeviceAddress", {&Twelve::bufferDeviceAddress}},
    {ImageGatherExtended, "shaderImageGatherExtended", {&Core::shaderImageGatherExtended}},
    {SampledCubeArray, "imageCubeArray", {&Core::imageCubeArray}},
    {ImageCubeArray, "imageCubeArray", {&Core::imageCubeArray}},
    {SparseResidency, "shaderResourceResidency", {&Core::shaderResourceResidency}},
    {MinLod, "shaderResourceMinLod", {&Core::shaderResourceMinLod}},
    {UniformBufferArrayDynamicIndexing,
     "shaderUniformBufferArrayDynamicIndexing",
     {&Core::shaderUniformBufferArrayDynamicIndexing}},
    {SampledImageArrayDynamicIndexing,
     "shaderSampledImageArrayDynamicIndexing",
     {&Core::shaderSampledImageArrayDynamicIndexing}},
    {StorageBufferArrayDynamicIndexing,
     "shaderStorageBufferArrayDynamicIndexing",
     {&Core::shaderStorageBufferArrayDynamicIndexing}},
    {StorageImageArrayDynamicIndexing,
     "shaderStorageImageArrayDynamicIndexing",
     {&Core::shaderStorageImageArrayDynamicIndexing}},
    {RuntimeDescriptorArray, "runtimeDescriptorArray", {&Twelve::runtimeDescriptorArray}},
    {UniformTexelBufferArrayDynamicIndexing,
     "shaderUniformTexelBufferArrayDynamicIndexing",
     {&Twelve::shaderUniformTexelBufferArrayDynamicIndexing}},
    {StorageTexelBufferArrayDynamicIndexing,
     "shaderStorageTexelBufferArrayDynamicIndexing",
     {&Twelve::shaderStorageTexelBufferArrayDynamicIndexing}},
    {UniformBufferArrayNonUniformIndexing,
     "shaderUniformBufferArrayNonUniformIndexing",
     {&Twelve::shaderUniformBufferArrayNonUniformIndexing}},
    {SampledImageArrayNonUniformIndexing,
     "shaderSampledImageArrayNonUniformIndexing",
     {&Twelve::shaderSampledImageArrayNonUniformIndexing}},
    {StorageBufferArrayNonUniformIndexing,
     "shaderStorageBufferArrayNonUniformIndexing",
     {&Twelve::shaderStorageBufferArrayNonUniformIndexing}},
    {StorageImageArrayNonUniformIndexing,
     "shaderStorageImageArrayNonUniformIndexing",
     {&Twelve::shaderStorageImageArrayNonUniformIndexing}},
    {UniformTexelBufferArrayNonUniformIndexing,
     "shaderUniformTexelBufferArrayNonUniformIndexing",
     {&Twelve::shaderUniformTexelBufferArrayNonUniformIndexing}},
    {StorageTexelBufferArrayNonUniformIndexing,
     "shaderStorageTexelBufferArrayNonUniformIndexing",
     {&Twelve::shaderStorageTexelBufferArrayNonUniformIndexing}},
    {Int64Atomics,
     "shaderBufferInt64Atomics",
     {&Twelve::shaderBufferInt64Atomics, &Twelve::shaderSharedInt64Atomics}},
    {AtomicFloat32AddEXT,
     "shaderBufferFloat32AtomicAdd",
     {&AtomicFloat::shaderBufferFloat32AtomicAdd, &AtomicFloat::shaderSharedFloat32AtomicAdd,
      &AtomicFloat::shaderImageFloat32AtomicAdd}},
    {AtomicFloat64AddEXT,
     "shaderBufferFloat64AtomicAdd",
     {&AtomicFloat::shaderBufferFloat64AtomicAdd, &AtomicFloat::shaderSharedFloat64AtomicAdd}},
    {AtomicFloat16AddEXT,
     "shaderBufferFloat16AtomicAdd",
     {&AtomicFloat2::shaderBufferFloat16AtomicAdd, &AtomicFloat2::shaderSharedFloat16AtomicAdd}},
    {AtomicFloat16MinMaxEXT,
     "shaderBufferFloat16AtomicMinMax",
     {&AtomicFloat2::shaderBufferFloat16AtomicMinMax,
      &AtomicFloat2::shaderSharedFloat16AtomicMinMax}},
    {AtomicFloat32MinMaxEXT,
     "shaderBufferFloat32AtomicMinMax",
     {&AtomicFloat2::shaderBufferFloat32AtomicMinMax,
      &AtomicFloat2::shaderSharedFloat32AtomicMinMax,
      &AtomicFloat2::shaderImageFloat32AtomicMinMax}},
    {AtomicFloat64MinMaxEXT,
     "shaderBufferFloat64AtomicMinMax",
     {&AtomicFloat2::shaderBufferFloat64AtomicMinMax,
      &AtomicFloat2::shaderSharedFloat64AtomicMinMax}},
    {ShaderClockKHR,
     "shaderSubgroupClock",
     {&Clock::shaderSubgroupClock, &Clock::shaderDeviceClock}},
    {CooperativeMatrixNV,
     "cooperativeMatrix of VK_NV_cooperative_matrix",
     {&NvMatrices::cooperativeMatrix}},
    {CooperativeMatrixKHR,
     "cooperativeMatrix of VK_KHR_cooperative_matrix",
     {&CooperativeMatrixFeaturesKhr::cooperative_matrix}},
});
}  // namespace table

bool is_there(const Reported& all, const Row& row) {
  return std::ranges::any_of(row.any, [&](const Bit& one) {
    return std::visit([&](auto bit) { return is_set(all, bit); }, one);
  });
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
  const Reported all{features_.features,  eleven_,         twelve_,
                     atomic_float_,       atomic_float_2_, clock_,
                     cooperative_matrix_, khr_matrices_};
  std::map<spv::Capability, const char*> found;
  for (const Row& row : table::rows) {
    if (!is_there(all, row)) {
      found.emplace(row.capability, row.feature);
    }
  }
  return found;
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

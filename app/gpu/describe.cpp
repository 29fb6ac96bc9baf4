#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gpu/driver_impl.h"
#include "gpu/features.h"

namespace gpu {
namespace {

core::DeviceType type_of(vk::PhysicalDeviceType type) {
  switch (type) {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return core::DeviceType::discrete;
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return core::DeviceType::integrated;
    case vk::PhysicalDeviceType::eVirtualGpu:
      return core::DeviceType::virtual_gpu;
    case vk::PhysicalDeviceType::eCpu:
      return core::DeviceType::cpu;
    default:
      return core::DeviceType::other;
  }
}

glm::uvec3 three(const vk::ArrayWrapper1D<std::uint32_t, 3>& values) {
  return {values[0], values[1], values[2]};
}

void describe_memory(const vk::raii::PhysicalDevice& device, core::DeviceInfo& info) {
  const auto memory = device.getMemoryProperties();
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if (memory.memoryHeaps[i].flags & vk::MemoryHeapFlagBits::eDeviceLocal) {
      info.memory_bytes = std::max<std::uint64_t>(info.memory_bytes, memory.memoryHeaps[i].size);
    }
  }
}

void describe_features(const vk::raii::PhysicalDevice& device, core::DeviceInfo& info) {
  if (has_extension(device, VK_KHR_SHADER_CLOCK_EXTENSION_NAME)) {
    info.shader_clock =
        device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceShaderClockFeaturesKHR>()
            .get<vk::PhysicalDeviceShaderClockFeaturesKHR>()
            .shaderDeviceClock == VK_TRUE;
  }
  info.executable_statistics =
      has_extension(device, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
}

bool has_int64_atomics(const vk::raii::PhysicalDevice& device) {
  const auto chain =
      device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan12Features>();
  return chain.get<vk::PhysicalDeviceFeatures2>().features.shaderInt64 == VK_TRUE &&
         chain.get<vk::PhysicalDeviceVulkan12Features>().shaderBufferInt64Atomics == VK_TRUE;
}

// The one shape that kernels here use, and the types that go with it.
bool has_cooperative_matrix(const vk::raii::PhysicalDevice& device) {
  if (!has_extension(device, VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME)) {
    return false;
  }
  const auto chain =
      device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                          vk::PhysicalDeviceVulkan12Features,
                          vk::PhysicalDeviceCooperativeMatrixFeaturesNV>();
  const auto& eleven = chain.get<vk::PhysicalDeviceVulkan11Features>();
  const auto& twelve = chain.get<vk::PhysicalDeviceVulkan12Features>();
  const auto& cooperative = chain.get<vk::PhysicalDeviceCooperativeMatrixFeaturesNV>();
  if (!cooperative.cooperativeMatrix || !eleven.storageBuffer16BitAccess || !twelve.shaderFloat16 ||
      !twelve.vulkanMemoryModel) {
    return false;
  }
  return std::ranges::any_of(
      device.getCooperativeMatrixPropertiesNV(), [](const vk::CooperativeMatrixPropertiesNV& p) {
        using Type = vk::ComponentTypeNV;
        return p.MSize == 16 && p.NSize == 16 && p.KSize == 16 && p.AType == Type::eFloat16 &&
               p.BType == Type::eFloat16 && p.CType == Type::eFloat32 &&
               p.DType == Type::eFloat32 && p.scope == vk::ScopeNV::eSubgroup;
      });
}

bool is_bfloat16_product(const CooperativeMatrixPropertiesKhr& p) {
  constexpr std::uint32_t kFloat32 = 1;
  constexpr std::uint32_t kBfloat16 = 1000141000;
  constexpr std::uint32_t kSubgroup = 3;
  return p.m == 16 && p.n == 16 && p.k == 16 && p.a == kBfloat16 && p.b == kBfloat16 &&
         p.c == kFloat32 && p.result == kFloat32 && p.scope == kSubgroup;
}

// By hand: what Debian 12's headers do not know, vk::raii can't ask for.
bool has_bfloat16_matrix(const vk::raii::Instance& instance,
                         const vk::raii::PhysicalDevice& device) {
  using Ask =
      VkResult(VKAPI_PTR*)(VkPhysicalDevice, std::uint32_t*, CooperativeMatrixPropertiesKhr*);
  const auto ask = reinterpret_cast<Ask>(
      instance.getProcAddr("vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
  if (ask == nullptr || !has_extension(device, "VK_KHR_cooperative_matrix") ||
      !has_extension(device, "VK_KHR_shader_bfloat16")) {
    return false;
  }
  std::uint32_t count = 0;
  std::vector<CooperativeMatrixPropertiesKhr> shapes;
  if (ask(*device, &count, nullptr) != VK_SUCCESS) {
    return false;
  }
  shapes.resize(count);
  return ask(*device, &count, shapes.data()) == VK_SUCCESS &&
         std::ranges::any_of(shapes, is_bfloat16_product);
}

void describe_multiprocessors(const vk::raii::PhysicalDevice& device, core::DeviceInfo& info) {
  if (has_extension(device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    using Features = vk::PhysicalDeviceShaderSMBuiltinsFeaturesNV;
    using Properties = vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV;
    const auto properties =
        device.getProperties2<vk::PhysicalDeviceProperties2, Properties>().get<Properties>();
    info.sm_builtins = device.getFeatures2<vk::PhysicalDeviceFeatures2, Features>()
                           .get<Features>()
                           .shaderSMBuiltins == VK_TRUE;
    info.multiprocessors = properties.shaderSMCount;
    info.warps_per_multiprocessor = properties.shaderWarpsPerSM;
  } else if (has_extension(device, VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME)) {
    using Features = vk::PhysicalDeviceShaderCoreBuiltinsFeaturesARM;
    using Properties = vk::PhysicalDeviceShaderCoreBuiltinsPropertiesARM;
    const auto properties =
        device.getProperties2<vk::PhysicalDeviceProperties2, Properties>().get<Properties>();
    info.sm_builtins = device.getFeatures2<vk::PhysicalDeviceFeatures2, Features>()
                           .get<Features>()
                           .shaderCoreBuiltins == VK_TRUE;
    info.arm_core_builtins = info.sm_builtins;
    info.multiprocessors = properties.shaderCoreCount;
    info.warps_per_multiprocessor = properties.shaderWarpsPerCore;
  }
}

}  // namespace

bool has_extension(const vk::raii::PhysicalDevice& device, const char* name) {
  return std::ranges::any_of(device.enumerateDeviceExtensionProperties(), [&](const auto& found) {
    return std::string_view(found.extensionName) == name;
  });
}

core::DeviceInfo describe(const vk::raii::Instance& instance,
                          const vk::raii::PhysicalDevice& device, bool validated) {
  const auto chain =
      device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceVulkan11Properties,
                            vk::PhysicalDeviceVulkan12Properties>();
  const auto& properties = chain.get<vk::PhysicalDeviceProperties2>().properties;
  const auto& eleven = chain.get<vk::PhysicalDeviceVulkan11Properties>();
  const auto& twelve = chain.get<vk::PhysicalDeviceVulkan12Properties>();
  const auto& limits = properties.limits;

  core::DeviceInfo info;
  info.name = properties.deviceName.data();
  info.type = type_of(properties.deviceType);
  info.driver = fmt::format("{} {}", twelve.driverName.data(), twelve.driverInfo.data());
  info.vulkan_version = fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(properties.apiVersion),
                                    VK_API_VERSION_MINOR(properties.apiVersion),
                                    VK_API_VERSION_PATCH(properties.apiVersion));
  info.max_buffer_bytes =
      std::min<std::uint64_t>(limits.maxStorageBufferRange, eleven.maxMemoryAllocationSize);
  info.shared_memory_bytes = limits.maxComputeSharedMemorySize;
  info.max_workgroup_invocations = limits.maxComputeWorkGroupInvocations;
  info.max_workgroup_size = three(limits.maxComputeWorkGroupSize);
  info.max_workgroup_count = three(limits.maxComputeWorkGroupCount);
  info.subgroup_size = eleven.subgroupSize;
  info.timestamp_period_ns = static_cast<double>(limits.timestampPeriod);
  describe_memory(device, info);
  describe_features(device, info);
  describe_multiprocessors(device, info);
  info.int64_atomics = has_int64_atomics(device);
  info.cooperative_matrix = info.subgroup_size == 32 && has_cooperative_matrix(device);
  info.bfloat16_matrix =
      info.cooperative_matrix && !validated && has_bfloat16_matrix(instance, device);
  return info;
}

}  // namespace gpu

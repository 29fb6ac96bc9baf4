#include "device.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include <shaderc/shaderc.hpp>

namespace capture_test {
namespace {

constexpr std::array kWanted{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};

// Most cases have the same kernel.
std::vector<std::uint32_t> compile(const std::string& glsl) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<std::uint32_t>> known;
  const std::scoped_lock lock(mutex);
  if (const auto found = known.find(glsl); found != known.end()) {
    return found->second;
  }
  const shaderc::Compiler compiler;
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  const auto result =
      compiler.CompileGlslToSpv(glsl, shaderc_glsl_compute_shader, "kernel.comp", options);
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    std::fprintf(stderr, "%s\n", result.GetErrorMessage().c_str());
    std::exit(3);  // NOLINT(concurrency-mt-unsafe)
  }
  return known[glsl] = {result.begin(), result.end()};
}

}  // namespace

void require(VkResult result, const char* what) {
  if (result != VK_SUCCESS) {
    std::fprintf(stderr, "%s: VkResult %d\n", what, static_cast<int>(result));
    std::exit(3);  // NOLINT(concurrency-mt-unsafe)
  }
}

void Memory::fill(std::uint32_t seed) const {
  for (VkDeviceSize i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::uint8_t>(7 * i + seed);
  }
}

Device::Device() {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  const char* const debug = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  create.enabledExtensionCount = 1;
  create.ppEnabledExtensionNames = &debug;
  require(vkCreateInstance(&create, nullptr, &instance), "vkCreateInstance");
  std::uint32_t count = 1;
  const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical);
  require(found == VK_INCOMPLETE ? VK_SUCCESS : found, "vkEnumeratePhysicalDevices");

  VkPhysicalDeviceVulkan13Features features13{};
  features13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  features13.inlineUniformBlock = VK_TRUE;
  features13.synchronization2 = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features12{};
  features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features12.pNext = &features13;
  features12.bufferDeviceAddress = VK_TRUE;
  const float priority = 1.0F;
  VkDeviceQueueCreateInfo queues{};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features12;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = kWanted.size();
  info.ppEnabledExtensionNames = kWanted.data();
  require(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  vkGetDeviceQueue(device, 0, 0, &queue);

  VkCommandPoolCreateInfo command_info{};
  command_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  command_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  require(vkCreateCommandPool(device, &command_info, nullptr, &command_pool),
          "vkCreateCommandPool");
  const std::array<VkDescriptorPoolSize, 9> sizes{{
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
      {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 16},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 16},
      {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 16},
      {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 4},
      {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 4},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4},
      {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 4},
      {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 256},
  }};
  VkDescriptorPoolInlineUniformBlockCreateInfo blocks{};
  blocks.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO;
  blocks.maxInlineUniformBlockBindings = 4;
  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.pNext = &blocks;
  pool_info.maxSets = 64;
  pool_info.poolSizeCount = sizes.size();
  pool_info.pPoolSizes = sizes.data();
  require(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
}

Device::~Device() {
  vkDeviceWaitIdle(device);
  for (auto end = ends_.rbegin(); end != ends_.rend(); ++end) {
    (*end)();
  }
  vkDestroyDescriptorPool(device, pool, nullptr);
  vkDestroyCommandPool(device, command_pool, nullptr);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
}

std::uint32_t Device::memory_type(std::uint32_t allowed, VkMemoryPropertyFlags flags) const {
  VkPhysicalDeviceMemoryProperties properties{};
  vkGetPhysicalDeviceMemoryProperties(physical, &properties);
  for (std::uint32_t type = 0; type < properties.memoryTypeCount; ++type) {
    if ((allowed & (1U << type)) != 0 &&
        (properties.memoryTypes[type].propertyFlags & flags) == flags) {
      return type;
    }
  }
  require(VK_ERROR_OUT_OF_DEVICE_MEMORY, "memory type");
  return 0;
}

Memory Device::memory(VkDeviceSize size, VkBufferUsageFlags usage, std::uint32_t seed) {
  Memory made;
  made.size = size;
  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = size;
  create.usage = usage;
  require(vkCreateBuffer(device, &create, nullptr, &made.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device, made.buffer, &needs);
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0 ? &flags : nullptr;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex =
      memory_type(needs.memoryTypeBits,
                  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  require(vkAllocateMemory(device, &allocate, nullptr, &made.memory), "vkAllocateMemory");
  require(vkBindBufferMemory(device, made.buffer, made.memory, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  require(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  made.bytes = static_cast<std::uint8_t*>(mapped);
  made.fill(seed);
  at_end([this, made] {
    vkDestroyBuffer(device, made.buffer, nullptr);
    vkFreeMemory(device, made.memory, nullptr);
  });
  return made;
}

Kernel Device::kernel(const KernelInfo& info) {
  Kernel made;
  VkDescriptorSetLayoutCreateInfo set_info{};
  set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set_info.flags = info.flags;
  set_info.bindingCount = static_cast<std::uint32_t>(info.bindings.size());
  set_info.pBindings = info.bindings.data();
  require(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &made.set_layout),
          "vkCreateDescriptorSetLayout");
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, info.push_bytes};
  VkPipelineLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &made.set_layout;
  layout.pushConstantRangeCount = info.push_bytes > 0 ? 1 : 0;
  layout.pPushConstantRanges = &push;
  require(vkCreatePipelineLayout(device, &layout, nullptr, &made.layout), "vkCreatePipelineLayout");
  const std::vector<std::uint32_t> words = compile(info.glsl);
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  require(vkCreateShaderModule(device, &module_info, nullptr, &module), "vkCreateShaderModule");
  VkComputePipelineCreateInfo pipeline{};
  pipeline.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  pipeline.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
  pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline.stage.module = module;
  pipeline.stage.pName = "main";
  pipeline.stage.pSpecializationInfo = info.constants;
  pipeline.layout = made.layout;
  require(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline, nullptr, &made.pipeline),
          "vkCreateComputePipelines");
  vkDestroyShaderModule(device, module, nullptr);
  VkDebugUtilsObjectNameInfoEXT name{};
  name.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  name.objectType = VK_OBJECT_TYPE_PIPELINE;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  name.objectHandle = reinterpret_cast<std::uint64_t>(made.pipeline);
  name.pObjectName = info.name.c_str();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto set_name = reinterpret_cast<PFN_vkSetDebugUtilsObjectNameEXT>(
      vkGetInstanceProcAddr(instance, "vkSetDebugUtilsObjectNameEXT"));
  require(set_name(device, &name), "vkSetDebugUtilsObjectNameEXT");
  at_end([this, made] {
    vkDestroyPipeline(device, made.pipeline, nullptr);
    vkDestroyPipelineLayout(device, made.layout, nullptr);
    vkDestroyDescriptorSetLayout(device, made.set_layout, nullptr);
  });
  return made;
}

VkDescriptorSet Device::set(const Kernel& kernel) const {
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &kernel.set_layout;
  VkDescriptorSet made = VK_NULL_HANDLE;
  require(vkAllocateDescriptorSets(device, &allocate, &made), "vkAllocateDescriptorSets");
  return made;
}

void Device::write(VkDescriptorSet set, std::uint32_t number, VkDescriptorType type,
                   const Memory& memory, VkDeviceSize offset, VkDeviceSize range) const {
  const VkDescriptorBufferInfo buffer{memory.buffer, offset, range};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = number;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pBufferInfo = &buffer;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

VkCommandBuffer Device::commands(VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = command_pool;
  allocate.level = level;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made = VK_NULL_HANDLE;
  require(vkAllocateCommandBuffers(device, &allocate, &made), "vkAllocateCommandBuffers");
  return made;
}

void Device::submit(VkCommandBuffer commands) const {
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  require(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  require(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

VkDescriptorSetLayoutBinding binding(std::uint32_t number, VkDescriptorType type,
                                     std::uint32_t count) {
  return {number, type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
}

void begin(VkCommandBuffer commands, const VkCommandBufferInheritanceInfo* inherited) {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.pInheritanceInfo = inherited;
  require(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

}  // namespace capture_test

// The Vulkan functions of the next layer or the driver. A name without a version or an extension's
// suffix stands for all of its aliases (vkQueueSubmit2 and vkQueueSubmit2KHR).
#pragma once

#include <vulkan/vulkan.h>

namespace capture {

// Device functions that the layer replaces.
// clang-format off
#define TILESCOPE_HOOKS(X) \
  X(DestroyDevice) X(GetDeviceQueue) X(GetDeviceQueue2) X(QueueSubmit) X(QueueSubmit2) \
  X(CreateBuffer) X(DestroyBuffer) X(BindBufferMemory) X(BindBufferMemory2) \
  X(GetDeviceBufferMemoryRequirements) X(CreateBufferView) X(DestroyBufferView) \
  X(CreateImage) X(DestroyImage) X(BindImageMemory) X(BindImageMemory2) \
  X(GetDeviceImageMemoryRequirements) X(CreateImageView) X(DestroyImageView) \
  X(CreateSampler) X(DestroySampler) \
  X(CreateShaderModule) X(DestroyShaderModule) X(CreateComputePipelines) X(DestroyPipeline) \
  X(CreatePipelineLayout) X(DestroyPipelineLayout) \
  X(CreateDescriptorSetLayout) X(DestroyDescriptorSetLayout) \
  X(DestroyDescriptorPool) X(ResetDescriptorPool) X(AllocateDescriptorSets) \
  X(FreeDescriptorSets) X(UpdateDescriptorSets) X(CreateDescriptorUpdateTemplate) \
  X(DestroyDescriptorUpdateTemplate) X(UpdateDescriptorSetWithTemplate) \
  X(DestroyCommandPool) X(ResetCommandPool) X(AllocateCommandBuffers) X(FreeCommandBuffers) \
  X(BeginCommandBuffer) X(ResetCommandBuffer) \
  X(CmdBindPipeline) X(CmdBindDescriptorSets) X(CmdPushConstants) X(CmdPushDescriptorSetKHR) \
  X(CmdPushDescriptorSetWithTemplateKHR) X(CmdDispatch) X(CmdDispatchIndirect) \
  X(CmdDispatchBase) X(CmdExecuteCommands) \
  X(SetDebugUtilsObjectNameEXT) X(CmdBeginDebugUtilsLabelEXT) X(CmdEndDebugUtilsLabelEXT)
// Device functions that the layer only calls.
#define TILESCOPE_CALLED(X) \
  X(AllocateMemory) X(FreeMemory) X(MapMemory) X(GetBufferMemoryRequirements) \
  X(CreateFence) X(DestroyFence) X(ResetFences) X(WaitForFences) X(GetFenceStatus) \
  X(CmdPipelineBarrier) X(CmdCopyBuffer) X(CmdCopyImageToBuffer)
// Instance functions that the layer only calls.
#define TILESCOPE_INSTANCE_CALLED(X) \
  X(DestroyInstance) X(GetPhysicalDeviceProperties) X(GetPhysicalDeviceMemoryProperties) \
  X(GetPhysicalDeviceImageFormatProperties) X(GetPhysicalDeviceImageFormatProperties2)
// clang-format on

struct NextDevice {
  PFN_vkGetDeviceProcAddr GetDeviceProcAddr = nullptr;
#define X(name) PFN_vk##name name = nullptr;
  TILESCOPE_HOOKS(X)
  TILESCOPE_CALLED(X)
#undef X
  void load(VkDevice device);
};

struct NextInstance {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
#define X(name) PFN_vk##name name = nullptr;
  TILESCOPE_INSTANCE_CALLED(X)
#undef X
  void load(VkInstance instance);
};

}  // namespace capture

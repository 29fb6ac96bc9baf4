// The layer's state. It is made once and never destroyed: the program may call Vulkan until its
// very end.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/command_buffer.h"
#include "capture/next.h"
#include "capture/objects.h"
#include "capture/options.h"
#include "capture/registry.h"
#include "capture/snapshot.h"
#include "capture/writer.h"

namespace capture {

struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  NextInstance next;
};

struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  std::shared_ptr<Instance> instance;
  NextDevice next;
  VkPhysicalDeviceMemoryProperties memory{};
  std::string name;
  ChunkPool chunks{*this};

  Registry<VkBuffer, Buffer> buffers;
  Registry<VkBufferView, BufferView> buffer_views;
  Registry<VkImage, Image> images;
  Registry<VkImageView, ImageView> image_views;
  Registry<VkSampler, Sampler> samplers;
  Registry<VkShaderModule, ShaderModule> modules;
  Registry<VkPipelineLayout, PipelineLayout> layouts;
  Registry<VkPipeline, Pipeline> pipelines;
  Registry<VkDescriptorSetLayout, SetLayout> set_layouts;
  Registry<VkDescriptorSet, DescriptorSet> sets;
  Registry<VkDescriptorUpdateTemplate, UpdateTemplate> templates;
  Registry<VkCommandBuffer, CommandBuffer> commands;
  Registry<VkQueue, Queue> queues;

  /// Fences of the layer's own that no submission uses.
  std::mutex fences_mutex;
  std::vector<VkFence> fences;
  /// Null if the device has none.
  [[nodiscard]] VkFence get_fence();
  void give_back_fence(VkFence fence);
};

class Layer {
 public:
  Options options = read_options();
  Writer writer{options};
  /// In a child process after fork() the layer only passes calls on.
  std::atomic<bool> off{options.folder.empty()};
  /// Launches that --pipelines chose, in the order in which they were recorded.
  std::atomic<std::uint64_t> recorded{0};
  std::atomic<std::uint64_t> chosen{0};

  void add_instance(std::shared_ptr<Instance> instance);
  void remove_instance(VkInstance instance);
  /// Takes an instance or one of its physical devices.
  [[nodiscard]] std::shared_ptr<Instance> instance_of(const void* handle);

  Device* add_device(std::unique_ptr<Device> device);
  void remove_device(Device& device);
  /// The device of a VkDevice, a VkQueue or a VkCommandBuffer. Null if it is not known.
  [[nodiscard]] Device* device_of(const void* handle) const;

 private:
  // Read without a lock by each call of the program.
  struct Slot {
    std::atomic<const void*> key{nullptr};
    std::atomic<Device*> device{nullptr};
  };
  std::mutex mutex_;
  std::map<const void*, std::shared_ptr<Instance>> instances_;
  std::array<Slot, 64> slots_;
};

[[nodiscard]] Layer& layer();

/// The first word of a handle, which all handles of a device share.
[[nodiscard]] const void* key_of(const void* handle);

/// The device of a call that reached a hook. It is known, because hooks are given out for known
/// devices alone.
[[nodiscard]] inline Device& known_device(const void* handle) {
  return *layer().device_of(handle);
}

}  // namespace capture

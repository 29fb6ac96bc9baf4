// Insides of Device, Buffer and Kernel, for this layer's sources.
#pragma once

#include "gpu/device.h"
#include "gpu/driver_impl.h"
#include "gpu/vulkan.h"

namespace gpu {

/// A buffer and its memory. `mapped` is null for memory that the host can't see.
struct Buffer::Impl {
  vk::raii::DeviceMemory memory{nullptr};
  vk::raii::Buffer buffer{nullptr};  // after memory: destroyed before it
  std::uint64_t bytes = 0;
  std::byte* mapped = nullptr;
};

struct Kernel::Impl {
  std::string name;
  vk::raii::DescriptorSetLayout set_layout{nullptr};
  vk::raii::PipelineLayout layout{nullptr};
  vk::raii::Pipeline pipeline{nullptr};
  std::vector<std::uint32_t> bindings;
  std::uint32_t push_constant_bytes = 0;
};

/// Throws Vulkan-Hpp's exceptions.
[[nodiscard]] std::unique_ptr<Kernel::Impl> make_kernel(const vk::raii::Device& device,
                                                        const KernelSpec& spec,
                                                        vk::PipelineCreateFlags flags);

struct Device::Impl {
  std::shared_ptr<Driver> driver;
  core::DeviceInfo info;
  const vk::raii::PhysicalDevice* physical = nullptr;
  vk::PhysicalDeviceMemoryProperties memory;
  std::uint32_t family = 0;
  vk::raii::Device device{nullptr};
  vk::raii::Queue queue{nullptr};
  vk::raii::CommandPool pool{nullptr};
  std::unique_ptr<Buffer::Impl> staging;

  /// Throws Vulkan-Hpp's exceptions.
  [[nodiscard]] std::unique_ptr<Buffer::Impl> make_buffer(std::uint64_t bytes,
                                                          vk::MemoryPropertyFlags wanted) const;
  /// Records with `record`, submits, and waits until it is done.
  template <class Record>
  void run(Record&& record) const {
    vk::raii::CommandBuffers buffers(device, {*pool, vk::CommandBufferLevel::ePrimary, 1});
    const vk::raii::CommandBuffer& commands = buffers.front();
    commands.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    record(commands);
    commands.end();
    wait_for(*commands);
  }
  void wait_for(vk::CommandBuffer commands) const;
};

}  // namespace gpu

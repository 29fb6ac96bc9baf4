// Insides of Device, Buffer and Kernel, for this layer's sources.
#pragma once

#include <array>
#include <map>
#include <utility>

#include <spirv/unified1/spirv.hpp11>

#include "gpu/device.h"
#include "gpu/driver_impl.h"
#include "gpu/vulkan.h"
#include "spirv/module/module.h"

namespace gpu {

/// A buffer or an image with its memory. `mapped` is null for memory that the host can't see.
/// Members are destroyed in reverse: views before what they show, that before its memory.
struct Buffer::Impl {
  vk::raii::DeviceMemory memory{nullptr};
  vk::raii::Buffer buffer{nullptr};
  vk::Buffer range_of;       ///< a buffer whose memory this is a range of; null: this has its own
  std::uint64_t offset = 0;  ///< where the range begins
  vk::raii::Image image{nullptr};
  vk::raii::BufferView texels{nullptr};
  vk::raii::ImageView view{nullptr};
  vk::raii::Sampler sampler{nullptr};
  std::uint64_t bytes = 0;
  std::byte* mapped = nullptr;
  std::uint64_t address = 0;
  const core::ImageFormat* format = nullptr;
  vk::Extent3D extent{1, 1, 1};
  std::uint32_t layers = 1;

  [[nodiscard]] vk::Buffer handle() const { return range_of ? range_of : *buffer; }
};

struct Kernel::Impl {
  std::string name;
  vk::raii::DescriptorSetLayout set_layout{nullptr};
  vk::raii::PipelineLayout layout{nullptr};
  vk::raii::Pipeline pipeline{nullptr};
  std::vector<KernelBinding> bindings;
  std::uint32_t push_constant_bytes = 0;
  std::optional<std::uint32_t> address_table;  // the binding of AddressTables
};

[[nodiscard]] vk::DescriptorType descriptor_type(core::ResourceKind kind);

/// Tables of the memory that a launch reaches by addresses (spirv/probes/addresses.h), and the
/// memory beside it that wrong addresses end in.
class AddressTables {
 public:
  /// Of what is addressed among `buffers`, by where it lies. Throws Vulkan-Hpp's exceptions.
  [[nodiscard]] const Buffer::Impl& of(const Device::Impl& device,
                                       const std::vector<const Buffer*>& buffers);
  /// Forgets tables when there are many; nothing may be running.
  void tidy();

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // first byte to how many
  std::unique_ptr<Buffer::Impl> sink_;
  std::map<Ranges, std::unique_ptr<Buffer::Impl>> tables_;
};

/// A queue, and what it can't do.
struct QueuePlace {
  std::uint32_t family = 0;
  std::uint32_t index = 0;
  bool copies_only = false;
  bool operator==(const QueuePlace&) const = default;
};

/// Records commands without timed sections. What comes back must live until they have run.
[[nodiscard]] vk::raii::DescriptorPool record(const vk::raii::Device& device,
                                              const vk::raii::CommandBuffer& buffer,
                                              const Commands& commands, bool copies_only);

struct Device::Impl {
  std::shared_ptr<Driver> driver;
  core::DeviceInfo info;
  DeviceOptions options;
  const vk::raii::PhysicalDevice* physical = nullptr;
  vk::PhysicalDeviceMemoryProperties memory;
  std::uint32_t family = 0;
  std::array<QueuePlace, 3> places{};              // for uploads, computation, downloads
  std::vector<std::uint32_t> families;             // that may use a buffer
  std::map<spv::Capability, const char*> lacking;  // what modules may not declare, Features
  bool khr_matrices = false;  // modules may have cooperative matrices of the KHR kind
  vk::raii::Device device{nullptr};
  vk::raii::Queue queue{nullptr};
  vk::raii::CommandPool pool{nullptr};
  std::unique_ptr<Buffer::Impl> staging;
  AddressTables address_tables;

  /// Throws Vulkan-Hpp's exceptions.
  [[nodiscard]] std::unique_ptr<Buffer::Impl> make_buffer(std::uint64_t bytes,
                                                          vk::MemoryPropertyFlags wanted,
                                                          vk::BufferUsageFlags more = {}) const;
  [[nodiscard]] std::unique_ptr<Buffer::Impl> make_texels(const core::Resource& resource) const;
  [[nodiscard]] std::unique_ptr<Buffer::Impl> make_image(const core::Resource& resource) const;
  /// All texels of an image, which is in the general layout before and after.
  void upload_texels(const Buffer::Impl& to, std::span<const std::byte> data) const;
  void download_texels(const Buffer::Impl& from, std::span<std::byte> data) const;
  [[nodiscard]] vk::raii::Sampler make_sampler(const core::Resource& resource, bool nearest) const;
  /// Host memory, cached where there is some: reading uncached memory is slower by orders of
  /// magnitude.
  [[nodiscard]] std::unique_ptr<Buffer::Impl> make_cached(std::uint64_t bytes) const;
  /// A kernel's module as this device likes it best; it may ask for a table of addresses. Fault::
  /// usage: it can't be made what it claims.
  [[nodiscard]] core::Expected<spirv::Words> module_of(KernelSpec& spec) const;
  /// Of that module. Throws Vulkan-Hpp's exceptions.
  [[nodiscard]] std::unique_ptr<Kernel::Impl> make_kernel(const KernelSpec& spec,
                                                          const spirv::Words& words,
                                                          vk::PipelineCreateFlags flags) const;
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

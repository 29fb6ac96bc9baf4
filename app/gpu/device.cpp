#include "gpu/device.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/bytes.h"
#include "gpu/device_impl.h"
#include "gpu/features.h"

namespace gpu {
namespace {

constexpr std::uint64_t kStagingBytes = 32U << 20U;

std::uint32_t compute_family(const vk::raii::PhysicalDevice& device) {
  const auto families = device.getQueueFamilyProperties();
  const auto found = std::ranges::find_if(families, [](const auto& family) {
    return static_cast<bool>(family.queueFlags & vk::QueueFlagBits::eCompute);
  });
  return static_cast<std::uint32_t>(found - families.begin());
}

void open_device(Device::Impl& impl, bool robust) {
  impl.memory = impl.physical->getMemoryProperties();
  impl.family = compute_family(*impl.physical);
  const float priority = 1.0F;
  const vk::DeviceQueueCreateInfo queue{{}, impl.family, 1, &priority};
  const Features features(*impl.physical, robust);
  vk::DeviceCreateInfo info{{}, queue, {}, features.extensions()};
  info.pNext = features.chain();
  impl.device = vk::raii::Device(*impl.physical, info);
  impl.queue = vk::raii::Queue(impl.device, impl.family, 0);
  impl.pool =
      vk::raii::CommandPool(impl.device, {vk::CommandPoolCreateFlagBits::eTransient, impl.family});
}

vk::MemoryBarrier transfer_done() {
  return {vk::AccessFlagBits::eTransferWrite,
          vk::AccessFlagBits::eHostRead | vk::AccessFlagBits::eShaderRead |
              vk::AccessFlagBits::eTransferRead | vk::AccessFlagBits::eTransferWrite};
}

// Copies between a buffer and the staging buffer, so many bytes at an offset.
void copy_piece(const Device::Impl& impl, const Buffer::Impl& from, const Buffer::Impl& to,
                const vk::BufferCopy& piece) {
  impl.run([&](const vk::raii::CommandBuffer& commands) {
    commands.copyBuffer(*from.buffer, *to.buffer, piece);
    commands.pipelineBarrier(vk::PipelineStageFlagBits::eTransfer,
                             vk::PipelineStageFlagBits::eHost |
                                 vk::PipelineStageFlagBits::eComputeShader |
                                 vk::PipelineStageFlagBits::eTransfer,
                             {}, transfer_done(), {}, {});
  });
}

}  // namespace

std::unique_ptr<Buffer::Impl> Device::Impl::make_buffer(std::uint64_t bytes,
                                                        vk::MemoryPropertyFlags wanted) const {
  auto made = std::make_unique<Buffer::Impl>();
  made->bytes = bytes;
  made->buffer = vk::raii::Buffer(
      device, {{},
               bytes,
               vk::BufferUsageFlagBits::eStorageBuffer | vk::BufferUsageFlagBits::eTransferSrc |
                   vk::BufferUsageFlagBits::eTransferDst});
  const auto needs = made->buffer.getMemoryRequirements();
  const std::uint32_t type = memory_type(memory, needs.memoryTypeBits, wanted);
  made->memory = vk::raii::DeviceMemory(device, {needs.size, type});
  made->buffer.bindMemory(*made->memory, 0);
  if (wanted & vk::MemoryPropertyFlagBits::eHostVisible) {
    made->mapped = static_cast<std::byte*>(made->memory.mapMemory(0, VK_WHOLE_SIZE));
  }
  return made;
}

void Device::Impl::wait_for(vk::CommandBuffer commands) const {
  const vk::raii::Fence fence(device, vk::FenceCreateInfo{});
  const vk::SubmitInfo submit{{}, {}, commands};
  queue.submit(submit, *fence);
  while (device.waitForFences(*fence, VK_TRUE, 1'000'000'000) == vk::Result::eTimeout) {
  }
}

core::Expected<std::unique_ptr<Device>> Device::open(std::shared_ptr<Driver> driver,
                                                     const core::DeviceInfo& info,
                                                     DeviceOptions options) {
  return guard(fmt::format("to open {}", info.name), [&] {
    auto impl = std::make_unique<Impl>();
    impl->info = info;
    impl->physical = &driver->impl().physical.at(info.index);
    impl->driver = std::move(driver);
    open_device(*impl, options.robust);
    return std::unique_ptr<Device>(new Device(std::move(impl)));
  });
}

Device::Device(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Device::~Device() = default;

const core::DeviceInfo& Device::info() const {
  return impl_->info;
}

core::Expected<Buffer> Device::buffer(std::uint64_t bytes, const std::string& name) {
  const std::uint64_t most = impl_->info.max_buffer_bytes;
  if (bytes > most) {
    return core::device_error(fmt::format("{} needs {}; a buffer on this device holds {}", name,
                                          core::bytes_in_words(bytes), core::bytes_in_words(most)));
  }
  return guard(
      fmt::format("to hold {} ({}) on {}", name, core::bytes_in_words(bytes), impl_->info.name),
      [&] {
        return Buffer(impl_->make_buffer(std::max<std::uint64_t>(bytes, 4),
                                         vk::MemoryPropertyFlagBits::eDeviceLocal));
      });
}

core::Expected<void> Device::upload(const Buffer& to, std::span<const std::byte> data) {
  return guard("to copy inputs to the device", [&] {
    using Flag = vk::MemoryPropertyFlagBits;
    if (!impl_->staging) {
      impl_->staging = impl_->make_buffer(kStagingBytes, Flag::eHostVisible | Flag::eHostCoherent);
    }
    for (std::uint64_t at = 0; at < data.size(); at += kStagingBytes) {
      const std::uint64_t length = std::min<std::uint64_t>(kStagingBytes, data.size() - at);
      std::memcpy(impl_->staging->mapped, data.data() + at, length);
      copy_piece(*impl_, *impl_->staging, to.impl(), {0, at, length});
    }
  });
}

core::Expected<void> Device::download(const Buffer& from, std::span<std::byte> data) {
  return guard("to copy results from the device", [&] {
    using Flag = vk::MemoryPropertyFlagBits;
    const std::uint64_t size = std::min<std::uint64_t>(kStagingBytes, data.size());
    // Cached memory where there is some: reading uncached memory is slower by orders of magnitude.
    const auto staging = [&] {
      try {
        return impl_->make_buffer(size,
                                  Flag::eHostVisible | Flag::eHostCoherent | Flag::eHostCached);
      } catch (const std::runtime_error&) {
        return impl_->make_buffer(size, Flag::eHostVisible | Flag::eHostCoherent);
      }
    }();
    for (std::uint64_t at = 0; at < data.size(); at += kStagingBytes) {
      const std::uint64_t length = std::min<std::uint64_t>(kStagingBytes, data.size() - at);
      copy_piece(*impl_, from.impl(), *staging, {at, 0, length});
      std::memcpy(data.data() + at, staging->mapped, length);
    }
  });
}

Buffer::Buffer() = default;
Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&&) noexcept = default;
Buffer::~Buffer() = default;
Buffer::Buffer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
std::uint64_t Buffer::bytes() const {
  return impl_ ? impl_->bytes : 0;
}

}  // namespace gpu

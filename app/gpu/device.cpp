#include "gpu/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "core/base/watched_step.h"
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

// Copy engines of their own for uploads and downloads where there is a family of them; else other
// queues of the computing family; else its only one. Queues that keep no time are passed over.
std::array<QueuePlace, 3> stream_places(const vk::raii::PhysicalDevice& device,
                                        std::uint32_t compute) {
  using Flag = vk::QueueFlagBits;
  constexpr auto kMore = Flag::eGraphics | Flag::eCompute | static_cast<Flag>(0x20) |  // decoding
                         static_cast<Flag>(0x40);                                      // encoding
  const auto families = device.getQueueFamilyProperties();
  const auto copies = std::ranges::find_if(families, [&](const auto& family) {
    return (family.queueFlags & Flag::eTransfer) && !(family.queueFlags & kMore) &&
           family.timestampValidBits > 0;
  });
  const std::uint32_t count = families[compute].queueCount;
  std::array<QueuePlace, 3> places{QueuePlace{compute, std::min(1U, count - 1)},
                                   QueuePlace{compute, 0},
                                   QueuePlace{compute, std::min(2U, count - 1)}};
  if (copies != families.end()) {
    const auto family = static_cast<std::uint32_t>(copies - families.begin());
    places[0] = {family, 0, true};
    if (copies->queueCount > 1) {
      places[2] = {family, 1, true};
    } else {
      places[2] = {compute, std::min(1U, count - 1)};
    }
  }
  return places;
}

void open_device(Device::Impl& impl, const DeviceOptions& options) {
  impl.memory = impl.physical->getMemoryProperties();
  impl.family = compute_family(*impl.physical);
  impl.places.fill({impl.family, 0});
  if (options.streams) {
    impl.places = stream_places(*impl.physical, impl.family);
  }
  std::map<std::uint32_t, std::uint32_t> counts;  // of queues, by family
  for (const QueuePlace& place : impl.places) {
    counts[place.family] = std::max(counts[place.family], place.index + 1);
  }
  constexpr std::array kPriorities{1.0F, 1.0F, 1.0F};
  std::vector<vk::DeviceQueueCreateInfo> queues;
  for (const auto& [family, count] : counts) {
    impl.families.push_back(family);
    queues.emplace_back(vk::DeviceQueueCreateFlags{}, family, count, kPriorities.data());
  }
  const Features features(*impl.physical, options.robust, impl.driver->impl().validated);
  vk::DeviceCreateInfo info{{}, queues, {}, features.extensions()};
  info.pNext = features.chain();
  impl.device = vk::raii::Device(*impl.physical, info);
  impl.khr_matrices = features.khr_matrices();
  impl.lacking = features.lacking();
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
                vk::BufferCopy piece) {
  piece.srcOffset += from.offset;
  piece.dstOffset += to.offset;
  impl.run([&](const vk::raii::CommandBuffer& commands) {
    commands.copyBuffer(from.handle(), to.handle(), piece);
    commands.pipelineBarrier(vk::PipelineStageFlagBits::eTransfer,
                             vk::PipelineStageFlagBits::eHost |
                                 vk::PipelineStageFlagBits::eComputeShader |
                                 vk::PipelineStageFlagBits::eTransfer,
                             {}, transfer_done(), {}, {});
  });
}

}  // namespace

std::unique_ptr<Buffer::Impl> Device::Impl::make_buffer(std::uint64_t bytes,
                                                        vk::MemoryPropertyFlags wanted,
                                                        vk::BufferUsageFlags more) const {
  auto made = std::make_unique<Buffer::Impl>();
  made->bytes = bytes;
  vk::BufferCreateInfo create{{},
                              bytes,
                              vk::BufferUsageFlagBits::eStorageBuffer |
                                  vk::BufferUsageFlagBits::eTransferSrc |
                                  vk::BufferUsageFlagBits::eTransferDst | more};
  if (families.size() > 1) {
    create.sharingMode = vk::SharingMode::eConcurrent;
    create.setQueueFamilyIndices(families);
  }
  made->buffer = vk::raii::Buffer(device, create);
  const auto needs = made->buffer.getMemoryRequirements();
  const std::uint32_t type = memory_type(memory, needs.memoryTypeBits, wanted);
  const bool addressed = static_cast<bool>(more & vk::BufferUsageFlagBits::eShaderDeviceAddress);
  const vk::MemoryAllocateFlagsInfo flags{vk::MemoryAllocateFlagBits::eDeviceAddress};
  made->memory = vk::raii::DeviceMemory(device, {needs.size, type, addressed ? &flags : nullptr});
  made->buffer.bindMemory(*made->memory, 0);
  made->address = addressed ? device.getBufferAddress({*made->buffer}) : 0;
  if (wanted & vk::MemoryPropertyFlagBits::eHostVisible) {
    made->mapped = static_cast<std::byte*>(made->memory.mapMemory(0, VK_WHOLE_SIZE));
  }
  return made;
}

std::unique_ptr<Buffer::Impl> Device::Impl::make_cached(std::uint64_t bytes) const {
  using Flag = vk::MemoryPropertyFlagBits;
  try {
    return make_buffer(bytes, Flag::eHostVisible | Flag::eHostCoherent | Flag::eHostCached);
  } catch (const std::runtime_error&) {
    return make_buffer(bytes, Flag::eHostVisible | Flag::eHostCoherent);
  }
}

void Device::Impl::wait_for(vk::CommandBuffer commands) const {
  const core::WatchedStep step("running on the device");
  const vk::raii::Fence fence(device, vk::FenceCreateInfo{});
  const vk::SubmitInfo submit{{}, {}, commands};
  queue.submit(submit, *fence);
  while (device.waitForFences(*fence, VK_TRUE, 1'000'000'000) == vk::Result::eTimeout) {
  }
}

namespace {

// With wider vectors lavapipe computes wrong values, so that every verdict would be wrong.
core::Expected<void> check_vector_width(const core::DeviceInfo& info) {
  constexpr unsigned long kWidest = 512;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
  const char* width = std::getenv("LP_NATIVE_VECTOR_WIDTH");
  if (width == nullptr || !info.emulated() || std::strtoul(width, nullptr, 10) <= kWidest) {
    return {};
  }
  return core::device_error(fmt::format(
      "LP_NATIVE_VECTOR_WIDTH is {}, but lavapipe computes wrong values above {}; unset it", width,
      kWidest));
}

}  // namespace

core::Expected<std::unique_ptr<Device>> Device::open(std::shared_ptr<Driver> driver,
                                                     const core::DeviceInfo& info,
                                                     DeviceOptions options) {
  TRY(check_vector_width(info));
  return guard(fmt::format("to open {}", info.name), [&] {
    auto impl = std::make_unique<Impl>();
    impl->info = info;
    impl->options = options;
    impl->physical = &driver->impl().physical.at(info.index);
    impl->driver = std::move(driver);
    open_device(*impl, options);
    return std::unique_ptr<Device>(new Device(std::move(impl)));
  });
}

Device::Device(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Device::~Device() = default;

const core::DeviceInfo& Device::info() const {
  return impl_->info;
}

const std::shared_ptr<Driver>& Device::driver() const {
  return impl_->driver;
}

core::Expected<Buffer> Device::buffer(std::uint64_t bytes, const std::string& name) {
  const std::uint64_t most = impl_->info.max_buffer_bytes;
  if (bytes > most) {
    return core::device_error(
        fmt::format("{} needs {}; a buffer on this device has at most {}; choose smaller sizes",
                    name, core::bytes_in_words(bytes), core::bytes_in_words(most)));
  }
  return guard(
      fmt::format("to hold {} ({}) on {}", name, core::bytes_in_words(bytes), impl_->info.name),
      [&] {
        return Buffer(impl_->make_buffer(std::max<std::uint64_t>(bytes, 4),
                                         vk::MemoryPropertyFlagBits::eDeviceLocal));
      });
}

core::Expected<Buffer> Device::range(const Buffer& whole, std::uint64_t offset, std::uint64_t bytes,
                                     const std::string& name) {
  const std::uint64_t step = std::max<std::uint64_t>(
      impl_->physical->getProperties().limits.minStorageBufferOffsetAlignment, 4);
  if (offset % step != 0) {
    return core::device_error(
        fmt::format("{} begins {} bytes into a buffer; this device needs a multiple of {}", name,
                    offset, step));
  }
  const std::uint64_t all = whole.impl().bytes;
  if (offset > all || bytes > all - offset) {
    return core::device_error(fmt::format("{}: {} bytes at offset {} do not fit into {} bytes",
                                          name, bytes, offset, all));
  }
  auto made = std::make_unique<Buffer::Impl>();
  made->range_of = whole.impl().handle();
  made->offset = whole.impl().offset + offset;
  made->bytes = bytes;
  return Buffer(std::move(made));
}

core::Expected<Buffer> Device::host_buffer(std::uint64_t bytes, const std::string& name) {
  return guard(fmt::format("to hold {} ({}) in host memory for {}", name,
                           core::bytes_in_words(bytes), impl_->info.name),
               [&] { return Buffer(impl_->make_cached(std::max<std::uint64_t>(bytes, 4))); });
}

core::Expected<void> Device::upload(const Buffer& to, std::span<const std::byte> data) {
  return guard("to copy inputs to the device", [&] {
    using Flag = vk::MemoryPropertyFlagBits;
    if (*to.impl().image) {
      return impl_->upload_texels(to.impl(), data);
    }
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
    if (*from.impl().image) {
      return impl_->download_texels(from.impl(), data);
    }
    const std::uint64_t size = std::min<std::uint64_t>(kStagingBytes, data.size());
    const auto staging = impl_->make_cached(size);
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
std::uint64_t Buffer::address() const {
  return impl_ ? impl_->address : 0;
}
const core::ImageFormat* Buffer::format() const {
  return impl_ ? impl_->format : nullptr;
}
std::span<std::byte> Buffer::host() const {
  return impl_->mapped == nullptr ? std::span<std::byte>{} : std::span(impl_->mapped, impl_->bytes);
}

}  // namespace gpu

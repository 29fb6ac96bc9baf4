// Images, texels of buffers, and samplers.
#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "gpu/device_impl.h"

namespace gpu {
namespace {

using Feature = vk::FormatFeatureFlagBits;

// In the order of core::image_formats().
constexpr std::array kFormats{vk::Format::eR32G32B32A32Sfloat,
                              vk::Format::eR16G16B16A16Sfloat,
                              vk::Format::eR32Sfloat,
                              vk::Format::eR8G8B8A8Unorm,
                              vk::Format::eR8G8B8A8Snorm,
                              vk::Format::eR32G32Sfloat,
                              vk::Format::eR16G16Sfloat,
                              vk::Format::eB10G11R11UfloatPack32,
                              vk::Format::eR16Sfloat,
                              vk::Format::eR16G16B16A16Unorm,
                              vk::Format::eA2B10G10R10UnormPack32,
                              vk::Format::eR16G16Unorm,
                              vk::Format::eR8G8Unorm,
                              vk::Format::eR16Unorm,
                              vk::Format::eR8Unorm,
                              vk::Format::eR16G16B16A16Snorm,
                              vk::Format::eR16G16Snorm,
                              vk::Format::eR8G8Snorm,
                              vk::Format::eR16Snorm,
                              vk::Format::eR8Snorm,
                              vk::Format::eR32G32B32A32Sint,
                              vk::Format::eR16G16B16A16Sint,
                              vk::Format::eR8G8B8A8Sint,
                              vk::Format::eR32Sint,
                              vk::Format::eR32G32Sint,
                              vk::Format::eR16G16Sint,
                              vk::Format::eR8G8Sint,
                              vk::Format::eR16Sint,
                              vk::Format::eR8Sint,
                              vk::Format::eR32G32B32A32Uint,
                              vk::Format::eR16G16B16A16Uint,
                              vk::Format::eR8G8B8A8Uint,
                              vk::Format::eR32Uint,
                              vk::Format::eA2B10G10R10UintPack32,
                              vk::Format::eR32G32Uint,
                              vk::Format::eR16G16Uint,
                              vk::Format::eR8G8Uint,
                              vk::Format::eR16Uint,
                              vk::Format::eR8Uint,
                              vk::Format::eR64Uint,
                              vk::Format::eR64Sint,
                              vk::Format::eD32Sfloat};

vk::Format format_of(const core::ImageShape& image) {
  const auto formats = core::image_formats();
  const auto found = std::ranges::find(formats, image.format, &core::ImageFormat::name);
  return found == formats.end() ? vk::Format::eUndefined
                                : kFormats.at(static_cast<std::size_t>(found - formats.begin()));
}

vk::ImageAspectFlags aspect_of(const core::ImageFormat& format) {
  return format.name == "d32f" ? vk::ImageAspectFlagBits::eDepth : vk::ImageAspectFlagBits::eColor;
}

vk::ImageViewType view_type(const core::ImageShape& image) {
  using Type = vk::ImageViewType;
  switch (image.dimensions) {
    case core::ImageDimensions::one:
      return image.arrayed ? Type::e1DArray : Type::e1D;
    case core::ImageDimensions::three:
      return Type::e3D;
    case core::ImageDimensions::cube:
      return image.arrayed ? Type::eCubeArray : Type::eCube;
    case core::ImageDimensions::two:
    case core::ImageDimensions::buffer:
      break;
  }
  return image.arrayed ? Type::e2DArray : Type::e2D;
}

vk::ImageCreateInfo create_info(const core::Resource& resource) {
  const core::ImageShape& image = resource.image;
  vk::ImageCreateInfo info;
  info.imageType = image.dimensions == core::ImageDimensions::one     ? vk::ImageType::e1D
                   : image.dimensions == core::ImageDimensions::three ? vk::ImageType::e3D
                                                                      : vk::ImageType::e2D;
  if (image.dimensions == core::ImageDimensions::cube) {
    info.flags = vk::ImageCreateFlagBits::eCubeCompatible;
  }
  info.format = format_of(image);
  info.extent = vk::Extent3D{image.extent[0], image.extent[1], image.extent[2]};
  info.mipLevels = 1;
  info.arrayLayers = image.layers;
  info.usage =
      vk::ImageUsageFlagBits::eTransferSrc | vk::ImageUsageFlagBits::eTransferDst |
      (resource.kind == core::ResourceKind::storage_image ? vk::ImageUsageFlagBits::eStorage
                                                          : vk::ImageUsageFlagBits::eSampled);
  return info;
}

// What is wrong with such an image on this device; empty: nothing.
std::string refused(const vk::raii::PhysicalDevice& device, const core::Resource& resource) {
  const vk::Format format = format_of(resource.image);
  const auto features = device.getFormatProperties(format);
  using Kind = core::ResourceKind;
  const bool texels = !resource.is_image();
  const auto wanted = resource.kind == Kind::storage_image    ? Feature::eStorageImage
                      : resource.kind == Kind::storage_texels ? Feature::eStorageTexelBuffer
                      : resource.kind == Kind::uniform_texels ? Feature::eUniformTexelBuffer
                                                              : Feature::eSampledImage;
  const auto has = texels ? features.bufferFeatures : features.optimalTilingFeatures;
  if (!(has & wanted)) {
    return fmt::format("{} is {}; this device does not support {} of this format", resource.name,
                       resource.image.words(), texels ? "texels" : "images");
  }
  if (texels) {
    const std::uint64_t most = device.getProperties().limits.maxTexelBufferElements;
    return resource.image.texels() > most
               ? fmt::format("{} has {} texels; this device allows at most {}", resource.name,
                             resource.image.texels(), most)
               : "";
  }
  const vk::ImageCreateInfo info = create_info(resource);
  const auto most = device.getImageFormatProperties(info.format, info.imageType, info.tiling,
                                                    info.usage, info.flags);
  const auto& e = info.extent;
  if (e.width > most.maxExtent.width || e.height > most.maxExtent.height ||
      e.depth > most.maxExtent.depth || info.arrayLayers > most.maxArrayLayers) {
    return fmt::format("{} is {}; this device allows at most {}×{}×{} and {} layers", resource.name,
                       resource.image.words(), most.maxExtent.width, most.maxExtent.height,
                       most.maxExtent.depth, most.maxArrayLayers);
  }
  return "";
}

bool filters(const vk::raii::PhysicalDevice& device, vk::Format format) {
  const auto features = device.getFormatProperties(format).optimalTilingFeatures;
  return static_cast<bool>(features & Feature::eSampledImageFilterLinear);
}

vk::ImageSubresourceRange all_of(const Buffer::Impl& image) {
  return {aspect_of(*image.format), 0, 1, 0, image.layers};
}

vk::BufferImageCopy all_texels(const Buffer::Impl& image) {
  return {0, 0, 0, {aspect_of(*image.format), 0, 0, image.layers}, {0, 0, 0}, image.extent};
}

// After and before everything else that compute kernels and copies do with it; from the undefined
// layout its texels are lost.
void change_layout(const vk::raii::CommandBuffer& commands, const Buffer::Impl& image,
                   vk::ImageLayout from, vk::ImageLayout to) {
  using Made = vk::AccessFlagBits;
  constexpr auto all =
      Made::eShaderRead | Made::eShaderWrite | Made::eTransferRead | Made::eTransferWrite;
  constexpr auto stages =
      vk::PipelineStageFlagBits::eComputeShader | vk::PipelineStageFlagBits::eTransfer;
  const vk::ImageMemoryBarrier barrier{
      all,          all,          from, to, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
      *image.image, all_of(image)};
  commands.pipelineBarrier(stages, stages, {}, {}, {}, barrier);
}

}  // namespace

void Device::Impl::upload_texels(const Buffer::Impl& to, std::span<const std::byte> data) const {
  using Flag = vk::MemoryPropertyFlagBits;
  const auto between = make_buffer(to.bytes, Flag::eHostVisible | Flag::eHostCoherent);
  std::memcpy(between->mapped, data.data(), std::min<std::uint64_t>(to.bytes, data.size()));
  run([&](const vk::raii::CommandBuffer& commands) {
    constexpr auto layout = vk::ImageLayout::eTransferDstOptimal;
    change_layout(commands, to, vk::ImageLayout::eGeneral, layout);
    commands.copyBufferToImage(*between->buffer, *to.image, layout, all_texels(to));
    change_layout(commands, to, layout, vk::ImageLayout::eGeneral);
  });
}

void Device::Impl::download_texels(const Buffer::Impl& from, std::span<std::byte> data) const {
  const auto between = make_cached(from.bytes);
  run([&](const vk::raii::CommandBuffer& commands) {
    constexpr auto layout = vk::ImageLayout::eTransferSrcOptimal;
    change_layout(commands, from, vk::ImageLayout::eGeneral, layout);
    commands.copyImageToBuffer(*from.image, layout, *between->buffer, all_texels(from));
    change_layout(commands, from, layout, vk::ImageLayout::eGeneral);
    const vk::MemoryBarrier host{vk::AccessFlagBits::eTransferWrite, vk::AccessFlagBits::eHostRead};
    commands.pipelineBarrier(vk::PipelineStageFlagBits::eTransfer, vk::PipelineStageFlagBits::eHost,
                             {}, host, {}, {});
  });
  std::memcpy(data.data(), between->mapped, std::min<std::uint64_t>(from.bytes, data.size()));
}

vk::raii::Sampler Device::Impl::make_sampler(const core::Resource& resource, bool nearest) const {
  const auto filter = nearest ? vk::Filter::eNearest : vk::Filter::eLinear;
  constexpr auto edge = vk::SamplerAddressMode::eClampToEdge;
  vk::SamplerCreateInfo create{{},   filter, filter, vk::SamplerMipmapMode::eNearest,
                               edge, edge,   edge};
  create.compareEnable = resource.compares ? VK_TRUE : VK_FALSE;
  create.compareOp = vk::CompareOp::eLessOrEqual;
  return {device, create};
}

std::unique_ptr<Buffer::Impl> Device::Impl::make_texels(const core::Resource& resource) const {
  const auto usage = resource.kind == core::ResourceKind::storage_texels
                         ? vk::BufferUsageFlagBits::eStorageTexelBuffer
                         : vk::BufferUsageFlagBits::eUniformTexelBuffer;
  auto made = make_buffer(std::max<std::uint64_t>(resource.bytes, 16),
                          vk::MemoryPropertyFlagBits::eDeviceLocal, usage);
  made->format = core::image_format(resource.image.format);
  made->texels = vk::raii::BufferView(
      device, {{}, *made->buffer, format_of(resource.image), 0, resource.image.bytes()});
  return made;
}

std::unique_ptr<Buffer::Impl> Device::Impl::make_image(const core::Resource& resource) const {
  auto made = std::make_unique<Buffer::Impl>();
  const vk::ImageCreateInfo create = create_info(resource);
  made->bytes = resource.image.bytes();
  made->format = core::image_format(resource.image.format);
  made->extent = create.extent;
  made->layers = create.arrayLayers;
  made->image = vk::raii::Image(device, create);
  const auto needs = made->image.getMemoryRequirements();
  made->memory = vk::raii::DeviceMemory(
      device, {needs.size, memory_type(memory, needs.memoryTypeBits,
                                       vk::MemoryPropertyFlagBits::eDeviceLocal)});
  made->image.bindMemory(*made->memory, 0);
  made->view = vk::raii::ImageView(
      device, {{}, *made->image, view_type(resource.image), create.format, {}, all_of(*made)});
  if (resource.kind == core::ResourceKind::combined_image) {
    made->sampler = make_sampler(resource, resource.nearest || !filters(*physical, create.format));
  }
  run([&](const vk::raii::CommandBuffer& commands) {
    change_layout(commands, *made, vk::ImageLayout::eUndefined, vk::ImageLayout::eGeneral);
  });
  return made;
}

core::Expected<Buffer> Device::resource(const core::Resource& resource) {
  using Kind = core::ResourceKind;
  if (resource.kind == Kind::storage_buffer || resource.kind == Kind::uniform_buffer) {
    return buffer(resource.bytes, resource.name);
  }
  if (resource.has_texels()) {
    const auto why = guard("to query support for images of " + resource.image.words(),
                           [&] { return refused(*impl_->physical, resource); });
    if (!why || !why->empty()) {
      return why ? core::device_error(*why) : std::unexpected(why.error());
    }
  }
  const std::string doing = fmt::format(
      "to hold {} ({}) on {}", resource.name,
      resource.has_texels() ? resource.image.words() : core::bytes_in_words(resource.bytes),
      impl_->info.name);
  return guard(doing, [&] {
    if (resource.kind == Kind::sampler) {
      auto made = std::make_unique<Buffer::Impl>();
      made->sampler = impl_->make_sampler(resource, resource.nearest);
      return Buffer(std::move(made));
    }
    if (resource.kind == Kind::addressed) {
      return Buffer(impl_->make_buffer(std::max<std::uint64_t>(resource.bytes, 16),
                                       vk::MemoryPropertyFlagBits::eDeviceLocal,
                                       vk::BufferUsageFlagBits::eShaderDeviceAddress));
    }
    return Buffer(resource.is_image() ? impl_->make_image(resource) : impl_->make_texels(resource));
  });
}

}  // namespace gpu

// Buffers, images, their views, and samplers. Buffers and images get the usage that copies need,
// where the device allows it.
#include <string>

#include "capture/formats.h"
#include "capture/hooks.h"
#include "capture/layer.h"

namespace capture::hook {
namespace {

const VkBaseInStructure* in_chain(const void* chain, VkStructureType type) {
  const auto* entry = static_cast<const VkBaseInStructure*>(chain);
  while (entry != nullptr && entry->sType != type) {
    entry = entry->pNext;
  }
  return entry;
}

// Why a buffer's contents can't be copied; empty: its create info may get the usage of copies.
std::string refused_buffer(const VkBufferCreateInfo& info) {
  if ((info.usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT) != 0) {
    return "";
  }
  if ((info.flags & (VK_BUFFER_CREATE_PROTECTED_BIT | VK_BUFFER_CREATE_SPARSE_BINDING_BIT)) != 0) {
    return "a buffer is protected or sparse";
  }
  if (in_chain(info.pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO) != nullptr) {
    return "a buffer of external memory does not allow copies";
  }
#ifdef VK_KHR_maintenance5
  if (in_chain(info.pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR) != nullptr) {
    return "a buffer with 64-bit usage flags does not allow copies";
  }
#endif
  return "";
}

VkBufferCreateInfo copyable(const VkBufferCreateInfo& info) {
  VkBufferCreateInfo changed = info;
  if (refused_buffer(info).empty()) {
    changed.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  }
  return changed;
}

// Why transfer usage cannot be added to an image. Empty if it can. External images and images with
// modifiers stay unchanged, because the programs that share them have agreed on the usage.
std::string refused_image(const Device& device, const VkImageCreateInfo& info) {
  if (info.samples != VK_SAMPLE_COUNT_1_BIT) {
    return "an image has several samples per texel";
  }
  if (find_format(info.format) == nullptr &&
      (info.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) == 0) {
    return "an image has the format " + std::to_string(info.format) + " (VkFormat)";
  }
  if ((info.usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) != 0) {
    return "";
  }
  if ((info.usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) != 0 ||
      (info.flags & (VK_IMAGE_CREATE_PROTECTED_BIT | VK_IMAGE_CREATE_SPARSE_BINDING_BIT)) != 0) {
    return "an image is transient, protected or sparse";
  }
  if (info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT ||
      in_chain(info.pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO) != nullptr) {
    return "an image of external memory does not allow copies";
  }
  VkImageFormatProperties properties{};
  if (device.instance->next.GetPhysicalDeviceImageFormatProperties(
          device.physical, info.format, info.imageType, info.tiling,
          info.usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, info.flags, &properties) != VK_SUCCESS ||
      info.extent.width > properties.maxExtent.width ||
      info.extent.height > properties.maxExtent.height ||
      info.extent.depth > properties.maxExtent.depth ||
      info.arrayLayers > properties.maxArrayLayers || info.mipLevels > properties.maxMipLevels) {
    return "the device does not copy images of the format " + std::to_string(info.format) +
           " (VkFormat)";
  }
  return "";
}

VkImageCreateInfo copyable(const Device& device, const VkImageCreateInfo& info) {
  VkImageCreateInfo changed = info;
  if (refused_image(device, info).empty()) {
    changed.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  }
  return changed;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL CreateBuffer(VkDevice device, const VkBufferCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkBuffer* buffer) {
  Device& known = known_device(device);
  VkBufferCreateInfo changed = *info;
  guarded([&] { changed = copyable(*info); });
  const VkResult result = known.next.CreateBuffer(device, &changed, allocator, buffer);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<Buffer>();
      made->handle = *buffer;
      made->size = info->size;
      made->refused = refused_buffer(*info);
      known.buffers.add(*buffer, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyBuffer(VkDevice device, VkBuffer buffer,
                                         const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] {
    if (const auto taken = known.buffers.take(buffer)) {
      taken->alive = false;
    }
  });
  known.next.DestroyBuffer(device, buffer, allocator);
}

VKAPI_ATTR void VKAPI_CALL
GetDeviceBufferMemoryRequirements(VkDevice device, const VkDeviceBufferMemoryRequirements* info,
                                  VkMemoryRequirements2* requirements) {
  Device& known = known_device(device);
  VkBufferCreateInfo create = *info->pCreateInfo;
  guarded([&] { create = copyable(*info->pCreateInfo); });
  VkDeviceBufferMemoryRequirements changed = *info;
  changed.pCreateInfo = &create;
  known.next.GetDeviceBufferMemoryRequirements(device, &changed, requirements);
}

VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                VkDeviceMemory memory, VkDeviceSize offset) {
  Device& known = known_device(device);
  const VkResult result = known.next.BindBufferMemory(device, buffer, memory, offset);
  guarded([&] {
    if (const auto bound = known.buffers.find(buffer)) {
      bound->place = {memory, offset};
    }
  });
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory2(VkDevice device, std::uint32_t count,
                                                 const VkBindBufferMemoryInfo* infos) {
  Device& known = known_device(device);
  const VkResult result = known.next.BindBufferMemory2(device, count, infos);
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const auto bound = known.buffers.find(infos[i].buffer)) {
        bound->place = {infos[i].memory, infos[i].memoryOffset};
      }
    }
  });
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateBufferView(VkDevice device, const VkBufferViewCreateInfo* info,
                                                const VkAllocationCallbacks* allocator,
                                                VkBufferView* view) {
  Device& known = known_device(device);
  const VkResult result = known.next.CreateBufferView(device, info, allocator, view);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<BufferView>();
      made->buffer = known.buffers.find(info->buffer);
      made->format = info->format;
      made->offset = info->offset;
      made->range = info->range;
      known.buffer_views.add(*view, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyBufferView(VkDevice device, VkBufferView view,
                                             const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.buffer_views.take(view); });
  known.next.DestroyBufferView(device, view, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateImage(VkDevice device, const VkImageCreateInfo* info,
                                           const VkAllocationCallbacks* allocator, VkImage* image) {
  Device& known = known_device(device);
  VkImageCreateInfo changed = *info;
  guarded([&] { changed = copyable(known, *info); });
  const VkResult result = known.next.CreateImage(device, &changed, allocator, image);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<Image>();
      made->handle = *image;
      made->type = info->imageType;
      made->format = info->format;
      made->extent = info->extent;
      made->levels = info->mipLevels;
      made->layers = info->arrayLayers;
      made->refused = refused_image(known, *info);
      known.images.add(*image, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyImage(VkDevice device, VkImage image,
                                        const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] {
    if (const auto taken = known.images.take(image)) {
      taken->alive = false;
    }
  });
  known.next.DestroyImage(device, image, allocator);
}

VKAPI_ATTR void VKAPI_CALL
GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements* info,
                                 VkMemoryRequirements2* requirements) {
  Device& known = known_device(device);
  VkImageCreateInfo create = *info->pCreateInfo;
  guarded([&] { create = copyable(known, *info->pCreateInfo); });
  VkDeviceImageMemoryRequirements changed = *info;
  changed.pCreateInfo = &create;
  known.next.GetDeviceImageMemoryRequirements(device, &changed, requirements);
}

VKAPI_ATTR VkResult VKAPI_CALL BindImageMemory(VkDevice device, VkImage image,
                                               VkDeviceMemory memory, VkDeviceSize offset) {
  Device& known = known_device(device);
  const VkResult result = known.next.BindImageMemory(device, image, memory, offset);
  guarded([&] {
    if (const auto bound = known.images.find(image)) {
      bound->place = {memory, offset};
    }
  });
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL BindImageMemory2(VkDevice device, std::uint32_t count,
                                                const VkBindImageMemoryInfo* infos) {
  Device& known = known_device(device);
  const VkResult result = known.next.BindImageMemory2(device, count, infos);
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const auto bound = known.images.find(infos[i].image)) {
        bound->place = {infos[i].memory, infos[i].memoryOffset};
      }
    }
  });
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateImageView(VkDevice device, const VkImageViewCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkImageView* view) {
  Device& known = known_device(device);
  const VkResult result = known.next.CreateImageView(device, info, allocator, view);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<ImageView>();
      made->image = known.images.find(info->image);
      made->type = info->viewType;
      made->format = info->format;
      made->range = info->subresourceRange;
      if (made->image && made->range.levelCount == VK_REMAINING_MIP_LEVELS) {
        made->range.levelCount = made->image->levels - made->range.baseMipLevel;
      }
      if (made->image && made->range.layerCount == VK_REMAINING_ARRAY_LAYERS) {
        made->range.layerCount = made->image->layers - made->range.baseArrayLayer;
      }
      const auto is_own = [](VkComponentSwizzle given, VkComponentSwizzle own) {
        return given == VK_COMPONENT_SWIZZLE_IDENTITY || given == own;
      };
      const VkComponentMapping& c = info->components;
      made->swizzled = !is_own(c.r, VK_COMPONENT_SWIZZLE_R) ||
                       !is_own(c.g, VK_COMPONENT_SWIZZLE_G) ||
                       !is_own(c.b, VK_COMPONENT_SWIZZLE_B) || !is_own(c.a, VK_COMPONENT_SWIZZLE_A);
      known.image_views.add(*view, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyImageView(VkDevice device, VkImageView view,
                                            const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.image_views.take(view); });
  known.next.DestroyImageView(device, view, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateSampler(VkDevice device, const VkSamplerCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkSampler* sampler) {
  Device& known = known_device(device);
  const VkResult result = known.next.CreateSampler(device, info, allocator, sampler);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<Sampler>();
      made->nearest = info->magFilter == VK_FILTER_NEAREST;
      made->unnormalized = info->unnormalizedCoordinates == VK_TRUE;
      const auto clamps = [](VkSamplerAddressMode mode) {
        return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
      };
      if (!clamps(info->addressModeU) || !clamps(info->addressModeV)) {
        made->differs = "the program's sampler does not clamp to the edge; a replay does";
      } else if (made->unnormalized) {
        made->differs =
            "the program's sampler has unnormalized coordinates; a replay has normalized ones";
      } else if (info->anisotropyEnable == VK_TRUE || info->magFilter != info->minFilter) {
        made->differs =
            "the program's sampler is anisotropic or has two filters; a replay has one filter";
      } else if (info->compareEnable == VK_TRUE && info->compareOp != VK_COMPARE_OP_LESS_OR_EQUAL) {
        made->differs = "the program's sampler has another compare operation than a replay";
      }
      known.samplers.add(*sampler, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroySampler(VkDevice device, VkSampler sampler,
                                          const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.samplers.take(sampler); });
  known.next.DestroySampler(device, sampler, allocator);
}

}  // namespace capture::hook

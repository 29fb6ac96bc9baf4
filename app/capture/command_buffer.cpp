#include "capture/command_buffer.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "capture/descriptors.h"
#include "capture/formats.h"
#include "capture/layer.h"

namespace capture {
namespace {

bool is_dynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

bool may_be_written(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

// The offset that was given for a slot when the set was bound. They are listed by slot.
std::uint32_t dynamic_offset(const BoundSet& bound, std::uint32_t slot) {
  std::size_t before = 0;
  for (const LayoutBinding& binding : bound.set->layout->bindings) {
    if (!is_dynamic(binding.type)) {
      continue;
    }
    if (slot < binding.slot + binding.count) {
      const std::size_t at = before + (slot - binding.slot);
      return at < bound.dynamic_offsets.size() ? bound.dynamic_offsets[at] : 0;
    }
    before += binding.count;
  }
  return 0;
}

std::string extent_of(const ImageView& view, VkExtent3D level) {
  const auto text = [](std::initializer_list<std::uint32_t> lengths) {
    std::string all;
    for (const std::uint32_t length : lengths) {
      all += (all.empty() ? "" : "x") + std::to_string(length);
    }
    return all;
  };
  const std::uint32_t layers = view.range.layerCount;
  switch (view.type) {
    case VK_IMAGE_VIEW_TYPE_1D:
      return text({level.width});
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
      return text({level.width, layers});
    case VK_IMAGE_VIEW_TYPE_3D:
      return text({level.width, level.height, level.depth});
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
      return text({level.width, level.height, layers});
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
      return text({level.width, level.height, layers / 6});
    default:
      return text({level.width, level.height});
  }
}

VkExtent3D level_extent(const ImageView& view) {
  const auto halved = [&](std::uint32_t length) {
    return std::max(length >> view.range.baseMipLevel, 1U);
  };
  const VkExtent3D& e = view.image->extent;
  return {halved(e.width), halved(e.height), halved(e.depth)};
}

// Fills one launch. The first problem is its `refused`.
class Resolve {
 public:
  Resolve(const CommandBuffer& commands, Launch& launch) : commands_(commands), launch_(launch) {}

  void run() {
    for (const ScannedBinding& scanned : launch_.pipeline->module->scan.bindings) {
      const auto bound = commands_.sets.find(scanned.set);
      if (bound == commands_.sets.end() || !bound->second.set) {
        note("set " + std::to_string(scanned.set) + " was not bound");
        continue;
      }
      DescriptorSet& set = *bound->second.set;
      const LayoutBinding* binding = set.layout->find(scanned.binding);
      if (binding == nullptr) {
        continue;
      }
      const std::scoped_lock lock(set.mutex);
      if (binding->after_bind) {
        launch_.watched.emplace_back(bound->second.set, set.version);
      }
      add_binding(bound->second, *binding, scanned);
    }
    merge_buffers();
  }

 private:
  void refuse(const std::string& why) {
    if (launch_.refused.empty()) {
      launch_.refused = why;
    }
  }

  void note(const std::string& text) {
    if (std::ranges::find(launch_.notes, text) == launch_.notes.end()) {
      launch_.notes.push_back(text);
    }
  }

  void add_binding(const BoundSet& bound, const LayoutBinding& binding,
                   const ScannedBinding& scanned) {
    BoundResource resource;
    resource.set = scanned.set;
    resource.binding = scanned.binding;
    resource.type = binding.type;
    resource.array = scanned.array;
    resource.written = scanned.written && may_be_written(binding.type);
    if (binding.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      const auto found = bound.set->inline_bytes.find(binding.binding);
      if (found != bound.set->inline_bytes.end()) {
        resource.array = false;
        resource.inline_bytes = found->second;
        resource.bytes = found->second.size();
        launch_.resources.push_back(std::move(resource));
      }
      return;
    }
    const std::uint32_t count = scanned.array ? binding.count : std::min(binding.count, 1U);
    for (std::uint32_t element = 0; element < count; ++element) {
      const std::uint32_t slot = binding.slot + element;
      resource.element = element;
      const auto found = bound.set->descriptors.find(slot);
      Descriptor descriptor;
      if (found != bound.set->descriptors.end()) {
        descriptor = found->second;
      } else if (binding.type != VK_DESCRIPTOR_TYPE_SAMPLER || binding.samplers.empty()) {
        continue;  // it was never written: the launch can't use it
      }
      descriptor.type = binding.type;
      if (const auto immutable = immutable_sampler(*bound.set->layout, slot)) {
        descriptor.sampler = immutable;
      }
      add_descriptor(bound, slot, descriptor, resource);
    }
  }

  void add_descriptor(const BoundSet& bound, std::uint32_t slot, const Descriptor& descriptor,
                      BoundResource resource) {
    if (descriptor.sampler) {
      resource.sampler = descriptor.sampler;
      if (!descriptor.sampler->differs.empty()) {
        note(descriptor.sampler->differs);
      }
    }
    bool added = true;
    switch (descriptor.type) {
      case VK_DESCRIPTOR_TYPE_SAMPLER:
        break;
      case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        added = add_image(descriptor, resource);
        break;
      case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        added = add_texels(descriptor, resource);
        break;
      case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: {
        const VkDeviceSize offset =
            descriptor.offset + (is_dynamic(descriptor.type) ? dynamic_offset(bound, slot) : 0);
        added = add_buffer(descriptor.buffer, offset, descriptor.range, resource);
        break;
      }
      default:
        refuse("the launch uses a descriptor of type " + std::to_string(descriptor.type) +
               " (VkDescriptorType)");
        added = false;
        break;
    }
    if (added) {
      launch_.resources.push_back(std::move(resource));
    }
  }

  // False: the descriptor is null or its buffer is destroyed, which is no error if it isn't used.
  bool add_buffer(const std::shared_ptr<Buffer>& buffer, VkDeviceSize offset, VkDeviceSize range,
                  BoundResource& resource) {
    if (!buffer || !buffer->alive || offset >= buffer->size) {
      return false;
    }
    resource.bytes =
        range == VK_WHOLE_SIZE ? buffer->size - offset : std::min(range, buffer->size - offset);
    resource.place = {buffer->place.memory, buffer->place.offset + offset};
    if (!buffer->refused.empty()) {
      refuse(buffer->refused);
    }
    wanted_.push_back(
        {buffer, offset, offset + resource.bytes, resource.written, launch_.resources.size()});
    return true;
  }

  bool add_texels(const Descriptor& descriptor, BoundResource& resource) {
    const auto& view = descriptor.texels;
    if (!view || !view->buffer) {
      return false;
    }
    resource.format = find_format(view->format);
    if (resource.format == nullptr) {
      refuse("a texel buffer has the format " + std::to_string(view->format) + " (VkFormat)");
      return false;
    }
    if (!add_buffer(view->buffer, view->offset, view->range, resource)) {
      return false;
    }
    const VkDeviceSize texels = resource.bytes / resource.format->texel_bytes;
    resource.bytes = texels * resource.format->texel_bytes;
    resource.extent = std::to_string(texels);
    if (texels == 0) {
      wanted_.pop_back();  // the resource is not listed
    }
    return texels > 0;
  }

  bool add_image(const Descriptor& descriptor, BoundResource& resource) {
    const auto& view = descriptor.view;
    if (view && !view->image) {
      refuse("an image is unknown to the capture layer, such as an image of a swapchain");
    }
    if (!view || !view->image || !view->image->alive) {
      return false;
    }
    const Image& image = *view->image;
    resource.format = find_format(view->format);
    resource.place = image.place;
    const bool slices = image.type == VK_IMAGE_TYPE_3D && view->type != VK_IMAGE_VIEW_TYPE_3D;
    if (!image.refused.empty()) {
      refuse(image.refused);
    } else if (resource.format == nullptr) {
      refuse("an image has the format " + std::to_string(view->format) + " (VkFormat)");
    } else if (view->range.aspectMask != aspect_of(view->format)) {
      refuse("an image view shows only one of several planes or aspects");
    } else if (view->swizzled) {
      refuse("an image view swizzles components");
    } else if (slices) {
      refuse("an image view shows slices of a 3D image");
    }
    if (resource.format == nullptr) {
      return false;
    }
    if (view->range.levelCount > 1) {
      note("an image has several mip levels; only the first is captured");
    }
    const VkExtent3D level = level_extent(*view);
    resource.extent = extent_of(*view, level);
    resource.bytes = VkDeviceSize{level.width} * level.height * level.depth *
                     view->range.layerCount * resource.format->texel_bytes;
    for (std::size_t i = 0; i < launch_.ranges.size(); ++i) {
      if (launch_.ranges[i].view == view) {
        resource.range = i;
      }
    }
    if (resource.range == BoundResource::kNoRange) {
      resource.range = launch_.ranges.size();
      CopiedRange range;
      range.view = view;
      range.layout = descriptor.layout;
      range.end = resource.bytes;
      launch_.ranges.push_back(std::move(range));
    }
    CopiedRange& range = launch_.ranges[resource.range];
    range.written = range.written || resource.written;
    return true;
  }

  struct Wanted {
    std::shared_ptr<Buffer> buffer;
    VkDeviceSize begin = 0;
    VkDeviceSize end = 0;
    bool written = false;
    std::size_t resource = 0;
  };

  // Ranges of one buffer that overlap are copied once.
  void merge_buffers() {
    std::ranges::sort(wanted_, [](const Wanted& a, const Wanted& b) {
      return std::tuple(a.buffer.get(), a.begin) < std::tuple(b.buffer.get(), b.begin);
    });
    for (const Wanted& wanted : wanted_) {
      CopiedRange* last = launch_.ranges.empty() ? nullptr : &launch_.ranges.back();
      if (last == nullptr || last->buffer != wanted.buffer || wanted.begin > last->end) {
        CopiedRange range;
        range.buffer = wanted.buffer;
        range.begin = wanted.begin;
        range.end = wanted.end;
        launch_.ranges.push_back(std::move(range));
        last = &launch_.ranges.back();
      }
      last->end = std::max(last->end, wanted.end);
      last->written = last->written || wanted.written;
      BoundResource& resource = launch_.resources[wanted.resource];
      resource.range = launch_.ranges.size() - 1;
      resource.range_offset = wanted.begin - last->begin;
    }
  }

  const CommandBuffer& commands_;
  Launch& launch_;
  std::vector<Wanted> wanted_;
};

VkMemoryBarrier memory_barrier(VkAccessFlags from, VkAccessFlags to) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = from;
  barrier.dstAccessMask = to;
  return barrier;
}

constexpr VkAccessFlags kAll = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;

// A layout that images can be copied in.
VkImageLayout copy_layout(VkImageLayout layout) {
  return layout == VK_IMAGE_LAYOUT_GENERAL ? layout : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
}

// Copies of one side of the dispatch: before it, or after it.
class Copies {
 public:
  Copies(Device& device, CommandBuffer& commands, Launch& launch, bool after)
      : device_(device), commands_(commands), launch_(launch), after_(after) {}

  void record(VkBuffer indirect, VkDeviceSize indirect_offset) {
    const VkMemoryBarrier before =
        memory_barrier(VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    const auto to_copy = image_barriers(true);
    device_.next.CmdPipelineBarrier(commands_.handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                    VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &before, 0, nullptr,
                                    static_cast<std::uint32_t>(to_copy.size()), to_copy.data());
    if (indirect != VK_NULL_HANDLE && launch_.indirect) {
      copy_buffer(indirect, indirect_offset, launch_.indirect);
    }
    for (CopiedRange& range : launch_.ranges) {
      const ChunkPart& part = after_ ? range.after : range.before;
      if (!part) {
        continue;
      }
      if (range.buffer) {
        copy_buffer(range.buffer->handle, range.begin, part);
      } else {
        copy_image(range, part);
      }
    }
    const VkMemoryBarrier after =
        memory_barrier(VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT);
    const auto back = image_barriers(false);
    device_.next.CmdPipelineBarrier(commands_.handle, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                                    0, 1, &after, 0, nullptr,
                                    static_cast<std::uint32_t>(back.size()), back.data());
  }

 private:
  [[nodiscard]] std::vector<VkImageMemoryBarrier> image_barriers(bool to_copy) const {
    std::vector<VkImageMemoryBarrier> barriers;
    std::set<const Image*> changed;
    for (const CopiedRange& range : launch_.ranges) {
      if (!range.view || copy_layout(range.layout) == range.layout ||
          !(after_ ? range.after : range.before)) {
        continue;
      }
      VkImageMemoryBarrier barrier{};
      barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
      barrier.srcAccessMask = to_copy ? VkAccessFlags{VK_ACCESS_MEMORY_WRITE_BIT}
                                      : VkAccessFlags{VK_ACCESS_TRANSFER_READ_BIT};
      barrier.dstAccessMask = to_copy ? VkAccessFlags{VK_ACCESS_TRANSFER_READ_BIT} : kAll;
      barrier.oldLayout = to_copy ? range.layout : copy_layout(range.layout);
      barrier.newLayout = to_copy ? copy_layout(range.layout) : range.layout;
      barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      barrier.image = range.view->image->handle;
      barrier.subresourceRange = range.view->range;
      barrier.subresourceRange.levelCount = 1;
      barriers.push_back(barrier);
    }
    return barriers;
  }

  void copy_buffer(VkBuffer from, VkDeviceSize offset, const ChunkPart& to) const {
    const VkBufferCopy region{offset, to.offset, to.size};
    device_.next.CmdCopyBuffer(commands_.handle, from, to.chunk->buffer, 1, &region);
  }

  void copy_image(const CopiedRange& range, const ChunkPart& to) const {
    const VkImageSubresourceRange& shown = range.view->range;
    VkBufferImageCopy region{};
    region.bufferOffset = to.offset;
    region.imageSubresource = {shown.aspectMask, shown.baseMipLevel, shown.baseArrayLayer,
                               shown.layerCount};
    region.imageExtent = level_extent(*range.view);
    device_.next.CmdCopyImageToBuffer(commands_.handle, range.view->image->handle,
                                      copy_layout(range.layout), to.chunk->buffer, 1, &region);
  }

  Device& device_;
  CommandBuffer& commands_;
  Launch& launch_;
  bool after_;
};

// True if two bound views show one image whose layout must change for the copies. Their layout
// barriers could overlap.
bool has_overlapping_images(const Launch& launch) {
  std::set<const Image*> seen;
  return std::ranges::any_of(launch.ranges, [&](const CopiedRange& range) {
    return range.view && copy_layout(range.layout) != range.layout &&
           !seen.insert(range.view->image.get()).second;
  });
}

}  // namespace

void CommandBuffer::reset() {
  pipeline.reset();
  sets.clear();
  push.clear();
  labels.clear();
  launches.clear();
  chunks.clear();
}

void resolve_resources(const CommandBuffer& commands, Launch& launch) {
  Resolve(commands, launch).run();
  if (launch.refused.empty() && has_overlapping_images(launch)) {
    launch.refused = "two views of one image are bound";
  }
  if (!layer().options.contents || !launch.refused.empty()) {
    launch.ranges.clear();
    for (BoundResource& resource : launch.resources) {
      resource.range = BoundResource::kNoRange;
    }
  }
}

bool allocate_copies(Device& device, CommandBuffer& commands, Launch& launch, bool indirect) {
  VkDeviceSize all = 0;
  for (const CopiedRange& range : launch.ranges) {
    all += (range.end - range.begin) * (range.written ? 2 : 1);
  }
  if (all > layer().options.max_bytes) {
    launch.refused = "the contents of the launch have more bytes than --max-bytes allows";
    return false;
  }
  bool enough = true;
  const auto allocate = [&](VkDeviceSize size) {
    ChunkPart part = commands.chunks.allocate(device.chunks, size);
    enough = enough && part;
    return part;
  };
  if (indirect) {
    launch.indirect = allocate(sizeof launch.groups);
  }
  for (CopiedRange& range : launch.ranges) {
    range.before = allocate(range.end - range.begin);
    if (range.written) {
      range.after = allocate(range.end - range.begin);
    }
  }
  if (!enough) {
    launch.refused = "the device does not have enough memory to copy the contents";
  }
  return enough;
}

void record_before(Device& device, CommandBuffer& commands, Launch& launch, VkBuffer indirect,
                   VkDeviceSize offset) {
  Copies(device, commands, launch, false).record(indirect, offset);
}

void record_after(Device& device, CommandBuffer& commands, Launch& launch) {
  if (std::ranges::any_of(launch.ranges, &CopiedRange::written)) {
    Copies(device, commands, launch, true).record(VK_NULL_HANDLE, 0);
  }
}

}  // namespace capture

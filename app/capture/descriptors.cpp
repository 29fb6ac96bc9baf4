// Descriptor sets: layouts, allocation, and updates of every kind.
#include "capture/descriptors.h"

#include <algorithm>
#include <cstring>

#include "capture/hooks.h"
#include "capture/layer.h"

namespace capture {
namespace {

bool is_inline(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

// The binding that a slot belongs to.
const LayoutBinding* binding_at(const SetLayout& layout, std::uint32_t slot) {
  for (const LayoutBinding& binding : layout.bindings) {
    if (!is_inline(binding.type) && slot >= binding.slot && slot - binding.slot < binding.count) {
      return &binding;
    }
  }
  return nullptr;
}

void set_image(Device& device, const VkDescriptorImageInfo& info, VkDescriptorType type,
               Descriptor& to) {
  if (type != VK_DESCRIPTOR_TYPE_SAMPLER) {
    to.view = device.image_views.find(info.imageView);
    to.layout = info.imageLayout;
  }
  if (type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
    to.sampler = device.samplers.find(info.sampler);
  }
}

// `data` points to what the type takes: VkDescriptorBufferInfo, -ImageInfo or VkBufferView.
void set_descriptor(Device& device, DescriptorSet& set, std::uint32_t slot, VkDescriptorType type,
                    const void* data) {
  Descriptor& to = set.descriptors[slot];
  to = {};
  to.type = type;
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: {
      VkDescriptorImageInfo info{};
      std::memcpy(&info, data, sizeof info);
      set_image(device, info, type, to);
      break;
    }
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: {
      VkBufferView view = VK_NULL_HANDLE;
      std::memcpy(&view, data, sizeof(VkBufferView));
      to.texels = device.buffer_views.find(view);
      break;
    }
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: {
      VkDescriptorBufferInfo info{};
      std::memcpy(&info, data, sizeof info);
      to.buffer = device.buffers.find(info.buffer);
      to.offset = info.offset;
      to.range = info.range;
      break;
    }
    default:
      break;
  }
}

void set_inline(DescriptorSet& set, std::uint32_t binding, std::uint32_t offset,
                std::uint32_t count, const void* data) {
  const LayoutBinding* known = set.layout->find(binding);
  if (known == nullptr || offset > known->count || count > known->count - offset) {
    return;
  }
  std::vector<std::byte>& bytes = set.inline_bytes[binding];
  bytes.resize(known->count);
  std::memcpy(bytes.data() + offset, data, count);
}

const void* data_of(const VkWriteDescriptorSet& write, std::uint32_t n) {
  switch (write.descriptorType) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return write.pImageInfo + n;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return write.pTexelBufferView + n;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return write.pBufferInfo + n;
    default:
      return nullptr;
  }
}

const VkWriteDescriptorSetInlineUniformBlock* inline_of(const VkWriteDescriptorSet& write) {
  const auto* entry = static_cast<const VkBaseInStructure*>(write.pNext);
  while (entry != nullptr &&
         entry->sType != VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK) {
    entry = entry->pNext;
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  return reinterpret_cast<const VkWriteDescriptorSetInlineUniformBlock*>(entry);
}

void copy_descriptors(Device& device, const VkCopyDescriptorSet& copy) {
  const auto from = device.sets.find(copy.srcSet);
  const auto to = device.sets.find(copy.dstSet);
  const LayoutBinding* source = from ? from->layout->find(copy.srcBinding) : nullptr;
  const LayoutBinding* target = to ? to->layout->find(copy.dstBinding) : nullptr;
  if (source == nullptr || target == nullptr) {
    return;
  }
  if (is_inline(source->type)) {
    const auto bytes = from->inline_bytes[copy.srcBinding];
    if (copy.srcArrayElement <= bytes.size() &&
        copy.descriptorCount <= bytes.size() - copy.srcArrayElement) {
      set_inline(*to, copy.dstBinding, copy.dstArrayElement, copy.descriptorCount,
                 bytes.data() + copy.srcArrayElement);
    }
    return;
  }
  for (std::uint32_t n = 0; n < copy.descriptorCount; ++n) {
    Descriptor descriptor;
    {
      const std::scoped_lock lock(from->mutex);
      const auto found = from->descriptors.find(source->slot + copy.srcArrayElement + n);
      if (found == from->descriptors.end()) {
        continue;
      }
      descriptor = found->second;
    }
    const std::scoped_lock lock(to->mutex);
    to->descriptors[target->slot + copy.dstArrayElement + n] = descriptor;
    ++to->version;
  }
}

}  // namespace

const LayoutBinding* SetLayout::find(std::uint32_t binding) const {
  const auto found = std::ranges::find(bindings, binding, &LayoutBinding::binding);
  return found == bindings.end() ? nullptr : &*found;
}

void write_descriptors(Device& device, DescriptorSet& set, const VkWriteDescriptorSet& write) {
  const LayoutBinding* binding = set.layout ? set.layout->find(write.dstBinding) : nullptr;
  if (binding == nullptr) {
    return;
  }
  const std::scoped_lock lock(set.mutex);
  ++set.version;
  if (is_inline(write.descriptorType)) {
    if (const auto* block = inline_of(write)) {
      set_inline(set, write.dstBinding, write.dstArrayElement, block->dataSize, block->pData);
    }
    return;
  }
  for (std::uint32_t n = 0; n < write.descriptorCount; ++n) {
    if (const void* data = data_of(write, n)) {
      set_descriptor(device, set, binding->slot + write.dstArrayElement + n, write.descriptorType,
                     data);
    }
  }
}

void write_template(Device& device, DescriptorSet& set, const UpdateTemplate& update,
                    const void* data) {
  if (!set.layout) {
    return;
  }
  const std::scoped_lock lock(set.mutex);
  ++set.version;
  for (const VkDescriptorUpdateTemplateEntry& entry : update.entries) {
    const auto* begin = static_cast<const std::byte*>(data) + entry.offset;
    if (is_inline(entry.descriptorType)) {
      set_inline(set, entry.dstBinding, entry.dstArrayElement, entry.descriptorCount, begin);
      continue;
    }
    const LayoutBinding* binding = set.layout->find(entry.dstBinding);
    for (std::uint32_t n = 0; binding != nullptr && n < entry.descriptorCount; ++n) {
      set_descriptor(device, set, binding->slot + entry.dstArrayElement + n, entry.descriptorType,
                     begin + n * entry.stride);
    }
  }
}

std::shared_ptr<Sampler> immutable_sampler(const SetLayout& layout, std::uint32_t slot) {
  const LayoutBinding* binding = binding_at(layout, slot);
  return binding == nullptr || binding->samplers.empty() ? nullptr
                                                         : binding->samplers[slot - binding->slot];
}

namespace hook {

VKAPI_ATTR VkResult VKAPI_CALL
CreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                          const VkAllocationCallbacks* allocator, VkDescriptorSetLayout* layout) {
  Device& known = known_device(device);
  const VkResult result = known.next.CreateDescriptorSetLayout(device, info, allocator, layout);
  if (result != VK_SUCCESS) {
    return result;
  }
  guarded([&] {
    const auto* entry = static_cast<const VkBaseInStructure*>(info->pNext);
    while (entry != nullptr &&
           entry->sType != VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO) {
      entry = entry->pNext;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    const auto* flags = reinterpret_cast<const VkDescriptorSetLayoutBindingFlagsCreateInfo*>(entry);
    auto made = std::make_shared<SetLayout>();
    for (std::uint32_t i = 0; i < info->bindingCount; ++i) {
      const VkDescriptorSetLayoutBinding& given = info->pBindings[i];
      LayoutBinding binding;
      binding.binding = given.binding;
      binding.type = given.descriptorType;
      binding.count = given.descriptorCount;
      binding.after_bind =
          flags != nullptr && i < flags->bindingCount &&
          (flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0;
      const bool samples = given.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                           given.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      for (std::uint32_t s = 0;
           samples && given.pImmutableSamplers != nullptr && s < given.descriptorCount; ++s) {
        binding.samplers.push_back(known.samplers.find(given.pImmutableSamplers[s]));
      }
      made->bindings.push_back(std::move(binding));
    }
    std::ranges::sort(made->bindings, {}, &LayoutBinding::binding);
    std::uint32_t slot = 0;
    for (LayoutBinding& binding : made->bindings) {
      binding.slot = slot;
      slot += is_inline(binding.type) ? 0 : binding.count;
    }
    known.set_layouts.add(*layout, std::move(made));
  });
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout layout,
                                                      const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.set_layouts.take(layout); });
  known.next.DestroyDescriptorSetLayout(device, layout, allocator);
}

VKAPI_ATTR void VKAPI_CALL DestroyDescriptorPool(VkDevice device, VkDescriptorPool pool,
                                                 const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded(
      [&] { known.sets.remove_if([&](const DescriptorSet& set) { return set.pool == pool; }); });
  known.next.DestroyDescriptorPool(device, pool, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL ResetDescriptorPool(VkDevice device, VkDescriptorPool pool,
                                                   VkDescriptorPoolResetFlags flags) {
  Device& known = known_device(device);
  guarded(
      [&] { known.sets.remove_if([&](const DescriptorSet& set) { return set.pool == pool; }); });
  return known.next.ResetDescriptorPool(device, pool, flags);
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateDescriptorSets(VkDevice device,
                                                      const VkDescriptorSetAllocateInfo* info,
                                                      VkDescriptorSet* sets) {
  Device& known = known_device(device);
  const VkResult result = known.next.AllocateDescriptorSets(device, info, sets);
  if (result == VK_SUCCESS) {
    guarded([&] {
      for (std::uint32_t i = 0; i < info->descriptorSetCount; ++i) {
        auto made = std::make_shared<DescriptorSet>();
        made->layout = known.set_layouts.find(info->pSetLayouts[i]);
        made->pool = info->descriptorPool;
        if (made->layout) {
          known.sets.add(sets[i], std::move(made));
        }
      }
    });
  }
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL FreeDescriptorSets(VkDevice device, VkDescriptorPool pool,
                                                  std::uint32_t count,
                                                  const VkDescriptorSet* sets) {
  Device& known = known_device(device);
  guarded([&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      known.sets.take(sets[i]);
    }
  });
  return known.next.FreeDescriptorSets(device, pool, count, sets);
}

VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSets(VkDevice device, std::uint32_t write_count,
                                                const VkWriteDescriptorSet* writes,
                                                std::uint32_t copy_count,
                                                const VkCopyDescriptorSet* copies) {
  Device& known = known_device(device);
  guarded([&] {
    for (std::uint32_t i = 0; i < write_count; ++i) {
      if (const auto set = known.sets.find(writes[i].dstSet)) {
        write_descriptors(known, *set, writes[i]);
      }
    }
    for (std::uint32_t i = 0; i < copy_count; ++i) {
      copy_descriptors(known, copies[i]);
    }
  });
  known.next.UpdateDescriptorSets(device, write_count, writes, copy_count, copies);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDescriptorUpdateTemplate(
    VkDevice device, const VkDescriptorUpdateTemplateCreateInfo* info,
    const VkAllocationCallbacks* allocator, VkDescriptorUpdateTemplate* update) {
  Device& known = known_device(device);
  const VkResult result =
      known.next.CreateDescriptorUpdateTemplate(device, info, allocator, update);
  if (result == VK_SUCCESS) {
    guarded([&] {
      auto made = std::make_shared<UpdateTemplate>();
      made->entries.assign(info->pDescriptorUpdateEntries,
                           info->pDescriptorUpdateEntries + info->descriptorUpdateEntryCount);
      known.templates.add(*update, std::move(made));
    });
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyDescriptorUpdateTemplate(VkDevice device,
                                                           VkDescriptorUpdateTemplate update,
                                                           const VkAllocationCallbacks* allocator) {
  Device& known = known_device(device);
  guarded([&] { known.templates.take(update); });
  known.next.DestroyDescriptorUpdateTemplate(device, update, allocator);
}

VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet handle,
                                                           VkDescriptorUpdateTemplate update,
                                                           const void* data) {
  Device& known = known_device(device);
  guarded([&] {
    const auto set = known.sets.find(handle);
    const auto entries = known.templates.find(update);
    if (set && entries) {
      write_template(known, *set, *entries, data);
    }
  });
  known.next.UpdateDescriptorSetWithTemplate(device, handle, update, data);
}

}  // namespace hook
}  // namespace capture

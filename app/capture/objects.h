// Records of the program's Vulkan objects that the layer keeps.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <vulkan/vulkan.h>

#include "capture/module_scan.h"

namespace capture {

/// The memory and offset of a buffer or an image. Objects of one memory may overlap.
struct MemoryPlace {
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
};

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceSize size = 0;
  std::string refused;  ///< why its contents can't be copied; empty: they can
  MemoryPlace place;
  std::atomic<bool> alive{true};
};

struct BufferView {
  std::shared_ptr<Buffer> buffer;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkDeviceSize offset = 0;
  VkDeviceSize range = 0;
};

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent3D extent{};
  std::uint32_t levels = 1;
  std::uint32_t layers = 1;
  std::string refused;  ///< why its contents can't be copied; empty: they can
  MemoryPlace place;
  std::atomic<bool> alive{true};
};

struct ImageView {
  std::shared_ptr<Image> image;
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageSubresourceRange range{};  ///< with counts, never VK_REMAINING_...
  bool swizzled = false;
};

struct Sampler {
  bool nearest = false;
  bool unnormalized = false;  ///< coordinates count texels
  std::string differs;  ///< how it differs from the sampler that a replay uses; empty: not at all
};

struct ShaderModule {
  std::vector<std::uint32_t> words;
  ModuleScan scan;
  std::uint64_t hash = 0;
  std::string name;
};

struct LayoutBinding {
  std::uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  std::uint32_t count = 0;  ///< bytes of an inline uniform block
  std::uint32_t slot = 0;   ///< of its first descriptor in the set
  bool after_bind = false;  ///< it may be updated after a command buffer was recorded
  std::vector<std::shared_ptr<Sampler>> samplers;  ///< immutable ones
};

struct SetLayout {
  std::vector<LayoutBinding> bindings;  ///< by binding
  [[nodiscard]] const LayoutBinding* find(std::uint32_t binding) const;
};

struct PipelineLayout {
  std::vector<std::shared_ptr<SetLayout>> sets;
  std::uint32_t push_bytes = 0;
};

struct Pipeline {
  std::shared_ptr<const ShaderModule> module;
  std::shared_ptr<const PipelineLayout> layout;
  std::string entry;
  /// SpecId to the bytes that the program gave.
  std::map<std::uint32_t, std::vector<std::byte>> constants;
  std::uint32_t subgroup_size = 0;  ///< 0 if none is required
  std::string name;
  std::string refused;     ///< why its launches can't be captured; empty: they can
  std::uint64_t hash = 0;  ///< of all of it
};

/// One descriptor of a set. Which of the objects it has follows from the type.
struct Descriptor {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  std::shared_ptr<Buffer> buffer;
  VkDeviceSize offset = 0;
  VkDeviceSize range = 0;
  std::shared_ptr<BufferView> texels;
  std::shared_ptr<ImageView> view;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  std::shared_ptr<Sampler> sampler;
};

/// Descriptors by slot: writes that run on into the next bindings just go on counting.
struct DescriptorSet {
  std::shared_ptr<const SetLayout> layout;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  std::mutex mutex;
  std::unordered_map<std::uint32_t, Descriptor> descriptors;
  /// Contents of inline uniform blocks, by binding.
  std::map<std::uint32_t, std::vector<std::byte>> inline_bytes;
  std::uint64_t version = 0;  ///< counts updates
};

struct UpdateTemplate {
  std::vector<VkDescriptorUpdateTemplateEntry> entries;
};

struct Queue {
  std::uint32_t family = 0;
  std::uint32_t index = 0;
};

}  // namespace capture

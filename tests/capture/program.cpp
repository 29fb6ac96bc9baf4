// The program that tests/cli/capture_test.cpp captures:
//
//     capture_program EXPECTED CASE...
//
// Each case launches a kernel that has the case's name. What its resources hold before and after
// goes into files EXPECTED/CASE.SET.BINDING.before and .after, read by the host, so that a test can
// compare the captured bytes with them.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "device.h"

namespace capture_test {
namespace {

namespace fs = std::filesystem;

constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkBufferUsageFlags kStorageUse = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

struct Range {
  int binding = 0;
  const Memory* memory = nullptr;
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;
};

class Cases {
 public:
  Cases(Device& device, fs::path expected) : device_(device), expected_(std::move(expected)) {}

  void plain(const std::string& name, std::uint32_t seed);
  void dynamic();
  void updated_by_template();
  void pushed();
  void indirect();
  void secondary();
  void overlapping();
  void runs_on();
  void texels();
  void inline_block();
  void images();
  void twice();
  void base();
  void address();
  void threads();

 private:
  // Writes what ranges hold into NAME.0.BINDING.WHEN.
  void keep(const std::string& name, const char* when, const std::vector<Range>& ranges) const {
    for (const Range& range : ranges) {
      const std::string file = name + ".0." + std::to_string(range.binding) + "." + when;
      std::ofstream(expected_ / file, std::ios::binary)
          .write(reinterpret_cast<const char*>(range.memory->bytes + range.offset),
                 static_cast<std::streamsize>(range.size));
    }
  }

  void run(const std::string& name, VkCommandBuffer commands, const std::vector<Range>& ranges) {
    require(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    keep(name, "before", ranges);
    device_.submit(commands);
    keep(name, "after", ranges);
  }

  // A kernel `out[i] = in[i] * FACTOR + n`, with specialization and push constants.
  [[nodiscard]] Kernel scale(const std::string& name, VkDescriptorSetLayoutCreateFlags flags = 0) {
    static constexpr std::uint32_t kFactor = 5;
    static constexpr VkSpecializationMapEntry kEntries[] = {{3, 0, 4}, {99, 0, 4}};
    static const VkSpecializationInfo kConstants{2, kEntries, 4, &kFactor};
    return device_.kernel({.name = name,
                           .glsl = R"(#version 450
layout(local_size_x = 16) in;
layout(constant_id = 3) const uint FACTOR = 2;
layout(push_constant) uniform Push { uint n; uint unused; };
layout(set = 0, binding = 0) readonly buffer In { uint x[]; };
layout(set = 0, binding = 1) buffer Out { uint y[]; };
void main() { y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] * FACTOR + n; })",
                           .bindings = {binding(0, kStorage), binding(1, kStorage)},
                           .push_bytes = 8,
                           .constants = &kConstants,
                           .flags = flags});
  }

  static void push(VkCommandBuffer commands, const Kernel& kernel) {
    const std::array<std::uint32_t, 2> words{1000, 77};
    vkCmdPushConstants(commands, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof words,
                       words.data());
  }

  static void bind(VkCommandBuffer commands, const Kernel& kernel, VkDescriptorSet set,
                   const std::vector<std::uint32_t>& offsets = {}) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &set,
                            static_cast<std::uint32_t>(offsets.size()), offsets.data());
  }

  Device& device_;
  fs::path expected_;
};

void Cases::plain(const std::string& name, std::uint32_t seed) {
  const Kernel kernel = scale(name);
  const Memory in = device_.memory(1024, kStorageUse, seed);
  const Memory out = device_.memory(1024, kStorageUse, 2);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 0, kStorage, in, 256, 256);
  device_.write(set, 1, kStorage, out, 512, VK_WHOLE_SIZE);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatch(commands, 4, 1, 1);
  run(name, commands, {{0, &in, 256, 256}, {1, &out, 512, 512}});
}

void Cases::dynamic() {
  const auto kind = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  const auto uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  const Kernel kernel = device_.kernel({.name = "dynamic",
                                        .glsl = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 2) uniform Block { uvec4 add; };
layout(set = 0, binding = 5) buffer Out { uint y[]; };
void main() { y[gl_GlobalInvocationID.x] += add.x; })",
                                        .bindings = {binding(2, uniform), binding(5, kind)}});
  const Memory block = device_.memory(1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 3);
  const Memory out = device_.memory(1024, kStorageUse, 4);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 2, uniform, block, 0, 16);
  device_.write(set, 5, kind, out, 256, 64);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set, {512, 256});
  vkCmdDispatch(commands, 1, 1, 1);
  run("dynamic", commands, {{2, &block, 512, 16}, {5, &out, 512, 64}});
}

void Cases::updated_by_template() {
  const Kernel kernel = scale("template");
  const Memory in = device_.memory(256, kStorageUse, 5);
  const Memory out = device_.memory(256, kStorageUse, 6);
  const VkDescriptorSet set = device_.set(kernel);
  struct Data {
    std::uint64_t unused = 0;
    std::array<VkDescriptorBufferInfo, 2> buffers{};
  };
  // One entry that runs on from binding 0 into binding 1.
  const VkDescriptorUpdateTemplateEntry entry{
      0, 0, 2, kStorage, offsetof(Data, buffers), sizeof(VkDescriptorBufferInfo)};
  VkDescriptorUpdateTemplateCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  create.descriptorUpdateEntryCount = 1;
  create.pDescriptorUpdateEntries = &entry;
  create.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  create.descriptorSetLayout = kernel.set_layout;
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  require(vkCreateDescriptorUpdateTemplate(device_.device, &create, nullptr, &update),
          "vkCreateDescriptorUpdateTemplate");
  const Data data{0, {{{in.buffer, 0, VK_WHOLE_SIZE}, {out.buffer, 0, VK_WHOLE_SIZE}}}};
  vkUpdateDescriptorSetWithTemplate(device_.device, set, update, &data);
  vkDestroyDescriptorUpdateTemplate(device_.device, update, nullptr);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatch(commands, 4, 1, 1);
  run("template", commands, {{0, &in, 0, 256}, {1, &out, 0, 256}});
}

void Cases::pushed() {
  const Kernel kernel = scale("pushed", VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  const Memory in = device_.memory(256, kStorageUse, 7);
  const Memory out = device_.memory(256, kStorageUse, 8);
  const std::array<VkDescriptorBufferInfo, 2> buffers{
      {{in.buffer, 0, VK_WHOLE_SIZE}, {out.buffer, 0, VK_WHOLE_SIZE}}};
  std::array<VkWriteDescriptorSet, 2> writes{};
  for (std::uint32_t i = 0; i < 2; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = kStorage;
    writes[i].pBufferInfo = &buffers[i];
  }
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
  device_.function<PFN_vkCmdPushDescriptorSetKHR>("vkCmdPushDescriptorSetKHR")(
      commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 2, writes.data());
  push(commands, kernel);
  vkCmdDispatch(commands, 4, 1, 1);
  run("pushed", commands, {{0, &in, 0, 256}, {1, &out, 0, 256}});
}

void Cases::indirect() {
  const Kernel kernel = scale("indirect");
  const Memory in = device_.memory(256, kStorageUse, 9);
  const Memory out = device_.memory(256, kStorageUse, 10);
  const Memory counts = device_.memory(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0);
  const std::array<std::uint32_t, 3> groups{3, 1, 1};
  std::memcpy(counts.bytes + 16, groups.data(), sizeof groups);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 0, kStorage, in, 0, VK_WHOLE_SIZE);
  device_.write(set, 1, kStorage, out, 0, VK_WHOLE_SIZE);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatchIndirect(commands, counts.buffer, 16);
  run("indirect", commands, {{0, &in, 0, 256}, {1, &out, 0, 256}});
}

void Cases::secondary() {
  const Kernel kernel = scale("secondary");
  const Memory in = device_.memory(256, kStorageUse, 11);
  const Memory out = device_.memory(256, kStorageUse, 12);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 0, kStorage, in, 0, VK_WHOLE_SIZE);
  device_.write(set, 1, kStorage, out, 0, VK_WHOLE_SIZE);
  const VkCommandBuffer inner = device_.commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inherited{};
  inherited.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  begin(inner, &inherited);
  bind(inner, kernel, set);
  push(inner, kernel);
  vkCmdDispatch(inner, 4, 1, 1);
  require(vkEndCommandBuffer(inner), "vkEndCommandBuffer");
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  vkCmdExecuteCommands(commands, 1, &inner);
  run("secondary", commands, {{0, &in, 0, 256}, {1, &out, 0, 256}});
}

// Two bindings that share 128 bytes of one buffer.
void Cases::overlapping() {
  const Kernel kernel = scale("overlapping");
  const Memory both = device_.memory(1024, kStorageUse, 13);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 0, kStorage, both, 256, 256);
  device_.write(set, 1, kStorage, both, 384, 256);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatch(commands, 1, 1, 1);
  run("overlapping", commands, {{0, &both, 256, 256}, {1, &both, 384, 256}});
}

// A write of two descriptors to a binding that has one.
void Cases::runs_on() {
  const Kernel kernel = scale("runs-on");
  const Memory in = device_.memory(256, kStorageUse, 14);
  const Memory out = device_.memory(256, kStorageUse, 15);
  const VkDescriptorSet set = device_.set(kernel);
  const std::array<VkDescriptorBufferInfo, 2> buffers{
      {{in.buffer, 0, VK_WHOLE_SIZE}, {out.buffer, 0, VK_WHOLE_SIZE}}};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.descriptorCount = 2;
  write.descriptorType = kStorage;
  write.pBufferInfo = buffers.data();
  vkUpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatch(commands, 4, 1, 1);
  run("runs-on", commands, {{0, &in, 0, 256}, {1, &out, 0, 256}});
}

void Cases::texels() {
  const auto read = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  const auto written = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  const Kernel kernel = device_.kernel({.name = "texels",
                                        .glsl = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform usamplerBuffer x;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer y;
void main() {
  int i = int(gl_GlobalInvocationID.x);
  imageStore(y, i, texelFetch(x, i) + imageLoad(y, i));
})",
                                        .bindings = {binding(0, read), binding(1, written)}});
  const Memory in = device_.memory(256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 16);
  const Memory out = device_.memory(256, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, 17);
  const VkDescriptorSet set = device_.set(kernel);
  std::uint32_t number = 0;
  for (const Memory* memory : {&in, &out}) {
    VkBufferViewCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
    create.buffer = memory->buffer;
    create.format = VK_FORMAT_R32_UINT;
    create.range = VK_WHOLE_SIZE;
    VkBufferView view = VK_NULL_HANDLE;
    require(vkCreateBufferView(device_.device, &create, nullptr, &view), "vkCreateBufferView");
    device_.at_end([this, view] { vkDestroyBufferView(device_.device, view, nullptr); });
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = number;
    write.descriptorCount = 1;
    write.descriptorType = number == 0 ? read : written;
    write.pTexelBufferView = &view;
    vkUpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
    ++number;
  }
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  vkCmdDispatch(commands, 4, 1, 1);
  run("texels", commands, {{0, &in, 0, 256}, {1, &out, 0, 256}});
}

void Cases::inline_block() {
  const auto block = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const Kernel kernel = device_.kernel({.name = "inline",
                                        .glsl = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform Block { uvec4 add; };
layout(set = 0, binding = 1) buffer Out { uint y[]; };
void main() { y[gl_GlobalInvocationID.x] += add.y; })",
                                        .bindings = {binding(0, block, 16), binding(1, kStorage)}});
  Memory values = device_.memory(16, kStorageUse, 18);  // as the host knows it
  const Memory out = device_.memory(256, kStorageUse, 19);
  const VkDescriptorSet set = device_.set(kernel);
  VkWriteDescriptorSetInlineUniformBlock data{};
  data.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK;
  data.dataSize = 16;
  data.pData = values.bytes;
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.pNext = &data;
  write.dstSet = set;
  write.descriptorCount = 16;
  write.descriptorType = block;
  vkUpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
  device_.write(set, 1, kStorage, out, 0, VK_WHOLE_SIZE);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  vkCmdDispatch(commands, 4, 1, 1);
  run("inline", commands, {{0, &values, 0, 16}, {1, &out, 0, 256}});
}

struct Picture {
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

Picture make_picture(Device& device, VkFormat format, VkImageUsageFlags usage,
                     std::uint32_t layers) {
  Picture made;
  VkImageCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  create.imageType = VK_IMAGE_TYPE_2D;
  create.format = format;
  create.extent = {8, 4, 1};
  create.mipLevels = 1;
  create.arrayLayers = layers;
  create.samples = VK_SAMPLE_COUNT_1_BIT;
  create.tiling = VK_IMAGE_TILING_OPTIMAL;
  create.usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  require(vkCreateImage(device.device, &create, nullptr, &made.image), "vkCreateImage");
  VkMemoryRequirements needs{};
  vkGetImageMemoryRequirements(device.device, made.image, &needs);
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = device.memory_type(needs.memoryTypeBits, 0);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  require(vkAllocateMemory(device.device, &allocate, nullptr, &memory), "vkAllocateMemory");
  require(vkBindImageMemory(device.device, made.image, memory, 0), "vkBindImageMemory");
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = made.image;
  view.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
  require(vkCreateImageView(device.device, &view, nullptr, &made.view), "vkCreateImageView");
  device.at_end([&device, made, memory] {
    vkDestroyImageView(device.device, made.view, nullptr);
    vkDestroyImage(device.device, made.image, nullptr);
    vkFreeMemory(device.device, memory, nullptr);
  });
  return made;
}

void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

void fill_picture(VkCommandBuffer commands, const Memory& from, const Picture& to,
                  std::uint32_t layers, VkImageLayout layout) {
  change_layout(commands, to.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers};
  region.imageExtent = {8, 4, 1};
  vkCmdCopyBufferToImage(commands, from.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  change_layout(commands, to.image, VK_IMAGE_LAYOUT_GENERAL, layout);
}

// A texture in a layout that has to be changed for copies, and an array of two storage images
// without the usage of copies. The kernel's arithmetic is exact, so that the host knows the result.
void Cases::images() {
  const auto texture = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const auto storage = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  const Kernel kernel = device_.kernel({.name = "images",
                                        .glsl = R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform sampler2D x;
layout(set = 0, binding = 1, r32ui) uniform uimage2DArray y;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  uint red = uint(texelFetch(x, at.xy, 0).r * 255.0 + 0.5);
  imageStore(y, at, imageLoad(y, at) + red);
})",
                                        .bindings = {binding(0, texture), binding(1, storage)}});
  constexpr auto kShown = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  const Picture in = make_picture(device_, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT, 1);
  const Picture out = make_picture(device_, VK_FORMAT_R32_UINT, VK_IMAGE_USAGE_STORAGE_BIT, 2);
  const Memory in_bytes = device_.memory(128, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 20);
  const Memory out_bytes = device_.memory(256, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 21);
  VkSamplerCreateInfo sampling{};
  sampling.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  sampling.addressModeU = sampling.addressModeV = sampling.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler = VK_NULL_HANDLE;
  require(vkCreateSampler(device_.device, &sampling, nullptr, &sampler), "vkCreateSampler");
  device_.at_end([this, sampler] { vkDestroySampler(device_.device, sampler, nullptr); });
  const VkDescriptorSet set = device_.set(kernel);
  const std::array<VkDescriptorImageInfo, 2> infos{
      {{sampler, in.view, kShown}, {VK_NULL_HANDLE, out.view, VK_IMAGE_LAYOUT_GENERAL}}};
  for (std::uint32_t i = 0; i < 2; ++i) {
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = i;
    write.descriptorCount = 1;
    write.descriptorType = i == 0 ? texture : storage;
    write.pImageInfo = &infos[i];
    vkUpdateDescriptorSets(device_.device, 1, &write, 0, nullptr);
  }
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  fill_picture(commands, in_bytes, in, 1, kShown);
  fill_picture(commands, out_bytes, out, 2, VK_IMAGE_LAYOUT_GENERAL);
  bind(commands, kernel, set);
  vkCmdDispatch(commands, 1, 1, 2);
  run("images", commands, {{0, &in_bytes, 0, 128}, {1, &out_bytes, 0, 256}});
  for (std::uint32_t i = 0; i < 64; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, out_bytes.bytes + 4 * i, 4);
    value += in_bytes.bytes[4 * (i % 32)];
    std::memcpy(out_bytes.bytes + 4 * i, &value, 4);
  }
  keep("images", "after", {{1, &out_bytes, 0, 256}});
}

// One command buffer, submitted three times. The first two find the same contents.
void Cases::twice() {
  const Kernel kernel = scale("twice");
  const Memory in = device_.memory(256, kStorageUse, 22);
  const Memory out = device_.memory(256, kStorageUse, 23);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 0, kStorage, in, 0, VK_WHOLE_SIZE);
  device_.write(set, 1, kStorage, out, 0, VK_WHOLE_SIZE);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatch(commands, 4, 1, 1);
  require(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  device_.submit(commands);
  out.fill(23);
  device_.submit(commands);
  device_.submit(commands);
}

void Cases::base() {
  const Kernel kernel = scale("base");
  const Memory in = device_.memory(256, kStorageUse, 24);
  const Memory out = device_.memory(256, kStorageUse, 25);
  const VkDescriptorSet set = device_.set(kernel);
  device_.write(set, 0, kStorage, in, 0, VK_WHOLE_SIZE);
  device_.write(set, 1, kStorage, out, 0, VK_WHOLE_SIZE);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  bind(commands, kernel, set);
  push(commands, kernel);
  vkCmdDispatchBase(commands, 1, 0, 0, 2, 1, 1);
  run("base", commands, {});
}

void Cases::address() {
  const Kernel kernel = device_.kernel({.name = "address",
                                        .glsl = R"(#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 16) in;
layout(buffer_reference) buffer Data { uint y[]; };
layout(push_constant) uniform Push { Data data; };
void main() { data.y[gl_GlobalInvocationID.x] += 1; })",
                                        .bindings = {},
                                        .push_bytes = 8});
  const Memory out =
      device_.memory(256, kStorageUse | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, 26);
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = out.buffer;
  const VkDeviceAddress address = vkGetBufferDeviceAddress(device_.device, &info);
  const VkCommandBuffer commands = device_.commands();
  begin(commands);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
  vkCmdPushConstants(commands, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &address);
  vkCmdDispatch(commands, 4, 1, 1);
  run("address", commands, {});
}

// Threads with devices of their own.
void Cases::threads() {
  std::vector<std::thread> all;
  for (int n = 0; n < 2; ++n) {
    all.emplace_back([this, n] {
      Device own;
      Cases(own, expected_)
          .plain("thread-" + std::to_string(n), 30 + static_cast<std::uint32_t>(n));
    });
  }
  for (std::thread& thread : all) {
    thread.join();
  }
}

}  // namespace
}  // namespace capture_test

int main(int argc, char** argv) {
  using capture_test::Cases;
  if (argc < 2) {
    std::fprintf(stderr, "capture_program EXPECTED CASE...\n");
    return 2;
  }
  capture_test::Device device;
  Cases cases(device, argv[1]);
  const std::map<std::string, std::function<void()>> all{
      {"plain", [&] { cases.plain("plain", 1); }},
      {"dynamic", [&] { cases.dynamic(); }},
      {"template", [&] { cases.updated_by_template(); }},
      {"pushed", [&] { cases.pushed(); }},
      {"indirect", [&] { cases.indirect(); }},
      {"secondary", [&] { cases.secondary(); }},
      {"overlapping", [&] { cases.overlapping(); }},
      {"runs-on", [&] { cases.runs_on(); }},
      {"texels", [&] { cases.texels(); }},
      {"inline", [&] { cases.inline_block(); }},
      {"images", [&] { cases.images(); }},
      {"twice", [&] { cases.twice(); }},
      {"base", [&] { cases.base(); }},
      {"address", [&] { cases.address(); }},
      {"threads", [&] { cases.threads(); }},
  };
  for (int i = 2; i < argc; ++i) {
    const auto found = all.find(argv[i]);
    if (found == all.end()) {
      std::fprintf(stderr, "there is no case %s\n", argv[i]);
      return 2;
    }
    found->second();
  }
  return 0;
}

#include <algorithm>
#include <initializer_list>
#include <vector>

#include <fmt/format.h>

#include "core/base/limits.h"
#include "core/base/watched_step.h"
#include "gpu/device_impl.h"
#include "spirv/probes/addresses.h"
#include "spirv/probes/inside.h"
#include "spirv/reflection/addresses.h"
#include "spirv/reflection/cooperative_matrix.h"

namespace gpu {
namespace {

// An array of descriptors is one binding, of as many as are given.
std::vector<vk::DescriptorSetLayoutBinding> layout_of(const KernelSpec& spec) {
  std::map<std::uint32_t, vk::DescriptorSetLayoutBinding> entries;
  std::vector<KernelBinding> bindings = spec.bindings;
  if (spec.address_table) {
    bindings.push_back({.binding = *spec.address_table});
  }
  for (const KernelBinding& b : bindings) {
    if (b.kind != core::ResourceKind::addressed) {
      auto& entry = entries[b.binding];
      entry.binding = b.binding;
      entry.descriptorType = descriptor_type(b.kind);
      entry.descriptorCount = std::max(entry.descriptorCount, b.element + 1);
      entry.stageFlags = vk::ShaderStageFlagBits::eCompute;
    }
  }
  std::vector<vk::DescriptorSetLayoutBinding> list;
  for (const auto& [number, entry] : entries) {
    list.push_back(entry);
  }
  return list;
}

bool is_one_of(vk::DescriptorType type, std::initializer_list<vk::DescriptorType> all) {
  return std::ranges::find(all, type) != all.end();
}

// Past these limits a driver may do anything: lavapipe writes behind its tables (Vulkan
// specification, "Limits").
core::Expected<void> check_descriptors(const KernelSpec& spec,
                                       const vk::PhysicalDeviceLimits& limits,
                                       const std::string& device) {
  using enum vk::DescriptorType;
  struct Limit {
    const char* of;
    std::initializer_list<vk::DescriptorType> types;
    std::uint32_t most;
  };
  const Limit all[] = {
      {"storage and uniform buffers", {eStorageBuffer}, limits.maxPerStageDescriptorStorageBuffers},
      {"samplers", {eSampler, eCombinedImageSampler}, limits.maxPerStageDescriptorSamplers},
      {"textures",
       {eSampledImage, eCombinedImageSampler, eUniformTexelBuffer},
       limits.maxPerStageDescriptorSampledImages},
      {"storage images",
       {eStorageImage, eStorageTexelBuffer},
       limits.maxPerStageDescriptorStorageImages},
      {"resources",
       {eStorageBuffer, eSampler, eCombinedImageSampler, eSampledImage, eUniformTexelBuffer,
        eStorageImage, eStorageTexelBuffer},
       limits.maxPerStageResources}};
  const auto layout = layout_of(spec);
  for (const Limit& limit : all) {
    std::uint64_t count = 0;
    for (const auto& entry : layout) {
      count += is_one_of(entry.descriptorType, limit.types) ? entry.descriptorCount : 0;
    }
    if (count > limit.most) {
      return core::device_error(fmt::format("{} needs {} {} at once; {} allows {}", spec.name,
                                            count, limit.of, device, limit.most));
    }
  }
  if (spec.push_constant_bytes > limits.maxPushConstantsSize) {
    return core::device_error(fmt::format("{} needs {} bytes of push constants; {} allows {}",
                                          spec.name, spec.push_constant_bytes, device,
                                          limits.maxPushConstantsSize));
  }
  return {};
}

// The module as the device likes it best.
core::Expected<spirv::Words> preferred(const KernelSpec& spec, bool khr_matrices) {
  const auto halves = spec.bfloat16 ? spirv::Halves::bfloat16 : spirv::Halves::float16;
  if (khr_matrices) {
    auto module = spirv::parse(spec.spirv);
    if (module && spirv::use_khr_cooperative_matrices(*module, halves)) {
      return spirv::write(*module);
    }
  }
  if (spec.bfloat16) {
    return core::usage_error(fmt::format(
        "{}: this device has no bfloat16 matrices to replace the float16 matrices", spec.name));
  }
  return spirv::Words(spec.spirv.begin(), spec.spirv.end());
}

vk::raii::Pipeline make_pipeline(const vk::raii::Device& device, const KernelSpec& spec,
                                 const spirv::Words& words, vk::PipelineLayout layout,
                                 vk::PipelineCreateFlags flags) {
  const vk::raii::ShaderModule module(device,
                                      {{}, words.size() * sizeof(std::uint32_t), words.data()});
  std::vector<vk::SpecializationMapEntry> entries;
  std::vector<std::uint32_t> values;
  for (const auto& [id, value] : spec.constants) {
    entries.emplace_back(id, static_cast<std::uint32_t>(values.size() * sizeof(value)),
                         sizeof(value));
    values.push_back(value);
  }
  const vk::SpecializationInfo specialization(static_cast<std::uint32_t>(entries.size()),
                                              entries.data(), values.size() * sizeof(std::uint32_t),
                                              values.data());
  const vk::PipelineShaderStageCreateInfo stage{
      {}, vk::ShaderStageFlagBits::eCompute, *module, spec.entry_point.c_str(), &specialization};
  return {device, nullptr,
          vk::ComputePipelineCreateInfo{flags | vk::PipelineCreateFlagBits::eDispatchBase, stage,
                                        layout}};
}

// What is left that may reach outside, in words.
std::string keep_addresses(spirv::Module& module, KernelSpec& spec, const core::DeviceInfo& info) {
  if (!info.int64_atomics) {
    return "buffer references";
  }
  spirv::AddressTable table;
  for (const KernelBinding& b : spec.bindings) {
    table.binding = std::max(table.binding, b.binding + b.element + 1);
    table.ranges += b.kind == core::ResourceKind::addressed ? 1 : 0;
  }
  if (table.ranges > 0) {
    spec.address_table = table.binding;
  }
  return spirv::keep_addresses(module, spec.constants, table);
}

}  // namespace

vk::DescriptorType descriptor_type(core::ResourceKind kind) {
  switch (kind) {
    case core::ResourceKind::storage_image:
      return vk::DescriptorType::eStorageImage;
    case core::ResourceKind::sampled_image:
      return vk::DescriptorType::eSampledImage;
    case core::ResourceKind::combined_image:
      return vk::DescriptorType::eCombinedImageSampler;
    case core::ResourceKind::sampler:
      return vk::DescriptorType::eSampler;
    case core::ResourceKind::storage_texels:
      return vk::DescriptorType::eStorageTexelBuffer;
    case core::ResourceKind::uniform_texels:
      return vk::DescriptorType::eUniformTexelBuffer;
    case core::ResourceKind::storage_buffer:
    case core::ResourceKind::uniform_buffer:
    case core::ResourceKind::addressed:
      break;
  }
  return vk::DescriptorType::eStorageBuffer;
}

std::vector<KernelBinding> storage_buffers(std::size_t count) {
  std::vector<KernelBinding> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].binding = static_cast<std::uint32_t>(i);
  }
  return all;
}

core::Expected<spirv::Words> Device::Impl::module_of(KernelSpec& spec) const {
  auto words = preferred(spec, khr_matrices);
  const bool inside = (options.robust || spec.inside) && info.emulated();
  if (!words || !(inside || spec.addresses_kept)) {
    return words;
  }
  auto module = TRY(spirv::parse(*words));
  std::string left;
  if (spirv::has_addresses(module) && !spec.address_table) {
    left = keep_addresses(module, spec, info);
  }
  if (inside) {
    if (const std::string more = spirv::keep_inside(module, spec.constants); !more.empty()) {
      left = more;
    }
  }
  if (inside && !left.empty() && options.robust && options.contained) {
    return core::device_error(
        fmt::format("{} has {} and could write anywhere in the memory of this program, because {} "
                    "runs kernels in it; use `tilescope check` or `run`, which start a child "
                    "process, or open it here with --in-process",
                    spec.name, left, info.name));
  }
  return spirv::write(module);
}

std::unique_ptr<Kernel::Impl> Device::Impl::make_kernel(const KernelSpec& spec,
                                                        const spirv::Words& words,
                                                        vk::PipelineCreateFlags flags) const {
  auto made = std::make_unique<Kernel::Impl>();
  made->name = spec.name;
  made->bindings = spec.bindings;
  made->push_constant_bytes = spec.push_constant_bytes;
  made->address_table = spec.address_table;
  const auto entries = layout_of(spec);
  made->set_layout = vk::raii::DescriptorSetLayout(device, {{}, entries});
  const vk::PushConstantRange push{vk::ShaderStageFlagBits::eCompute, 0, spec.push_constant_bytes};
  const vk::DescriptorSetLayout set_layout = *made->set_layout;
  vk::PipelineLayoutCreateInfo layout{{}, set_layout};
  if (spec.push_constant_bytes > 0) {
    layout.setPushConstantRanges(push);
  }
  made->layout = vk::raii::PipelineLayout(device, layout);
  made->pipeline = make_pipeline(device, spec, words, *made->layout, flags);
  return made;
}

const char* Device::lacking(std::span<const std::uint32_t> spirv) const {
  constexpr std::size_t kHeader = 5;
  for (std::size_t at = kHeader; at + 1 < spirv.size();) {
    const std::uint32_t length = spirv[at] >> spv::WordCountShift;
    const auto op = static_cast<spv::Op>(spirv[at] & spv::OpCodeMask);
    if (op != spv::Op::OpCapability || length == 0) {
      break;  // they come first (SPIR-V specification, 2.4)
    }
    const auto found = impl_->lacking.find(static_cast<spv::Capability>(spirv[at + 1]));
    if (found != impl_->lacking.end()) {
      return found->second;
    }
    at += length;
  }
  return nullptr;
}

core::Expected<Kernel> Device::kernel(KernelSpec spec) {
  const auto words = TRY(impl_->module_of(spec));
  TRY(check_descriptors(spec, impl_->physical->getProperties().limits, impl_->info.name));
  // With what a device lacks a driver may do anything, too: lavapipe ends the program.
  if (const char* feature = lacking(words)) {
    return core::device_error(fmt::format("{} needs the feature {}, which {} does not have",
                                          spec.name, feature, impl_->info.name));
  }
  const core::WatchedStep step("building the pipeline of " + spec.name,
                               core::limits::pipeline_seconds);
  return guard(fmt::format("to create the pipeline of {}", spec.name),
               [&] { return Kernel(impl_->make_kernel(spec, words, {})); });
}

Kernel::Kernel() = default;
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;
Kernel::~Kernel() = default;
Kernel::Kernel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

}  // namespace gpu

#include <fmt/format.h>

#include "gpu/device_impl.h"
#include "spirv/cooperative_matrix.h"

namespace gpu {
namespace {

vk::raii::DescriptorSetLayout make_set_layout(const vk::raii::Device& device,
                                              const std::vector<std::uint32_t>& bindings) {
  std::vector<vk::DescriptorSetLayoutBinding> entries;
  entries.reserve(bindings.size());
  for (const std::uint32_t binding : bindings) {
    entries.emplace_back(binding, vk::DescriptorType::eStorageBuffer, 1,
                         vk::ShaderStageFlagBits::eCompute);
  }
  return {device, {{}, entries}};
}

// The module as the device likes it best.
spirv::Words preferred(std::span<const std::uint32_t> words, bool khr_matrices) {
  if (khr_matrices) {
    auto module = spirv::parse(words);
    if (module && spirv::use_khr_cooperative_matrices(*module)) {
      return spirv::write(*module);
    }
  }
  return {words.begin(), words.end()};
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

}  // namespace

std::unique_ptr<Kernel::Impl> Device::Impl::make_kernel(const KernelSpec& spec,
                                                        vk::PipelineCreateFlags flags) const {
  auto made = std::make_unique<Kernel::Impl>();
  made->name = spec.name;
  made->bindings = spec.bindings;
  made->push_constant_bytes = spec.push_constant_bytes;
  made->set_layout = make_set_layout(device, spec.bindings);
  const vk::PushConstantRange push{vk::ShaderStageFlagBits::eCompute, 0, spec.push_constant_bytes};
  const vk::DescriptorSetLayout set_layout = *made->set_layout;
  vk::PipelineLayoutCreateInfo layout{{}, set_layout};
  if (spec.push_constant_bytes > 0) {
    layout.setPushConstantRanges(push);
  }
  made->layout = vk::raii::PipelineLayout(device, layout);
  made->pipeline =
      make_pipeline(device, spec, preferred(spec.spirv, khr_matrices), *made->layout, flags);
  return made;
}

core::Expected<Kernel> Device::kernel(const KernelSpec& spec) {
  return guard(fmt::format("to make a pipeline of {}", spec.name),
               [&] { return Kernel(impl_->make_kernel(spec, {})); });
}

Kernel::Kernel() = default;
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;
Kernel::~Kernel() = default;
Kernel::Kernel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

}  // namespace gpu

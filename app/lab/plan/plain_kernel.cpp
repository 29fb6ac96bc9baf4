#include "lab/plan/plan.h"
#include "spirv/module/canonical.h"
#include "spirv/reflection/barriers.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/flat_bindings.h"
#include "spirv/reflection/launch_size.h"
#include "spirv/reflection/reflect.h"

namespace lab {

gpu::KernelSpec PlainKernel::spec() const {
  return {.name = name,
          .spirv = words,
          .entry_point = entry_point,
          .constants = {},
          .bindings = bindings,
          .push_constant_bytes = push_constant_bytes,
          .bfloat16 = bfloat16,
          .inside = inside};
}

core::Expected<FlatModule> flat_module(const core::Dispatch& dispatch) {
  auto module = TRY(spirv::parse(dispatch.module->words));
  TRY(spirv::select_entry(module, dispatch.module->entry_point));
  const auto interface = TRY(spirv::reflect(module, dispatch.constants));
  spirv::FlatNumbers numbers;
  for (std::size_t i = 0; i < dispatch.resources.size(); ++i) {
    const core::Resource& resource = dispatch.resources[i];
    if (resource.is_bound()) {
      numbers.try_emplace({resource.set, resource.binding}, static_cast<std::uint32_t>(i));
    }
  }
  FlatModule flat{.words = {}, .not_possible = spirv::flat_bindings(interface).not_possible};
  spirv::flatten_bindings(module, numbers);
  flat.words = spirv::write(module);
  return flat;
}

std::vector<gpu::KernelBinding> bindings_of(const core::Dispatch& dispatch, std::uint32_t extra) {
  const auto& resources = dispatch.resources;
  std::vector<gpu::KernelBinding> all = gpu::storage_buffers(resources.size() + extra);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    all[i] = {.binding = static_cast<std::uint32_t>(i) - resources[i].element,
              .kind = resources[i].kind,
              .element = resources[i].element};
  }
  return all;
}

core::Expected<PlainKernel> plain_kernel(const core::Dispatch& dispatch) {
  const auto flat = flat_module(dispatch);
  if (!flat) {
    return std::unexpected(flat.error());
  }
  if (!flat->not_possible.empty()) {
    const std::string& name = dispatch.module->name;
    return core::device_error((name.empty() ? "the kernel" : name) +
                              " cannot be launched: " + flat->not_possible.front());
  }
  auto module = TRY(spirv::parse(flat->words));
  TRY(spirv::edit_barriers(module, dispatch.barriers));
  const glm::uvec3 groups = dispatch.groups;
  spirv::freeze_launch_size(module, {groups.x, groups.y, groups.z});
  auto numbers = TRY(spirv::specialize(spirv::write(module), dispatch.constants));
  return PlainKernel{
      .words = std::move(numbers),
      .name = dispatch.module->name,
      .entry_point = spirv::compute_entries(module).front(),
      .bindings = bindings_of(dispatch),
      .push_constant_bytes = static_cast<std::uint32_t>(dispatch.push_constants.size() * 4),
      .bfloat16 = dispatch.module->bfloat16,
      .inside = !dispatch.barriers.empty()};
}

}  // namespace lab

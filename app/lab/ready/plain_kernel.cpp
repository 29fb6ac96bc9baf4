#include <numeric>

#include "lab/ready/plan.h"
#include "spirv/module/barriers.h"
#include "spirv/module/canonical.h"
#include "spirv/module/entry_points.h"
#include "spirv/module/flat_bindings.h"
#include "spirv/module/launch_size.h"
#include "spirv/module/reflect.h"

namespace lab {

gpu::KernelSpec PlainKernel::spec() const {
  return {.name = name,
          .spirv = words,
          .entry_point = entry_point,
          .constants = {},
          .bindings = bindings,
          .push_constant_bytes = push_constant_bytes,
          .bfloat16 = bfloat16};
}

core::Expected<FlatModule> flat_module(const core::Dispatch& dispatch) {
  auto module = spirv::parse(dispatch.module->words);
  if (!module) {
    return std::unexpected(module.error());
  }
  if (const auto selected = spirv::select_entry(*module, dispatch.module->entry_point); !selected) {
    return std::unexpected(selected.error());
  }
  const auto interface = spirv::reflect(*module, dispatch.constants);
  if (!interface) {
    return std::unexpected(interface.error());
  }
  spirv::FlatNumbers numbers;
  for (const core::Resource& resource : dispatch.resources) {
    numbers.try_emplace({resource.set, resource.binding},
                        static_cast<std::uint32_t>(numbers.size()));
  }
  FlatModule flat{.words = {}, .not_possible = spirv::flat_bindings(*interface).not_possible};
  for (std::string& why : spirv::buffer_references(*module)) {
    flat.not_possible.push_back(std::move(why));
  }
  spirv::flatten_bindings(*module, numbers, flat.not_possible.empty());
  flat.words = spirv::write(*module);
  return flat;
}

core::Expected<PlainKernel> plain_kernel(const core::Dispatch& dispatch) {
  const auto flat = flat_module(dispatch);
  if (!flat) {
    return std::unexpected(flat.error());
  }
  if (!flat->not_possible.empty()) {
    return core::device_error("it can't be launched: " + flat->not_possible.front());
  }
  auto module = spirv::parse(flat->words);
  if (!module) {
    return std::unexpected(module.error());
  }
  if (const auto ok = spirv::edit_barriers(*module, dispatch.barriers); !ok) {
    return std::unexpected(ok.error());
  }
  const glm::uvec3 groups = dispatch.groups;
  spirv::freeze_launch_size(*module, {groups.x, groups.y, groups.z});
  auto numbers = spirv::specialize(spirv::write(*module), dispatch.constants);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  PlainKernel kernel{
      .words = std::move(*numbers),
      .name = dispatch.module->name,
      .entry_point = spirv::compute_entries(*module).front(),
      .bindings = std::vector<std::uint32_t>(dispatch.resources.size()),
      .push_constant_bytes = static_cast<std::uint32_t>(dispatch.push_constants.size() * 4),
      .bfloat16 = dispatch.module->bfloat16};
  std::iota(kernel.bindings.begin(), kernel.bindings.end(), 0U);
  return kernel;
}

}  // namespace lab

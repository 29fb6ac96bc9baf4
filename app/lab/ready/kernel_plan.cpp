#include "lab/ready/kernel_plan.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "lab/ready/constant_limits.h"
#include "lab/ready/limits.h"
#include "spirv/module/barriers.h"
#include "spirv/module/canonical.h"
#include "spirv/module/launch_size.h"
#include "spirv/module/reflect.h"

namespace lab {
namespace {

const spirv::SpecConstant* find_constant(const spirv::Interface& interface,
                                         const std::string& name) {
  const auto found = std::ranges::find(interface.spec_constants, name, &spirv::SpecConstant::name);
  return found == interface.spec_constants.end() ? nullptr : &*found;
}

core::Expected<std::uint32_t> to_number(const std::string& name, const std::string& text) {
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || rest != end) {
    return core::usage_error(fmt::format("{} must be a whole number, not \"{}\"", name, text));
  }
  return value;
}

bool is_option(const core::Workload& workload, const std::string& name) {
  return std::ranges::any_of(workload.options(),
                             [&](const core::OptionSpec& option) { return option.name == name; });
}

using Constants = std::map<std::uint32_t, std::uint32_t>;

// SpecId to value: the tile, then every setting that is no option of the workload, then facts of
// the problem, then the defaults. Those are given too because a constant that also sizes the
// workgroup has another default there.
core::Expected<Constants> constants_of(const core::Variant& variant,
                                       const core::Experiment& experiment,
                                       const core::Workload& workload,
                                       const spirv::Interface& interface) {
  Constants constants;
  if (variant.has_tile()) {
    const auto* tile = find_constant(interface, variant.tile.constant);
    if (tile == nullptr) {
      return core::usage_error(
          fmt::format("{}: the header's tile.constant {} is no "
                      "specialization constant of the kernel",
                      variant.file.string(), variant.tile.constant));
    }
    constants[tile->id] = experiment.tile;
  }
  const auto facts = workload.facts(experiment.size);
  for (const auto& [name, text] : experiment.settings) {
    if (is_option(workload, name)) {
      continue;
    }
    const auto* constant = find_constant(interface, name);
    if (constant == nullptr) {
      return core::usage_error(fmt::format(
          "{} has neither a specialization constant nor an option \"{}\"", variant.id(), name));
    }
    if (facts.contains(name)) {
      return core::usage_error(
          fmt::format("{} of {} follows from the sizes and can't be set", name, variant.id()));
    }
    const auto value = to_number(name, text);
    if (!value) {
      return std::unexpected(value.error());
    }
    constants[constant->id] = *value;
  }
  for (const auto& [name, value] : facts) {
    if (const auto* constant = find_constant(interface, name); constant != nullptr) {
      constants.try_emplace(constant->id, value);
    }
  }
  for (const spirv::SpecConstant& constant : interface.spec_constants) {
    constants.try_emplace(constant.id, static_cast<std::uint32_t>(constant.default_value));
  }
  return constants;
}

// Of a header's text: a constant of the kernel, else a number.
core::Expected<std::uint32_t> value_of(const std::string& text, const spirv::Interface& interface) {
  const auto constant = interface.constants.find(text);
  return constant != interface.constants.end() ? static_cast<std::uint32_t>(constant->second)
                                               : to_number("the header's number", text);
}

std::uint32_t cover(const core::Covers& covers, const spirv::Interface& interface,
                    std::uint32_t local_size) {
  return covers.empty() ? local_size : value_of(covers, interface).value_or(local_size);
}

// The product of numbers and constants.
core::Expected<ScratchPlan> plan_scratch(const core::Variant& variant,
                                         const core::ScratchSpec& spec,
                                         const spirv::Interface& interface, std::uint64_t groups) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t words = 1;
  for (const std::string& factor : spec.words) {
    const auto number = value_of(factor, interface);
    if (!number) {
      return core::usage_error(
          fmt::format("{}: the header's scratch {} takes {} words, which is neither a number nor a "
                      "constant of the kernel",
                      variant.file.string(), spec.name, factor));
    }
    words = std::min(words * *number, kMost + 1);
  }
  if (words == 0 || words > kMost || groups > kMost) {
    return core::usage_error(fmt::format("{}: scratch {} of {} words for each of {} workgroups",
                                         variant.id(), spec.name, words, groups));
  }
  return ScratchPlan{spec.name, static_cast<std::uint32_t>(groups),
                     static_cast<std::uint32_t>(words)};
}

core::Expected<void> check_interface(const core::Variant& variant,
                                     const spirv::Interface& interface, std::size_t buffers,
                                     std::size_t push_words) {
  for (const auto& binding : interface.bindings) {
    if (binding.set != 0 || binding.binding >= buffers) {
      return core::usage_error(fmt::format("{} uses binding {} of set {}; {} has bindings 0 to {}",
                                           variant.file.string(), binding.binding, binding.set,
                                           variant.workload, buffers - 1));
    }
  }
  if (interface.push_constant_bytes > push_words * sizeof(std::uint32_t)) {
    return core::usage_error(fmt::format("{} takes {} bytes of push constants; {} gives {}",
                                         variant.file.string(), interface.push_constant_bytes,
                                         variant.workload, push_words * sizeof(std::uint32_t)));
  }
  return {};
}

core::Expected<spirv::Words> edited(const spirv::Words& spirv, const core::BarrierEdits& edits,
                                    const glm::uvec3& groups) {
  auto module = spirv::parse(spirv);
  if (!module) {
    return std::unexpected(module.error());
  }
  if (const auto ok = spirv::edit_barriers(*module, edits); !ok) {
    return std::unexpected(ok.error());
  }
  spirv::freeze_launch_size(*module, {groups.x, groups.y, groups.z});
  return spirv::write(*module);
}

// The same module, reflected with its constants.
core::Expected<spirv::Interface> specialized(const core::Variant& variant,
                                             const core::Experiment& experiment,
                                             const core::Workload& workload,
                                             const spirv::Words& spirv, Constants& constants) {
  const auto module = spirv::parse(spirv);
  if (!module) {
    return std::unexpected(module.error());
  }
  const auto plain = spirv::reflect(*module, {});
  if (!plain) {
    return plain;
  }
  auto chosen = constants_of(variant, experiment, workload, *plain);
  if (!chosen) {
    return std::unexpected(chosen.error());
  }
  constants = std::move(*chosen);
  ConstantValues values;
  for (const spirv::SpecConstant& constant : plain->spec_constants) {
    values[constant.name] = constants.at(constant.id);
  }
  if (const auto ok = check_constants(variant, values); !ok) {
    return std::unexpected(ok.error());
  }
  auto interface = spirv::reflect(*module, constants);
  if (interface) {
    const auto ok =
        check_constants(variant, {interface->constants.begin(), interface->constants.end()});
    if (!ok) {
      return std::unexpected(ok.error());
    }
  }
  return interface;
}

}  // namespace

gpu::KernelSpec KernelPlan::spec() const {
  return {.name = name,
          .spirv = words,
          .entry_point = entry_point,
          .constants = {},
          .bindings = bindings,
          .push_constant_bytes = static_cast<std::uint32_t>(push_constants.size() * 4),
          .bfloat16 = bfloat16};
}

core::Expected<KernelPlan> plan_kernel(const core::Variant& variant,
                                       const core::Experiment& experiment,
                                       const core::Problem& problem, const spirv::Words& spirv) {
  const core::Workload& workload = *variant.work;
  KernelPlan plan;
  const auto interface = specialized(variant, experiment, workload, spirv, plan.constants);
  if (!interface) {
    return std::unexpected(interface.error());
  }
  plan.name = variant.id();
  plan.bfloat16 = variant.precision == core::Precision::bf16;
  plan.entry_point = interface->entry_point;
  plan.shared_bytes = interface->shared_bytes;
  for (const spirv::SpecConstant& constant : interface->spec_constants) {
    if (constant.name.starts_with("PAD") && plan.constants.at(constant.id) != 0) {
      plan.paddings.push_back(constant.name);
    }
  }
  plan.tiles.extent = workload.extent(problem.sizes);
  const auto& local = interface->local_size;
  plan.tiles.local_size = {local[0], local[1], local[2]};
  for (int d = 0; d < 3; ++d) {
    plan.tiles.covers[d] =
        cover(variant.covers[static_cast<std::size_t>(d)], *interface, plan.tiles.local_size[d]);
  }
  plan.tiles.truncated = variant.truncated();
  plan.push_constants = workload.push_constants(problem);
  for (const core::ScratchSpec& spec : variant.scratch) {
    auto scratch = plan_scratch(variant, spec, *interface, plan.tiles.group_count());
    if (!scratch) {
      return std::unexpected(scratch.error());
    }
    plan.scratch.push_back(std::move(*scratch));
  }
  plan.bindings.resize(workload.buffers(problem.sizes).size() + plan.scratch.size());
  std::iota(plan.bindings.begin(), plan.bindings.end(), 0U);
  if (const auto ok =
          check_interface(variant, *interface, plan.bindings.size(), plan.push_constants.size());
      !ok) {
    return std::unexpected(ok.error());
  }
  auto words = edited(spirv, experiment.barriers, plan.tiles.groups());
  if (!words) {
    return std::unexpected(words.error());
  }
  auto numbers = spirv::specialize(*words, plan.constants);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  plan.words = std::move(*numbers);
  return plan;
}

core::Expected<void> check_plan(const KernelPlan& plan, const core::Variant& variant,
                                const core::Experiment& experiment,
                                const core::DeviceInfo& device) {
  if (auto ok = check_workgroup(plan.tiles, plan.shared_bytes, experiment.tile, device); !ok) {
    return ok;
  }
  const core::Workload& workload = *variant.work;
  auto buffers = core::stored_buffers(workload, variant, experiment.size);
  for (const ScratchPlan& scratch : plan.scratch) {
    buffers.push_back({scratch.name, core::Role::output, scratch.groups, scratch.words});
  }
  return check_memory(buffers, device);
}

}  // namespace lab

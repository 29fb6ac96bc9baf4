#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "lab/ready/constant_limits.h"
#include "lab/ready/limits.h"
#include "lab/ready/plan.h"
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
    if (facts.contains(name) && !variant.tune.contains(name)) {
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

std::uint32_t constant_or(const std::string& name, const spirv::Interface& interface,
                          std::uint32_t otherwise) {
  return name.empty() ? otherwise : value_of(name, interface).value_or(otherwise);
}

// Workgroups that have scratch memory: where tiles are shared, those that share one.
std::uint64_t scratch_groups(const core::Variant& variant, const core::TileMap& tiles) {
  return variant.model.slices.empty()
             ? tiles.group_count()
             : std::max<std::uint64_t>(tiles.shared_tiles() * tiles.slices, 1);
}

// The product of numbers and constants.
core::Expected<core::Resource> plan_scratch(const core::Variant& variant,
                                            const core::ScratchSpec& spec,
                                            const spirv::Interface& interface,
                                            std::uint64_t groups) {
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
  return core::Resource{.name = spec.name, .written = true, .bytes = 4 * groups * words};
}

std::string shape_of(const core::BufferSpec& buffer) {
  const char* word = buffer.whole ? "integers" : "floats";
  return fmt::format(
      "{}×{} {}", buffer.rows, buffer.columns,
      buffer.components > 1 ? fmt::format("vectors of {} {}", buffer.components, word) : word);
}

// What takes turns with an output from step to step changes too.
std::vector<core::Resource> resources_of(
    const std::vector<core::BufferSpec>& buffers,
    const std::vector<std::pair<std::size_t, std::size_t>>& chain,
    const spirv::Interface& interface) {
  std::vector<core::Resource> resources;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    const bool written = std::ranges::any_of(
        interface.bindings, [i](const spirv::Binding& b) { return b.binding == i && b.written; });
    const bool chained =
        std::ranges::any_of(chain, [i](const auto& pair) { return pair.first == i; });
    resources.push_back({.binding = i,
                         .name = buffers[i].name,
                         .written = written || chained || buffers[i].role == core::Role::output,
                         .bytes = buffers[i].bytes(),
                         .shape = shape_of(buffers[i]),
                         .words = buffers[i].whole ? core::Words::whole : core::Words::floating,
                         .content = {.fill = core::Fill::poison}});
  }
  return resources;
}

core::TileMap tiles_of(const core::Variant& variant, glm::uvec3 extent,
                       const spirv::Interface& interface) {
  core::TileMap tiles;
  tiles.extent = extent;
  const auto& local = interface.local_size;
  tiles.local_size = {local[0], local[1], local[2]};
  for (int d = 0; d < 3; ++d) {
    tiles.covers[d] =
        cover(variant.covers[static_cast<std::size_t>(d)], interface, tiles.local_size[d]);
  }
  tiles.truncated = variant.truncated();
  tiles.slices = constant_or(variant.model.slices, interface, 1);
  tiles.whole = constant_or(variant.model.whole, interface, 0);
  return tiles;
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

// The same module, reflected with its constants.
core::Expected<spirv::Interface> specialized(const core::Variant& variant,
                                             const core::Experiment& experiment,
                                             const core::Workload& workload,
                                             const std::vector<std::uint32_t>& spirv,
                                             Constants& constants) {
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

core::Expected<Plan> plan_variant(const core::Variant& variant, const core::Experiment& experiment,
                                  const core::Problem& problem, const Module& module) {
  const core::Workload& workload = *variant.work;
  Plan plan;
  core::Dispatch& dispatch = plan.dispatch;
  dispatch.module = module;
  dispatch.barriers = experiment.barriers;
  const auto interface =
      specialized(variant, experiment, workload, module->words, dispatch.constants);
  if (!interface) {
    return std::unexpected(interface.error());
  }
  plan.shared_bytes = interface->shared_bytes;
  for (const spirv::SpecConstant& constant : interface->spec_constants) {
    if (constant.name.starts_with("PAD") && dispatch.constants.at(constant.id) != 0) {
      plan.paddings.push_back(constant.name);
    }
  }
  plan.tiles = tiles_of(variant, workload.extent(problem.sizes), *interface);
  dispatch.groups = plan.tiles.groups();
  dispatch.push_constants = workload.push_constants(problem);
  dispatch.resources = resources_of(core::stored_buffers(workload, variant, problem.sizes),
                                    workload.chain(), *interface);
  for (const core::ScratchSpec& spec : variant.scratch) {
    const std::uint64_t groups = spec.for_all ? 1 : scratch_groups(variant, plan.tiles);
    auto scratch = plan_scratch(variant, spec, *interface, groups);
    if (!scratch) {
      return std::unexpected(scratch.error());
    }
    scratch->binding = static_cast<std::uint32_t>(dispatch.resources.size());
    dispatch.resources.push_back(std::move(*scratch));
    ++plan.scratch;
  }
  if (const auto ok = check_interface(variant, *interface, dispatch.resources.size(),
                                      dispatch.push_constants.size());
      !ok) {
    return std::unexpected(ok.error());
  }
  return plan;
}

core::Expected<void> check_plan(const Plan& plan, std::uint32_t tile,
                                const core::DeviceInfo& device) {
  if (auto ok = check_workgroup(plan.tiles, plan.shared_bytes, tile, device); !ok) {
    return ok;
  }
  return check_memory(plan.dispatch.resources, device);
}

}  // namespace lab

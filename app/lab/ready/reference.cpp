#include "lab/ready/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/work/comparison.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/typed_values.h"
#include "lab/ready/catalogue_files.h"
#include "spirv/reflection/block_layout.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

core::Expected<spirv::Interface> interface_of(const Module& module) {
  auto parsed = TRY(spirv::parse(module->words));
  TRY(spirv::select_entry(parsed, module->entry_point));
  return spirv::reflect(parsed, {});
}

bool same_place(const core::Resource& a, const core::Resource& b) {
  return a.is_bound() ? b.is_bound() && a.set == b.set && a.binding == b.binding &&
                            a.element == b.element && a.is_image() == b.is_image()
                      : !b.is_bound() && a.name == b.name;
}

// By set and binding, with what ours begin with.
void share_contents(const core::Dispatch& ours, core::Dispatch& theirs) {
  for (core::Resource& resource : theirs.resources) {
    const auto same = std::ranges::find_if(
        ours.resources, [&](const core::Resource& r) { return same_place(r, resource); });
    if (same != ours.resources.end()) {
      resource.bytes = same->bytes;
      resource.content = same->content;
      resource.image = same->image;
    }
  }
}

// The words of each of our resources that the reference has too.
core::Expected<core::HostBuffers> read_back(gpu::Device& device, const core::Dispatch& ours,
                                            const core::Dispatch& theirs, const Memory& memory) {
  core::HostBuffers after(ours.resources.size());
  const Buffers buffers = memory.buffers();
  for (std::size_t i = 0; i < ours.resources.size(); ++i) {
    const core::Resource& resource = ours.resources[i];
    const auto same = std::ranges::find_if(
        theirs.resources, [&](const core::Resource& r) { return same_place(r, resource); });
    if (same == theirs.resources.end() || !resource.written) {
      continue;
    }
    after[i] = TRY(
        host_words(device, *buffers[static_cast<std::size_t>(same - theirs.resources.begin())]));
  }
  return after;
}

}  // namespace

core::Expected<core::Variant> reference_named(const std::string& name) {
  if (core::names_a_file(name)) {
    core::Variant variant = read_kernel(name);
    return variant.broken ? core::Expected<core::Variant>(std::unexpected(*variant.broken))
                          : std::move(variant);
  }
  const auto shaders = TRY(find_shaders());
  const auto file = shaders / (name + ".comp");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    return core::usage_error(
        fmt::format("--reference {}: kernel not found; give a file or WORKLOAD/NAME", name));
  }
  return read_kernel(file);
}

core::Expected<core::Experiment> reference_experiment(const Setup& setup) {
  core::Experiment experiment = setup.experiment;
  experiment.choices.reference.clear();
  const auto variant = reference_named(setup.experiment.choices.reference);
  if (variant && variant->file.extension() != setup.variant.file.extension()) {
    experiment.choices.language.clear();
  }
  auto module =
      variant ? load_module(*variant, experiment.choices) : std::unexpected(variant.error());
  if (!module && !experiment.choices.local_size.empty()) {
    experiment.choices.local_size.clear();  // the reference may declare one
    module = load_module(*variant, experiment.choices);
  }
  const auto interface = TRY(module ? interface_of(*module) : std::unexpected(module.error()));
  experiment.settings = with_full_names(experiment.settings, interface);
  const auto names = names_of(interface);
  std::erase_if(experiment.settings, [&](const auto& setting) {
    return std::ranges::find(names, setting.first) == names.end();
  });
  experiment.variant = variant->id();
  experiment.size.clear();
  experiment.barriers.clear();
  experiment.choices.spec.clear();
  experiment.choices.buffers.clear();
  experiment.choices.groups.clear();
  const glm::uvec3 items = setup.tiles().extent;
  experiment.choices.items = {items.x, items.y, items.z};
  experiment.choices.push = setup.dispatch().push_constants;
  return experiment;
}

core::Expected<core::HostBuffers> answer_of_reference(Workbench& bench, const Setup& setup) {
  const auto experiment = TRY(reference_experiment(setup));
  const auto variant = reference_named(setup.experiment.choices.reference);
  const auto module = load_module(*variant, experiment.choices);
  auto plan = TRY(module ? plan_kernel(experiment, *module, bench.info().subgroup_size)
                         : std::unexpected(module.error()));
  const core::Dispatch& ours = setup.dispatch();
  share_contents(ours, plan.dispatch);
  // The answer is told by our resources.
  std::vector<core::Dispatch> asked(2);
  asked[0] = plan.dispatch;
  asked[1].resources = ours.resources;
  if (const auto* known = bench.answers().of(asked, experiment.seed, nullptr)) {
    return *known;
  }
  const auto plain = plain_kernel(plan.dispatch);
  auto kernel = plain ? bench.device().kernel(plain->spec()) : std::unexpected(plain.error());
  auto memory = Memory::make(bench.device(), plan.dispatch.resources, experiment.seed);
  if (!kernel || !memory) {
    return std::unexpected(kernel ? memory.error() : kernel.error());
  }
  TRY(memory->fill());
  gpu::Commands commands;
  commands.dispatch(*kernel, memory->buffers(),
                    memory->push_constants(plan.dispatch.push_constants), {0, 0, 0},
                    plan.dispatch.groups);
  TRY(bench.device().submit(commands));
  auto answer = read_back(bench.device(), ours, plan.dispatch, *memory);
  if (answer) {
    bench.answers().keep(std::move(asked), experiment.seed, nullptr, *answer);
  }
  return answer;
}

core::Expected<core::Check> compare_with_reference(Workbench& bench, const Setup& setup,
                                                   core::HostBuffers after,
                                                   core::DifferenceRecorder* recorder) {
  auto want = TRY(answer_of_reference(bench, setup));
  const auto layouts = layouts_of(setup);
  for (std::size_t b = 0; b < after.size(); ++b) {
    const bool typed = b < layouts.size() && !layouts[b].empty();
    for (std::size_t i = 0; !typed && i < std::min(after[b].size(), want[b].size()); ++i) {
      float& got = after[b][i];
      float& other = want[b][i];
      if (!std::isfinite(got) &&
          std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(other)) {
        got = other = 0.0F;
      }
    }
  }
  core::Check check =
      core::compare_typed(setup.data->specs, layouts, want, after, kReferenceTolerance, recorder);
  check.method = "every word of every output, compared with " + setup.experiment.choices.reference;
  return check;
}

std::vector<core::BlockLayout> layouts_of(const Setup& setup) {
  if (setup.variant.work != nullptr) {
    return {};
  }
  const core::Dispatch& dispatch = setup.dispatch();
  const auto parsed = spirv::parse(dispatch.module->words);
  if (!parsed) {
    return {};
  }
  const auto interface = interface_of(dispatch.module);
  const spirv::Definitions definitions(*parsed);
  const spirv::Constants constants(definitions, dispatch.constants);
  std::vector<core::BlockLayout> layouts(dispatch.resources.size());
  for (std::size_t i = 0; interface && i < layouts.size(); ++i) {
    const core::Resource& resource = dispatch.resources[i];
    const auto binding = std::ranges::find_if(interface->bindings, [&](const spirv::Binding& b) {
      return b.set == resource.set && b.binding == resource.binding;
    });
    if (!resource.is_bound() || resource.has_texels() || binding == interface->bindings.end()) {
      continue;
    }
    layouts[i] = spirv::block_layout(definitions, constants, binding->type);
    if (layouts[i].array.starts_with('@')) {  // HLSL's structured buffers have no members
      layouts[i].array.clear();
    } else if (binding->descriptors != 1 && !layouts[i].array.empty()) {
      layouts[i].array = resource.name + "." + layouts[i].array;
    }
  }
  return layouts;
}

core::Experiment rung_experiment(const Setup& setup, const core::Rung& rung) {
  const std::string& reference = setup.experiment.choices.reference;
  if (!reference.empty() && rung.variant == reference) {
    if (auto experiment = reference_experiment(setup)) {
      return std::move(*experiment);
    }
  }
  return setup.experiment;
}

}  // namespace lab

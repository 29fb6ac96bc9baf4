#include "lab/ready/launched_like.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/work/comparison.h"
#include "lab/plan/members.h"
#include "lab/plan/typed_values.h"
#include "lab/ready/reference.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

core::Expected<spirv::Interface> interface_of(const core::KernelModule& module) {
  auto parsed = TRY(spirv::parse(module.words));
  TRY(spirv::select_entry(parsed, module.entry_point));
  return spirv::reflect(parsed, {});
}

void take_said(const std::string& said, core::Settings& settings) {
  const std::size_t equals = said.find('=');
  if (equals != std::string::npos) {
    settings.try_emplace(said.substr(0, equals), said.substr(equals + 1));
  }
}

// What was set, and every member by name with the value that it has.
core::Settings values_of(const Setup& first, const spirv::Interface& interface) {
  core::Settings settings = with_full_names(first.experiment.settings, interface);
  for (const spirv::SpecConstant& c : interface.spec_constants) {
    const auto given = first.experiment.choices.spec.find(c.id);
    if (given != first.experiment.choices.spec.end() && !c.name.empty()) {
      if (const auto text = typed_text(std::span(&given->second, 1), type_name(c))) {
        settings.try_emplace(c.name, *text);
      }
    }
  }
  std::vector<std::string> said;
  say_members(interface.push_constants, first.dispatch().push_constants, said);
  for (const std::string& member : said) {
    take_said(member, settings);
  }
  constexpr std::string_view kSet = "--set ";
  for (const std::string& flag : first.chosen) {  // members of blocks, too
    if (flag.starts_with(kSet)) {
      take_said(flag.substr(kSet.size()), settings);
    }
  }
  return settings;
}

bool at_same_place(const core::Resource& a, const core::Resource& b) {
  return a.is_bound() && b.is_bound() && a.set == b.set && a.binding == b.binding &&
         a.element == b.element;
}

// The place in `all` of the resource that corresponds to `resource`.
std::optional<std::size_t> counterpart(const std::vector<core::Resource>& all,
                                       const core::Resource& resource) {
  const auto alike = [&](const core::Resource& other) {
    return other.kind == resource.kind || (!other.has_texels() && !resource.has_texels());
  };
  auto found = std::ranges::find_if(all, [&](const core::Resource& other) {
    return !resource.name.empty() && other.name == resource.name && alike(other);
  });
  if (found == all.end()) {
    found = std::ranges::find_if(all, [&](const core::Resource& other) {
      return at_same_place(other, resource) && alike(other);
    });
  }
  return found == all.end() ? std::nullopt
                            : std::optional(static_cast<std::size_t>(found - all.begin()));
}

// `theirs` as it lies in the buffers of `setup`.
core::Expected<core::HostBuffers> in_common(const Setup& first, const core::HostBuffers& theirs,
                                            const Setup& setup, const core::HostBuffers& ours) {
  core::HostBuffers want(ours.size());
  const auto& specs = setup.data->specs;
  std::size_t common = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto at = counterpart(first.dispatch().resources, setup.dispatch().resources[i]);
    if (ours[i].empty() || !at || *at >= theirs.size() || theirs[*at].empty()) {
      continue;
    }
    if (theirs[*at].size() != ours[i].size()) {
      return core::usage_error(fmt::format("{} has {} words in this kernel and {} in the other",
                                           specs[i].name, ours[i].size(), theirs[*at].size()));
    }
    want[i] = theirs[*at];
    ++common;
  }
  return common > 0 ? core::Expected<core::HostBuffers>(std::move(want))
                    : core::usage_error("the kernels have no output in common");
}

}  // namespace

core::Expected<core::Experiment> launched_like(const Setup& first, const Module& module,
                                               core::Experiment experiment) {
  const auto theirs = interface_of(*first.dispatch().module);
  const auto interface = TRY(theirs ? interface_of(*module) : std::unexpected(theirs.error()));
  experiment.settings = with_full_names(values_of(first, *theirs), interface);
  const auto names = names_of(interface);
  std::erase_if(experiment.settings, [&](const auto& setting) {
    return std::ranges::find(names, setting.first) == names.end();
  });
  const bool named = std::ranges::any_of(
      interface.push_constants,
      [&](const spirv::BlockMember& member) { return experiment.settings.contains(member.name); });
  core::KernelChoices& choices = experiment.choices;
  choices.push = named ? std::vector<std::uint32_t>() : first.dispatch().push_constants;
  choices.groups.clear();
  choices.spec.clear();
  const glm::uvec3 items = first.tiles().extent;
  choices.items = {items.x, items.y, items.z};
  choices.buffers.clear();
  experiment.size.clear();
  experiment.seed = first.experiment.seed;
  return experiment;
}

void share_buffers(const core::Dispatch& first, core::Dispatch& dispatch) {
  for (core::Resource& resource : dispatch.resources) {
    if (resource.kind == core::ResourceKind::uniform_buffer) {
      continue;  // its members are values, which are shared by their names
    }
    if (const auto at = counterpart(first.resources, resource)) {
      const core::Resource& same = first.resources[*at];
      resource.bytes = same.bytes;
      resource.content = same.content;
      resource.image = same.image;
    }
  }
}

core::Expected<core::Check> compare_setups(Workbench& bench, Setup& first, Setup& setup,
                                           const SliceObserver& observer) {
  auto theirs = bench.answer(first, observer);
  auto ours = TRY(theirs ? bench.answer(setup, observer) : std::unexpected(theirs.error()));
  if (theirs->empty() || ours.empty()) {
    return core::Check{};
  }
  auto want = TRY(in_common(first, *theirs, setup, ours));
  const bool same_work =
      setup.variant.work != nullptr && setup.data->workload == first.data->workload;
  return same_work ? setup.data->workload->compare_with(setup.data->problem, want, ours)
                   : core::compare_typed(setup.data->specs, layouts_of(setup), want, ours,
                                         kReferenceTolerance);
}

}  // namespace lab

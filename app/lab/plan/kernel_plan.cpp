// Plans of kernels without a workload.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/common.hpp>

#include "lab/plan/kernel_resources.h"
#include "lab/plan/members.h"
#include "lab/plan/plan.h"
#include "lab/plan/subgroup_constant.h"
#include "lab/plan/typed_values.h"
#include "lab/ready/contents.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

struct Making {
  core::Experiment experiment;
  spirv::Interface interface;  // with the constants as chosen
  Plan plan;
  std::set<std::string> taken;  // settings that had a place
};

core::Expected<core::SpecValues> constants_of(const core::Experiment& experiment,
                                              const spirv::Interface& interface,
                                              std::set<std::string>& taken,
                                              std::uint32_t subgroup_size) {
  core::SpecValues values;
  // Nameless constants of `local_size_x_id` take the value of the named one that shares their id.
  for (const spirv::SpecConstant& c : interface.spec_constants) {
    if (c.width <= 32) {
      values[c.id] = subgroup_size != 0 && is_named_like_subgroup_size(c.name)
                         ? subgroup_size
                         : static_cast<std::uint32_t>(c.default_value);
    }
    const auto setting = experiment.settings.find(c.name);
    if (c.name.empty() || setting == experiment.settings.end()) {
      continue;
    }
    const auto words = TRY(typed_value(c.name, setting->second, type_name(c)));
    values[c.id] = words.front();
    taken.insert(c.name);
  }
  for (const auto& [id, value] : experiment.choices.spec) {
    if (std::ranges::find(interface.spec_constants, id, &spirv::SpecConstant::id) ==
        interface.spec_constants.end()) {
      return core::usage_error(fmt::format(
          "the kernel has no specialization constant {}; it has {}", id,
          interface.spec_constants.empty() ? "none" : listed(interface.spec_constants)));
    }
    values[id] = value;
  }
  return values;
}

// Four a dimension that the kernel uses, two in z, where nothing else is known. One where all
// workgroups would do the same.
core::Expected<glm::uvec3> groups_of(const core::Experiment& experiment, glm::uvec3 local,
                                     const spirv::Interface& interface) {
  const core::Sizes& given =
      experiment.choices.groups.empty() ? experiment.size : experiment.choices.groups;
  const core::Sizes& items = experiment.choices.items.empty() && given.empty()
                                 ? experiment.choices.tried.items
                                 : experiment.choices.items;
  if (given.size() > 3 || items.size() > 3) {
    return core::usage_error("the number of workgroups takes at most three numbers, X,Y,Z");
  }
  if (experiment.choices.groups.empty() && !items.empty()) {
    glm::uvec3 groups{1};
    for (std::size_t d = 0; d < items.size(); ++d) {
      const std::uint32_t size = local[static_cast<int>(d)];
      groups[static_cast<int>(d)] = (std::max(items[d], 1U) - 1) / size + 1;
    }
    return groups;
  }
  if (given.empty()) {
    glm::uvec3 groups = groups_asked(experiment.choices, experiment.settings, interface, local);
    const glm::uvec3 few = interface.tells_workgroups
                               ? glm::uvec3(4, local.y > 1 ? 4 : 1, local.z > 1 ? 2 : 1)
                               : glm::uvec3(1);
    for (int d = 0; d < 3; ++d) {
      groups[d] = groups[d] == 0 ? few[d] : groups[d];
    }
    return groups;
  }
  glm::uvec3 groups{1};
  for (std::size_t d = 0; d < given.size(); ++d) {
    groups[static_cast<int>(d)] = std::max(given[d], 1U);
  }
  return groups;
}

// Returns true if the numbers of workgroups follow from given integers, in all directions that have
// more than one workgroup.
bool follows_from_members(const Making& making, glm::uvec3 groups) {
  const auto& size = making.interface.local_size;
  const glm::uvec3 asked =
      groups_asked(making.experiment.choices, making.experiment.settings, making.interface,
                   glm::max(glm::uvec3(size[0], size[1], size[2]), glm::uvec3(1)));
  const bool any = asked != glm::uvec3(0);
  return any && std::ranges::all_of(std::views::iota(0, 3),
                                    [&](int d) { return asked[d] != 0 || groups[d] == 1; });
}

core::Expected<void> choose_push_constants(Making& making) {
  auto& words = making.plan.dispatch.push_constants;
  const spirv::Interface& interface = making.interface;
  const core::TileMap sizes = chosen_extent(making.experiment.choices.tried, making.plan.tiles);
  words.assign((interface.push_constant_bytes + 3) / 4, sizes.extent.x);
  choose_members(interface.push_constants, sizes, words);
  if (const auto ok =
          set_members(making.experiment.settings, interface.push_constants, words, making.taken);
      !ok) {
    return ok;
  }
  const auto& given = making.experiment.choices.push;
  std::copy_n(given.begin(), std::min(given.size(), words.size()), words.begin());
  making.plan.push_by_name =
      !words.empty() && say_members(interface.push_constants, words, making.plan.members);
  return {};
}

// Settings that name nothing, with what there is.
core::Expected<void> check_settings(const Making& making) {
  for (const auto& [name, value] : making.experiment.settings) {
    if (!making.taken.contains(name)) {
      const auto known = names_of(making.interface);
      return core::usage_error(
          fmt::format("the kernel has no constant or member \"{}\"; it has {}", name,
                      known.empty() ? std::string("none that can be set")
                                    : fmt::format("{}", fmt::join(known, ", "))));
    }
  }
  return {};
}

// Resources and members that nothing was said of.
void note_chosen(Making& making) {
  core::Dispatch& dispatch = making.plan.dispatch;
  const core::KernelChoices& choices = making.experiment.choices;
  for (std::size_t n = 0; n < dispatch.resources.size(); ++n) {
    bool length = false;
    bool contents = false;
    for (const auto& [name, text] : choices.buffers) {
      if (is_called(making.interface, dispatch.resources[n], name)) {
        length = true;
        contents = contents || text.find_first_of(":@") != std::string::npos;
      }
    }
    const auto tried = choices.tried.buffers.find(dispatch.resources[n].place());
    const bool implied = tried != choices.tried.buffers.end() && !tried->second.empty() &&
                         std::isdigit(static_cast<unsigned char>(tried->second.front())) != 0;
    if (!length) {
      (implied ? dispatch.chosen.implied : dispatch.chosen.lengths).insert(n);
    }
    if (!contents) {
      dispatch.chosen.contents.insert(n);
    }
  }
  const auto note = [&](const std::vector<spirv::BlockMember>& members, std::size_t given) {
    for (const spirv::BlockMember& member : members) {
      if (!making.taken.contains(member.name) && member.offset >= given) {
        dispatch.chosen.members.insert(member.name);
      }
    }
  };
  note(making.interface.push_constants, choices.push.size() * 4);
  for (const spirv::Binding& b : making.interface.bindings) {
    const auto first = std::ranges::find_if(dispatch.resources, [&](const core::Resource& r) {
      return r.is_bound() && r.set == b.set && r.binding == b.binding;
    });
    if (dispatch.chosen.contents.contains(
            static_cast<std::size_t>(first - dispatch.resources.begin()))) {
      note(b.members, 0);
    }
  }
}

core::Expected<spirv::Interface> reflected(const core::Experiment& experiment, const Module& module,
                                           core::SpecValues& constants,
                                           std::set<std::string>& taken,
                                           std::uint32_t subgroup_size) {
  auto parsed = TRY(spirv::parse(module->words));
  TRY(spirv::select_entry(parsed, module->entry_point));
  const auto plain = spirv::reflect(parsed, {});
  if (!plain) {
    return plain;
  }
  constants = TRY(constants_of(experiment, *plain, taken, subgroup_size));
  return spirv::reflect(parsed, constants);
}

}  // namespace

core::Expected<Plan> plan_kernel(const core::Experiment& experiment, const Module& module,
                                 std::uint32_t subgroup_size) {
  Making making{.experiment = experiment, .interface = {}, .plan = {}, .taken = {}};
  core::Dispatch& dispatch = making.plan.dispatch;
  dispatch.module = module;
  dispatch.barriers = experiment.barriers;
  auto interface =
      TRY(reflected(experiment, module, dispatch.constants, making.taken, subgroup_size));
  making.interface = std::move(interface);
  dispatch.chosen.subgroup_constant = other_subgroup_size(
      making.interface, module->sources, experiment.choices.defines, subgroup_size);
  making.experiment.settings = with_full_names(experiment.settings, making.interface);
  const auto& size = making.interface.local_size;
  const glm::uvec3 local{size[0], size[1], size[2]};
  const auto groups =
      TRY(groups_of(making.experiment, glm::max(local, glm::uvec3(1)), making.interface));
  dispatch.groups = groups;
  dispatch.chosen.groups = experiment.choices.groups.empty() && experiment.choices.items.empty() &&
                           experiment.size.empty() && !follows_from_members(making, groups);
  core::TileMap& tiles = making.plan.tiles;
  tiles.local_size = tiles.covers = glm::max(local, glm::uvec3(1));
  tiles.extent = groups * tiles.local_size;
  making.plan.shared_bytes = making.interface.shared_bytes;
  TRY(choose_push_constants(making));
  auto chosen = TRY(choose_resources(making.experiment, making.interface, tiles, making.taken));
  dispatch.resources = std::move(chosen.resources);
  note_chosen(making);
  for (core::Resource& resource : dispatch.resources) {
    const auto longer = experiment.choices.longer.find(resource.place());
    const auto n = static_cast<std::size_t>(&resource - dispatch.resources.data());
    if (longer != experiment.choices.longer.end() && !dispatch.chosen.implied.contains(n)) {
      resource.bytes = longer->second;
    }
  }
  std::ranges::move(chosen.members, std::back_inserter(making.plan.members));
  TRY(check_settings(making));
  TRY(give_contents(making.interface, experiment.choices.buffers, dispatch.resources));
  return std::move(making.plan);
}

core::Expected<void> override_plan(Plan& plan, const core::Experiment& experiment) {
  const core::KernelChoices& choices = experiment.choices;
  core::Dispatch& dispatch = plan.dispatch;
  if (!choices.groups.empty() || !choices.items.empty()) {
    const auto groups = TRY(groups_of(experiment, plan.tiles.local_size, {}));
    dispatch.groups = groups;
    plan.tiles.extent = groups * plan.tiles.covers;
    plan.tiles.truncated = false;
  }
  if (choices.push.size() > dispatch.push_constants.size()) {
    return core::usage_error(fmt::format("--push gives {} words, but the kernel has only {}",
                                         choices.push.size(), dispatch.push_constants.size()));
  }
  std::ranges::copy(choices.push, dispatch.push_constants.begin());
  for (const auto& [id, value] : choices.spec) {
    dispatch.constants[id] = value;
  }
  return give_contents({}, choices.buffers, dispatch.resources);
}

std::vector<std::string> flags_of(const Plan& plan, const core::Experiment& experiment) {
  const core::Dispatch& dispatch = plan.dispatch;
  std::vector<std::string> flags{
      fmt::format("--groups {},{},{}", dispatch.groups.x, dispatch.groups.y, dispatch.groups.z)};
  if (const core::Sizes& size = experiment.choices.local_size; !size.empty()) {
    flags.push_back(fmt::format("--local-size {}", fmt::join(size, ",")));
  }
  for (const std::string& define : plan.defines) {
    flags.push_back("-D " + define);
  }
  for (const std::string& member : plan.members) {
    if (const std::string flag = "--set " + member; std::ranges::find(flags, flag) == flags.end()) {
      flags.push_back(flag);
    }
  }
  if (!dispatch.push_constants.empty() && !plan.push_by_name) {
    flags.push_back(fmt::format("--push {}", fmt::join(dispatch.push_constants, ",")));
  }
  for (const auto& [id, value] : dispatch.constants) {
    flags.push_back(fmt::format("--spec {}={}", id, value));
  }
  for (std::size_t n = 0; n < dispatch.resources.size(); ++n) {
    const core::Resource& resource = dispatch.resources[n];
    if (resource.kind == core::ResourceKind::uniform_buffer && resource.content.file.empty() &&
        !resource.content.bytes.empty() && resource.members_named) {
      continue;
    }
    flags.push_back(
        fmt::format("--buffer {}={}", resource.place(), resource_text(dispatch.resources, n)));
  }
  if (experiment.seed != 1) {
    flags.push_back(fmt::format("--seed {}", experiment.seed));
  }
  return flags;
}

}  // namespace lab

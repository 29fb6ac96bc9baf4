#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/catalogue/expression.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/limits.h"
#include "lab/plan/plan.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/constant_limits.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

const spirv::SpecConstant* find_constant(const spirv::Interface& interface,
                                         const std::string& name) {
  const auto found = std::ranges::find(interface.spec_constants, name, &spirv::SpecConstant::name);
  return found == interface.spec_constants.end() ? nullptr : &*found;
}

core::Expected<std::uint32_t> to_number(const std::string& name, const std::string& text) {
  const auto value = core::whole_number<std::uint32_t>(text);
  return value
             ? core::Expected<std::uint32_t>(*value)
             : core::usage_error(fmt::format("{} must be a whole number, not \"{}\"", name, text));
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
          fmt::format("{}: tile.constant in the header is {}, which is not a specialization "
                      "constant of the kernel",
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
      return core::usage_error(fmt::format("{} has no specialization constant and no option \"{}\"",
                                           variant.id(), name));
    }
    if (facts.contains(name) && !variant.tune.contains(name)) {
      return core::usage_error(
          fmt::format("{} of {} follows from the sizes and cannot be set", name, variant.id()));
    }
    constants[constant->id] = TRY(to_number(name, text));
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
                                               : to_number("the number in the header", text);
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

// What expressions of a variant's launches may name: sizes, constants, workgroups of launches
// before.
class Scope {
 public:
  void set(const std::string& name, core::Number value) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) {
      values_[static_cast<std::size_t>(found - names_.begin())] = value;
      return;
    }
    names_.push_back(name);
    values_.push_back(value);
  }
  void set_groups(std::size_t launch, glm::uvec3 groups) {
    const std::string name = fmt::format("groups{}", launch);
    set(name, static_cast<std::int64_t>(core::Box{{}, groups}.count()));
    for (int d = 0; d < 3; ++d) {
      set(name + std::array{"_x", "_y", "_z"}[static_cast<std::size_t>(d)],
          std::int64_t{groups[d]});
    }
  }
  [[nodiscard]] core::Expected<core::Number> value(const std::string& text) const {
    const auto parsed = core::Expression::parse(text, names_);
    return parsed ? parsed->evaluate(values_) : std::unexpected(parsed.error());
  }
  [[nodiscard]] core::Expected<std::uint32_t> count(const std::string& text) const {
    const auto parsed = core::Expression::parse(text, names_);
    return parsed ? parsed->count(values_) : std::unexpected(parsed.error());
  }

 private:
  std::vector<std::string> names_;
  std::vector<core::Number> values_;
};

// Named by whose it is.
template <class T>
core::Expected<T> told(const core::Variant& variant, const std::string& what,
                       core::Expected<T> value) {
  return value ? std::move(value)
               : core::usage_error(
                     fmt::format("{}: {}: {}", variant.id(), what, value.error().message));
}

core::Expected<core::Resource> plan_scratch(const core::Variant& variant,
                                            const core::ScratchSpec& spec, const Scope& scope,
                                            std::uint64_t groups) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t words = 1;
  for (const std::string& factor : spec.words) {
    const auto number = TRY(told(variant, "scratch " + spec.name, scope.count(factor)));
    words = std::min(words * number, kMost + 1);
  }
  if (words == 0 || words > kMost || groups > kMost) {
    return core::usage_error(fmt::format(
        "{}: scratch {} has {} words for each of {} workgroups; the limit is 4294967295 words",
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

core::TileMap tiles_of(const core::Variant& variant, const spirv::Interface& interface) {
  core::TileMap tiles;
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
      return core::usage_error(fmt::format(
          "{} uses binding {} of set {}, but {} has only bindings 0 to {} of set 0",
          variant.file.string(), binding.binding, binding.set, variant.workload, buffers - 1));
    }
  }
  if (interface.push_constant_bytes > push_words * sizeof(std::uint32_t)) {
    return core::usage_error(fmt::format("{} needs {} bytes of push constants, but {} gives {}",
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
  const auto module = TRY(spirv::parse(spirv));
  const auto plain = spirv::reflect(module, {});
  if (!plain) {
    return plain;
  }
  constants = TRY(constants_of(variant, experiment, workload, *plain));
  ConstantValues values;
  for (const spirv::SpecConstant& constant : plain->spec_constants) {
    values[constant.name] = constants.at(constant.id);
  }
  TRY(check_constants(variant, values));
  auto interface = spirv::reflect(module, constants);
  if (interface) {
    TRY(check_constants(variant, {interface->constants.begin(), interface->constants.end()}));
  }
  return interface;
}

// Kernels that do sections of one extent must agree what its workgroups are.
core::Expected<void> check_section(const core::Variant& variant, const PlannedLaunch& own,
                                   const PlannedLaunch& other) {
  if (other.plan.tiles.covers != own.plan.tiles.covers ||
      other.plan.tiles.local_size != own.plan.tiles.local_size) {
    return core::usage_error(
        fmt::format("{} cannot be launched by {}: their workgroups differ in size or in the part "
                    "of the output that they cover",
                    other.kernel.id(), variant.id()));
  }
  return {};
}

// Plans the launches of a variant one after the other; later ones may name what earlier ones are.
class Planner {
 public:
  Planner(const core::Variant& variant, const core::Experiment& experiment,
          const core::Problem& problem)
      : variant_(variant), work_(*variant.work), experiment_(experiment), problem_(problem) {
    const auto names = work_.size_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      scope_.set(names[i], std::int64_t{problem.sizes[i]});
    }
    for (const auto& [name, value] : work_.facts(problem.sizes)) {
      scope_.set(name, std::int64_t{value});
    }
  }

  core::Expected<std::vector<PlannedLaunch>> run();

 private:
  core::Expected<void> add(const core::LaunchPlan& plan, std::size_t number);
  [[nodiscard]] core::Expected<core::Variant> kernel_named(const std::string& name) const;
  [[nodiscard]] core::Expected<core::Experiment> experiment_of(const core::LaunchPlan& plan,
                                                               const core::Variant& kernel) const;
  core::Expected<Plan> make_plan(const core::LaunchPlan& plan, const core::Variant& kernel);
  core::Expected<void> place(const core::LaunchPlan& plan, core::TileMap& tiles) const;
  core::Expected<std::vector<std::uint32_t>> push_of(const core::LaunchPlan& plan) const;
  [[nodiscard]] bool left_out(const core::LaunchPlan& plan) const;
  core::Expected<void> add_scratch();
  core::Expected<void> check_interfaces() const;

  const core::Variant& variant_;
  const core::Workload& work_;
  const core::Experiment& experiment_;
  const core::Problem& problem_;
  Scope scope_;
  std::vector<PlannedLaunch> launches_;
  std::vector<spirv::Interface> interfaces_;
};

core::Expected<core::Variant> Planner::kernel_named(const std::string& name) const {
  if (name.empty()) {
    return variant_;
  }
  const auto text = variant_.texts.find(name);
  core::Variant kernel =
      read_variant(variant_.file.parent_path() / (name + ".comp"), variant_.work,
                   text != variant_.texts.end() ? std::optional(text->second) : std::nullopt);
  if (kernel.broken) {
    return std::unexpected(*kernel.broken);
  }
  for (const auto& [key, typed] : variant_.texts) {
    if (is_included(key)) {
      kernel.texts[key] = typed;
    }
  }
  kernel.workload = variant_.workload;
  kernel.name = name;
  if (!kernel.launches.empty() || kernel.truncated()) {
    return core::usage_error(fmt::format("{} cannot be launched by {}: it has its own launches",
                                         kernel.id(), variant_.id()));
  }
  if (!kernel.scratch.empty()) {
    return core::usage_error(
        fmt::format("{} cannot be launched by {}: it needs scratch memory, which only the first "
                    "kernel can have",
                    kernel.id(), variant_.id()));
  }
  if (kernel.transposed != variant_.transposed || kernel.precision != variant_.precision) {
    return core::usage_error(
        fmt::format("{} cannot be launched by {}: their inputs differ in layout or precision",
                    kernel.id(), variant_.id()));
  }
  return kernel;
}

// With the constants that the launch gives. Settings are the variant's own kernel's.
core::Expected<core::Experiment> Planner::experiment_of(const core::LaunchPlan& plan,
                                                        const core::Variant& kernel) const {
  core::Experiment own = experiment_;
  if (!plan.kernel.empty()) {
    std::erase_if(own.settings,
                  [&](const auto& setting) { return !problem_.options.contains(setting.first); });
    own.choices.include_dirs.push_back(variant_.file.parent_path().string());
    own.tile = kernel.has_tile() ? own.tile : 0;
    if (kernel.has_tile() && own.tile == 0) {
      own.tile = kernel.tile.preset;
    }
    TRY(fits_tile(kernel, own.tile));
  }
  for (const auto& [name, text] : plan.constants) {
    const auto value = TRY(told(kernel, "constant " + name, scope_.count(text)));
    own.settings[name] = std::to_string(value);
  }
  return own;
}

core::Expected<void> Planner::place(const core::LaunchPlan& plan, core::TileMap& tiles) const {
  tiles.extent = work_.extent(problem_.sizes);
  const auto& texts = plan.groups.empty() ? plan.extent : plan.groups;
  if (texts.empty()) {
    return {};
  }
  tiles.extent = glm::uvec3(1);
  for (std::size_t d = 0; d < texts.size(); ++d) {
    const auto count = TRY(
        told(variant_, plan.groups.empty() ? "the extent of a launch" : "the groups of a launch",
             scope_.count(texts[d])));
    tiles.extent[static_cast<int>(d)] = std::max(count, 1U);
  }
  if (!plan.groups.empty()) {
    tiles.extent *= tiles.covers;
  }
  return {};
}

core::Expected<std::vector<std::uint32_t>> Planner::push_of(const core::LaunchPlan& plan) const {
  if (plan.push.empty()) {
    return work_.push_constants(problem_);
  }
  std::vector<std::uint32_t> words;
  for (const std::string& text : plan.push) {
    const auto value = TRY(told(variant_, "the push constants of a launch", scope_.value(text)));
    const auto* whole = std::get_if<std::int64_t>(&value);
    words.push_back(whole != nullptr
                        ? static_cast<std::uint32_t>(*whole)
                        : std::bit_cast<std::uint32_t>(static_cast<float>(std::get<1>(value))));
  }
  return words;
}

core::Expected<Plan> Planner::make_plan(const core::LaunchPlan& launch,
                                        const core::Variant& kernel) {
  const auto experiment = experiment_of(launch, kernel);
  auto module = TRY(experiment ? load_module(kernel, experiment->choices)
                               : core::Expected<Module>(std::unexpected(experiment.error())));
  Plan plan;
  core::Dispatch& dispatch = plan.dispatch;
  dispatch.module = std::move(module);
  auto interface =
      TRY(specialized(kernel, *experiment, work_, dispatch.module->words, dispatch.constants));
  plan.shared_bytes = interface.shared_bytes;
  for (const spirv::SpecConstant& constant : interface.spec_constants) {
    if (constant.name.starts_with("PAD") && dispatch.constants.at(constant.id) != 0) {
      plan.paddings.push_back(constant.name);
    }
  }
  for (const auto& [name, value] : interface.constants) {
    scope_.set(name, std::int64_t{static_cast<std::uint32_t>(value)});
  }
  plan.tiles = tiles_of(kernel, interface);
  TRY(place(launch, plan.tiles));
  auto push = TRY(push_of(launch));
  dispatch.groups = plan.tiles.groups();
  dispatch.push_constants = std::move(push);
  dispatch.resources =
      resources_of(core::stored_buffers(work_, variant_, problem_.sizes), work_.chain(), interface);
  interfaces_.push_back(std::move(interface));
  return plan;
}

core::Expected<void> Planner::add(const core::LaunchPlan& launch, std::size_t number) {
  auto kernel = TRY(kernel_named(launch.kernel));
  auto plan = TRY(make_plan(launch, kernel));
  kernel.title = launch.title.empty() ? kernel.title : launch.title;
  const std::size_t at = launches_.size();
  PlannedLaunch planned{.kernel = std::move(kernel),
                        .number = number,
                        .grid = launch.sections.empty() ? at : 0,
                        .same = at,
                        .own_items = !launch.extent.empty() || !launch.groups.empty(),
                        .sections = launch.sections,
                        .groups = {},
                        .plan = std::move(plan)};
  const core::TileMap& tiles = planned.plan.tiles;
  planned.groups = launch.sections.empty() ? core::Box{{0, 0, 0}, tiles.groups()}
                                           : core::groups_of(launch.sections, tiles);
  scope_.set_groups(number + 1, planned.groups.size());
  for (std::size_t i = 0; i < at; ++i) {
    core::LaunchPlan other = variant_.launches[launches_[i].number];
    other.sections = launch.sections;
    if (other == launch &&
        launches_[i].plan.dispatch.constants == planned.plan.dispatch.constants &&
        launches_[i].plan.dispatch.push_constants == planned.plan.dispatch.push_constants &&
        launches_[i].plan.dispatch.groups == planned.plan.dispatch.groups) {
      planned.same = i;
      break;
    }
  }
  if (!launch.sections.empty() && at > 0) {
    if (const auto ok = check_section(variant_, launches_.front(), planned); !ok) {
      return ok;
    }
  }
  launches_.push_back(std::move(planned));
  return {};
}

core::Expected<void> Planner::add_scratch() {
  // What lies between the workgroups of a launch is of the variant's own kernel, if it is launched.
  const auto own = std::ranges::find_if(launches_, [this](const PlannedLaunch& launch) {
    return variant_.launches.empty() || variant_.launches[launch.number].kernel.empty();
  });
  const PlannedLaunch& of = own != launches_.end() ? *own : launches_.front();
  const std::uint64_t groups = scratch_groups(variant_, of.plan.tiles);
  for (const core::ScratchSpec& spec : variant_.scratch) {
    auto scratch = TRY(plan_scratch(variant_, spec, scope_, spec.for_all ? 1 : groups));
    for (PlannedLaunch& launch : launches_) {
      auto& resources = launch.plan.dispatch.resources;
      scratch.binding = static_cast<std::uint32_t>(resources.size());
      resources.push_back(scratch);
      ++launch.plan.scratch;
    }
  }
  return {};
}

core::Expected<void> Planner::check_interfaces() const {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const core::Dispatch& dispatch = launches_[i].plan.dispatch;
    if (const auto ok = check_interface(launches_[i].kernel, interfaces_[i],
                                        dispatch.resources.size(), dispatch.push_constants.size());
        !ok) {
      return ok;
    }
  }
  return {};
}

// A launch of no workgroups, by what is known before its kernel is read.
bool Planner::left_out(const core::LaunchPlan& plan) const {
  return std::ranges::any_of(plan.groups, [this](const std::string& text) {
    const auto count = scope_.count(text);
    return count && *count == 0;
  });
}

core::Expected<std::vector<PlannedLaunch>> Planner::run() {
  const std::vector<core::LaunchPlan> alone(1);
  const auto& plans = variant_.launches.empty() ? alone : variant_.launches;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (left_out(plans[i])) {
      continue;
    }
    TRY(add(plans[i], i));
  }
  if (launches_.empty()) {
    return core::usage_error(variant_.id() + " has no launch for these sizes; choose other sizes");
  }
  TRY(add_scratch());
  TRY(check_interfaces());
  std::vector<Plan*> all;
  for (PlannedLaunch& launch : launches_) {
    all.push_back(&launch.plan);
  }
  TRY(share_resources(all));
  return std::move(launches_);
}

}  // namespace

core::Expected<void> fits_tile(const core::Variant& variant, std::uint32_t tile) {
  const core::TileRange& range = variant.tile;
  if (!variant.has_tile()) {
    return {};
  }
  if (range.multiple_of == 0 && std::ranges::find(range.values, tile) == range.values.end()) {
    return core::usage_error(fmt::format("the tile of {} must be {}, not {}", variant.id(),
                                         fmt::join(range.values, " or "), tile));
  }
  if (range.multiple_of > 0 && tile % range.multiple_of != 0) {
    return core::usage_error(fmt::format("the tile of {} must be a multiple of {}, not {}",
                                         variant.id(), range.multiple_of, tile));
  }
  return {};
}

core::Expected<void> share_resources(std::span<Plan* const> plans) {
  if (plans.size() < 2) {
    return {};
  }
  std::vector<core::Resource> all;
  std::map<std::string, std::string> ranges;  // of which resource's memory, by place
  for (const Plan* plan : plans) {
    for (const core::Resource& resource : plan->dispatch.resources) {
      if (!resource.has_own_memory()) {
        ranges[resource.place()] = plan->dispatch.resources[resource.memory_of].place();
      }
      if (!resource.is_bound()) {
        return core::usage_error(fmt::format(
            "{} accesses memory by its address, which is not supported in a sequence of launches",
            plan->dispatch.module->name));
      }
      const auto known = std::ranges::find_if(all, [&](const core::Resource& r) {
        return r.place() == resource.place() && r.is_image() == resource.is_image();
      });
      if (known == all.end()) {
        all.push_back(resource);
        continue;
      }
      known->written = known->written || resource.written;
      if (resource.bytes > known->bytes) {
        known->bytes = resource.bytes;
        known->content = resource.content;
      }
    }
  }
  std::ranges::stable_sort(
      all, {}, [](const core::Resource& r) { return std::tuple(r.set, r.binding, r.element); });
  for (const auto& [place, of] : ranges) {
    const auto range = std::ranges::find(all, place, &core::Resource::place);
    const auto whole = std::ranges::find(all, of, &core::Resource::place);
    range->memory_of = static_cast<std::size_t>(whole - all.begin());
    range->written = whole->written = range->written || whole->written;
  }
  for (Plan* plan : plans) {
    plan->dispatch.resources = all;
  }
  return {};
}

core::Expected<std::vector<PlannedLaunch>> plan_variant(const core::Variant& variant,
                                                        const core::Experiment& experiment,
                                                        const core::Problem& problem) {
  return Planner(variant, experiment, problem).run();
}

core::Expected<void> check_plan(const Plan& plan, std::uint32_t tile,
                                const core::DeviceInfo& device) {
  if (auto ok = check_workgroup(plan.tiles, plan.shared_bytes, tile, device); !ok) {
    return ok;
  }
  return check_memory(plan.dispatch.resources, device);
}

}  // namespace lab

#include "lab/ready/workbench.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/work/needs.h"
#include "lab/files/dispatch_file.h"
#include "lab/plan/debug_text.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/limits.h"
#include "lab/plan/subgroup_constant.h"
#include "lab/probe/occupancy.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/contents.h"
#include "lab/ready/kernel_workload.h"
#include "lab/ready/launched_like.h"
#include "lab/ready/reference.h"
#include "spirv/reflection/barriers.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/reflect.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool same_work(const core::Problem& a, const core::Problem& b) {
  return a.sizes == b.sizes && a.options == b.options && a.seed == b.seed;
}

std::vector<float> transposed(const std::vector<float>& matrix, const core::BufferSpec& spec) {
  std::vector<float> columns(matrix.size());
  const auto at = [&spec](std::size_t element) {
    return static_cast<std::ptrdiff_t>(element * spec.components);
  };
  for (std::size_t r = 0; r < spec.rows; ++r) {
    for (std::size_t c = 0; c < spec.columns; ++c) {
      std::copy_n(matrix.begin() + at(r * spec.columns + c), spec.components,
                  columns.begin() + at(c * spec.rows + r));
    }
  }
  return columns;
}

// Nothing for row-major float32.
std::vector<std::byte> stored_another_way(const std::vector<float>& matrix,
                                          const core::BufferSpec& spec) {
  if (!spec.transposed && spec.precision == core::Precision::fp32) {
    return {};
  }
  return core::stored(spec.precision, spec.transposed ? transposed(matrix, spec) : matrix);
}

// Neither the tile nor one of the constants that the tuner chooses is given.
bool leaves_open(const core::Variant& variant, const core::Experiment& experiment) {
  return experiment.tile == 0 &&
         std::ranges::none_of(experiment.settings, [&](const auto& setting) {
           const auto& offers = variant.model.offers;
           return variant.tune.contains(setting.first) || setting.first == variant.tile.constant ||
                  (!offers.empty() && offers.front().settings.contains(setting.first));
         });
}

core::Experiment with_choice(core::Experiment experiment, const Choice& choice) {
  experiment.tile = choice.tile;
  experiment.settings.insert(choice.settings.begin(), choice.settings.end());
  return experiment;
}

// What the model makes of it, and what it chooses where that is left open.
core::WaveReport choose(const core::Variant& variant, core::Experiment& experiment,
                        const core::Sizes& sizes, const core::DeviceInfo& device) {
  core::WaveReport report{.offers = core::plan_waves(variant, *variant.work, sizes, device)};
  const auto open = [&](const core::WavePlan& plan) {
    return core::agrees(plan, variant, experiment);
  };
  const auto best = std::ranges::find_if(report.offers, open);
  if (best == report.offers.end()) {
    report.by = experiment.tile != 0 ? core::ChosenBy::user : core::ChosenBy::preset;
    return report;
  }
  core::Settings settings = best->settings;
  settings.insert(experiment.settings.begin(), experiment.settings.end());
  const bool given = experiment.tile == best->tile && settings == experiment.settings;
  report.by = given ? core::ChosenBy::user : core::ChosenBy::model;
  experiment.tile = best->tile;
  experiment.settings = std::move(settings);
  report.now = *best;
  return report;
}

core::Expected<core::Experiment> fill_in(const core::Variant& variant,
                                         const core::Experiment& experiment,
                                         const core::Problem& problem) {
  core::Experiment full = experiment;
  full.variant = variant.id();
  full.size = problem.sizes;
  if (!variant.has_tile()) {
    if (experiment.tile != 0) {
      return core::usage_error(fmt::format("{} has no tile size; remove --tile", variant.id()));
    }
  } else if (full.tile == 0) {
    full.tile = variant.tile.preset;
  } else if (const auto ok = fits_tile(variant, full.tile); !ok) {
    return std::unexpected(ok.error());
  }
  return full;
}

std::uint32_t barriers_in(const Module& kernel) {
  auto module = spirv::parse(kernel->words);
  return module && spirv::select_entry(*module, kernel->entry_point)
             ? spirv::count_barriers(*module)
             : 0;
}

// Edits count on from kernel to kernel; each has those of its own barriers, by its own count.
core::BarrierEdits take_edits(const Module& kernel, std::uint32_t before,
                              core::BarrierEdits& edits) {
  const std::uint32_t count = barriers_in(kernel);
  core::BarrierEdits own;
  std::erase_if(edits, [&](const auto& edit) {
    const bool taken = edit.first > before && edit.first <= before + count;
    if (taken) {
      own[edit.first - before] = edit.second;
    }
    return taken;
  });
  return own;
}

// What the resources of a kernel on this data hold at the start.
void attach(const std::shared_ptr<Data>& data, std::vector<core::Resource>& resources) {
  for (std::size_t i = 0; i < data->inputs.size(); ++i) {
    // What images hold, the host has as numbers only.
    if (const auto content = data->content(i); !content.empty() && !resources[i].has_texels()) {
      resources[i].content = {
          .fill = core::Fill::zero, .bytes = content, .owner = data, .file = {}};
    }
  }
}

// What a saved launch says, where the experiment says nothing.
void take_saved(const SavedLaunch& saved, core::Experiment& experiment) {
  core::KernelChoices& choices = experiment.choices;
  const bool groups = choices.groups.empty() && choices.items.empty() && experiment.size.empty();
  choices.groups = groups ? saved.choices.groups : choices.groups;
  choices.push.insert(
      choices.push.end(),
      saved.choices.push.begin() +
          static_cast<std::ptrdiff_t>(std::min(choices.push.size(), saved.choices.push.size())),
      saved.choices.push.end());
  choices.spec.insert(saved.choices.spec.begin(), saved.choices.spec.end());
  choices.buffers.insert(saved.choices.buffers.begin(), saved.choices.buffers.end());
}

// Of the buffers of a run, those that a kernel has a binding for; all that is not named by its
// place.
std::map<std::string, std::string> known_to(const core::KernelModule& kernel,
                                            std::map<std::string, std::string> buffers) {
  const auto module = spirv::parse(kernel.words);
  const auto interface = module ? spirv::reflect(*module, {}) : std::unexpected(module.error());
  const auto unknown = [&](const std::string& name) {
    return interface && name.find('.') != std::string::npos &&
           std::ranges::none_of(interface->bindings, [&](const spirv::Binding& binding) {
             const std::string place = fmt::format("{}.{}", binding.set, binding.binding);
             return name == place || name.starts_with(place + "[");
           });
  };
  // A range of memory that this kernel does not use otherwise is memory of its own.
  for (auto& [name, text] : buffers) {
    if (const std::string whole(range_of(text)); buffers.contains(whole) && unknown(whole)) {
      text = text.substr(text.find(':') + 1);
    }
  }
  std::erase_if(buffers, [&](const auto& buffer) { return unknown(buffer.first); });
  return buffers;
}

// The data lends its memory to all of its setups: nothing of it may own the data.
std::vector<core::Resource> resources_of(const Setup& setup, bool scratch) {
  const auto& all = setup.dispatch().resources;
  const auto end = all.end() - static_cast<std::ptrdiff_t>(setup.scratch_count);
  std::vector<core::Resource> some =
      scratch ? std::vector(end, all.end()) : std::vector(all.begin(), end);
  for (core::Resource& resource : some) {
    resource.content.owner.reset();
  }
  return some;
}

}  // namespace

Buffers Setup::buffers() const {
  Buffers all = data->memory.buffers();
  std::ranges::copy(scratch.buffers(), std::back_inserter(all));
  return all;
}

Turns Setup::turns() const {
  Turns all;
  for (const SetupLaunch& launch : launches) {
    all.push_back({launch.kernel->specimen, launch.groups, launch.grid});
  }
  return all;
}

std::uint64_t Setup::group_count() const {
  return std::accumulate(
      launches.begin(), launches.end(), std::uint64_t{0},
      [](std::uint64_t sum, const SetupLaunch& launch) { return sum + launch.groups.count(); });
}

double Setup::expected_ms(std::size_t launch) const {
  double ms = 0.0;
  for (std::size_t i = 0; launcher && i < launches.size(); ++i) {
    ms += launches[i].grid == launches[launch].grid ? launcher->expected_ms(i) : 0.0;
  }
  return ms;
}

std::size_t Setup::launch_of(std::size_t launch, glm::uvec3 group) const {
  const auto found = std::ranges::find_if(launches, [&](const SetupLaunch& candidate) {
    return candidate.grid == launches[launch].grid && candidate.groups.contains(group);
  });
  return found == launches.end() ? launch : static_cast<std::size_t>(found - launches.begin());
}

std::vector<core::Finding> Setup::divergent() const {
  std::vector<core::Finding> all;
  for (const auto& kernel : kernels) {
    for (core::Finding finding : kernel->specimen->facts()->divergent) {
      finding.kernel = kernels.size() > 1 ? kernel->variant.id() : "";
      const auto launch = std::ranges::find(launches, kernel.get(), &SetupLaunch::kernel);
      finding.launch =
          launches.size() > 1 ? static_cast<std::size_t>(launch - launches.begin()) + 1 : 0;
      if (launch != launches.end()) {
        all.push_back(std::move(finding));
      }
    }
  }
  return all;
}

core::Expected<std::unique_ptr<Workbench>> Workbench::open(std::shared_ptr<gpu::Driver> driver,
                                                           const std::string& device,
                                                           gpu::DeviceOptions options) {
  const auto info = TRY(driver->pick(device));
  auto opened = TRY(gpu::Device::open(std::move(driver), info, options));
  return std::make_unique<Workbench>(std::move(opened));
}

Workbench::Workbench(std::unique_ptr<gpu::Device> device) : device_(std::move(device)) {}

std::shared_ptr<Data> Workbench::make_data(const core::WorkloadPtr& workload,
                                           std::vector<core::BufferSpec> specs,
                                           const core::Problem& problem) {
  std::erase_if(known_data_, [](const auto& known) { return known.expired(); });
  for (const auto& known : known_data_) {
    auto data = known.lock();
    if (data->workload == workload && same_work(data->problem, problem) && data->specs == specs) {
      return data;
    }
  }
  auto data = std::make_shared<Data>();
  data->workload = workload;
  data->problem = problem;
  data->inputs = workload->inputs(problem);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    core::round_to(specs[i].precision, data->inputs[i]);
    data->stored.push_back(stored_another_way(data->inputs[i], specs[i]));
  }
  data->specs = std::move(specs);
  known_data_.push_back(data);
  return data;
}

core::Expected<void> Workbench::reset(Setup& setup) {
  const bool fresh = !setup.data->loaded;
  if (auto ok = load(setup); !ok || fresh) {
    return ok;
  }
  const auto start = Clock::now();
  if (auto ok = setup.data->memory.fill(); !ok) {
    return ok;
  }
  setup.data->upload_ms = ms_since(start);
  return {};
}

core::Expected<void> Workbench::load(Setup& setup) {
  if (setup.launcher) {
    return {};
  }
  for (const auto& step : {&Workbench::load_pipeline, &Workbench::load_data}) {
    if (auto ok = (this->*step)(setup); !ok) {
      return ok;
    }
  }
  std::vector<KernelLaunch> launches;
  for (const SetupLaunch& launch : setup.launches) {
    launches.push_back(
        {&launch.kernel->plain, launch.groups,
         setup.data->memory.push_constants(launch.kernel->specimen->dispatch().push_constants)});
  }
  setup.launcher = std::make_unique<Launcher>(*device_, std::move(launches), setup.budget_ms);
  for (const gpu::Buffer* scratch : setup.scratch.buffers()) {
    setup.launcher->begins_with_zeros(*scratch);
  }
  return {};
}

core::Expected<void> Workbench::load_pipeline(Setup& setup) {
  const auto start = Clock::now();
  for (const auto& kernel : setup.kernels) {
    const auto plain = plain_kernel(kernel->specimen->dispatch());
    kernel->plain = TRY(plain ? device_->kernel(plain->spec()) : std::unexpected(plain.error()));
  }
  setup.compile_ms += ms_since(start);
  return {};
}

core::Expected<void> Workbench::load_data(Setup& setup) {
  setup.scratch = TRY(Memory::make(*device_, resources_of(setup, true), setup.experiment.seed));
  Data& data = *setup.data;
  if (data.loaded) {
    return {};
  }
  const auto start = Clock::now();
  auto memory = TRY(Memory::make(*device_, resources_of(setup, false), setup.experiment.seed));
  data.memory = std::move(memory);
  if (auto ok = data.memory.fill(); !ok) {
    return ok;
  }
  data.loaded = true;
  data.upload_ms = ms_since(start);
  return {};
}

core::Expected<std::unique_ptr<Setup>> Workbench::set_up(const core::Variant& variant,
                                                         const core::Experiment& experiment,
                                                         double budget_ms, const Setup* like) {
  if (const auto why = core::missing(variant, info())) {
    return core::device_error(fmt::format("{} is {}", variant.id(), *why));
  }
  auto setup = std::make_unique<Setup>();
  setup->variant = variant;
  setup->budget_ms = budget_ms;
  TRY(variant.work ? set_up_variant(*setup, experiment) : set_up_kernel(*setup, experiment, like));
  return setup;
}

core::Expected<void> Workbench::set_up_variant(Setup& setup, const core::Experiment& experiment) {
  const core::Variant& variant = setup.variant;
  const auto problem =
      TRY(variant.work->resolve(experiment.size, experiment.settings, experiment.seed));
  const Choice* choice = tunings_.find(info(), variant.id(), problem.sizes);
  setup.tuned = choice != nullptr && leaves_open(variant, experiment);
  core::Experiment chosen = setup.tuned ? with_choice(experiment, *choice) : experiment;
  setup.waves = choose(variant, chosen, problem.sizes, info());
  if (setup.tuned) {
    setup.waves.by = core::ChosenBy::tuner;
  }
  setup.experiment = TRY(fill_in(variant, chosen, problem));
  setup.experiment.device = info().name;
  const auto start = Clock::now();
  auto launches = plan_variant(variant, setup.experiment, problem);
  setup.compile_ms += ms_since(start);
  if (!launches) {
    return std::unexpected(launches.error());
  }
  // Its inputs take minutes and all memory where no buffer would hold them.
  for (const PlannedLaunch& launch : *launches) {
    if (const auto ok = check_plan(launch.plan, setup.experiment.tile, info());
        !ok && !setup.experiment.choices.of_launch()) {
      return ok;
    }
  }
  setup.data =
      make_data(variant.work, core::stored_buffers(*variant.work, variant, problem.sizes), problem);
  if (!setup.experiment.choices.of_launch()) {
    return take_plans(setup, std::move(*launches));
  }
  if (launches->size() > 1) {
    return core::usage_error(
        fmt::format("{} has several launches; --groups, --push, --buffer and --spec need a kernel "
                    "with one launch",
                    variant.id()));
  }
  return take_overridden(setup, std::move(launches->front()));
}

core::Expected<void> Workbench::take_overridden(Setup& setup, PlannedLaunch launch) {
  attach(setup.data, launch.plan.dispatch.resources);
  if (const auto ok = override_plan(launch.plan, setup.experiment); !ok) {
    return ok;
  }
  launch.groups = {{0, 0, 0}, launch.plan.dispatch.groups};
  std::vector<PlannedLaunch> alone;
  alone.push_back(std::move(launch));
  return take_stranger(setup, std::move(alone));
}

// Its sizes are its workgroups.
core::Expected<void> Workbench::set_up_kernel(Setup& setup, const core::Experiment& experiment,
                                              const Setup* like) {
  if (experiment.tile != 0) {
    return core::usage_error(fmt::format("{} has no tile size; remove --tile", setup.variant.id()));
  }
  setup.experiment = experiment;
  setup.experiment.variant = setup.variant.id();
  setup.experiment.device = info().name;
  if (setup.variant.file.filename() == kDispatchFile) {
    return set_up_saved(setup);
  }
  const auto start = Clock::now();
  core::Experiment own = setup.experiment;
  auto module = load_module(setup.variant, own.choices);
  const auto defines =
      module ? subgroup_defines((*module)->sources, own.choices.defines, info().subgroup_size)
             : std::vector<std::string>();
  if (!defines.empty()) {
    std::ranges::copy(defines, std::back_inserter(own.choices.defines));
    module = load_module(setup.variant, own.choices);
  }
  setup.compile_ms += ms_since(start);
  if (module && like != nullptr) {
    setup.experiment = TRY(launched_like(*like, *module, std::move(setup.experiment)));
    own = setup.experiment;
    std::ranges::copy(defines, std::back_inserter(own.choices.defines));
  }
  auto plan = TRY(module ? plan_kernel(own, *module, info().subgroup_size)
                         : std::unexpected(module.error()));
  plan.defines = defines;
  if (like != nullptr) {
    share_buffers(like->dispatch(), plan.dispatch);
  }
  std::vector<PlannedLaunch> alone(1);
  alone.front().kernel = setup.variant;
  alone.front().plan = std::move(plan);
  return take_stranger(setup, std::move(alone));
}

// What a saved dispatch says goes where the experiment says nothing.
core::Expected<void> Workbench::set_up_saved(Setup& setup) {
  auto saved = TRY(read_dispatch(setup.variant.file));
  if (saved.launches.size() > 1 && setup.experiment.choices.of_launch()) {
    return core::usage_error(
        fmt::format("{} has several launches; --groups, --push, --buffer and --spec need a kernel "
                    "with one launch",
                    setup.variant.id()));
  }
  setup.experiment.seed = setup.experiment.seed == 1 ? saved.seed : setup.experiment.seed;
  setup.experiment.barriers.insert(saved.barriers.begin(), saved.barriers.end());
  std::vector<PlannedLaunch> launches;
  for (SavedLaunch& launch : saved.launches) {
    if (saved.captured) {
      launch.choices.buffers = known_to(launch.module, std::move(launch.choices.buffers));
    }
    core::Experiment own = setup.experiment;
    own.size = saved.launches.size() > 1 ? core::Sizes() : own.size;
    take_saved(launch, own);
    if (saved.launches.size() > 1) {
      own.choices.buffers = known_to(launch.module, saved.launches.front().choices.buffers);
    }
    core::KernelModule module =
        with_debug_text(setup.variant.file.parent_path() / "module.spv", launch.module,
                        saved.launches.size() == 1 ? own.choices.entry : std::string());
    if (saved.launches.size() == 1) {
      module.name = setup.variant.id();
      module.entry_point = own.choices.entry.empty() ? module.entry_point : own.choices.entry;
    }
    auto plan =
        TRY(plan_kernel(own, std::make_shared<const core::KernelModule>(std::move(module))));
    PlannedLaunch planned{.kernel = setup.variant,
                          .number = launches.size(),
                          .grid = launches.size(),
                          .same = launches.size(),
                          .own_items = !launches.empty(),
                          .sections = {},
                          .groups = {},
                          .plan = std::move(plan)};
    planned.kernel.title = launch.module.name;
    launches.push_back(std::move(planned));
    if (saved.launches.size() == 1) {
      setup.experiment.choices = own.choices;
    }
  }
  return take_stranger(setup, std::move(launches));
}

core::Expected<void> Workbench::take_stranger(Setup& setup, std::vector<PlannedLaunch> launches) {
  std::vector<Plan*> plans;
  for (PlannedLaunch& launch : launches) {
    launch.groups = {{0, 0, 0}, launch.plan.dispatch.groups};
    plans.push_back(&launch.plan);
  }
  if (const auto ok = share_resources(plans); !ok) {
    return ok;
  }
  const Plan& first = *plans.front();
  // Before contents are made, which take as much memory.
  if (const auto ok = check_memory(first.dispatch.resources, info()); !ok) {
    return ok;
  }
  const glm::uvec3 groups = first.dispatch.groups;
  setup.experiment.size = {groups.x, groups.y, groups.z};
  setup.experiment.choices.groups.clear();
  setup.experiment.choices.items.clear();
  if (launches.size() == 1) {
    setup.chosen = flags_of(first, setup.experiment);
  }
  const auto workload = std::make_shared<KernelWorkload>(first);
  setup.data =
      make_data(workload, workload->buffers({}),
                {.sizes = setup.experiment.size, .options = {}, .seed = setup.experiment.seed});
  return take_plans(setup, std::move(launches));
}

core::Expected<void> Workbench::take_kernel(Setup& setup, PlannedLaunch& launch,
                                            core::BarrierEdits& edits) const {
  if (const auto ok = check_plan(launch.plan, setup.experiment.tile, info()); !ok) {
    return ok;
  }
  auto kernel = std::make_unique<SetupKernel>();
  core::Dispatch& dispatch = launch.plan.dispatch;
  for (const auto& other : setup.kernels) {
    kernel->barriers_before += barriers_in(other->module);
  }
  dispatch.barriers = take_edits(dispatch.module, kernel->barriers_before, edits);
  attach(setup.data, dispatch.resources);
  kernel->variant = std::move(launch.kernel);
  kernel->module = dispatch.module;
  kernel->tiles = launch.plan.tiles;
  setup.scratch_count = launch.plan.scratch;
  kernel->specimen = TRY(Specimen::of(std::move(dispatch), info()));
  setup.kernels.push_back(std::move(kernel));
  return {};
}

core::Expected<void> Workbench::take_plans(Setup& setup, std::vector<PlannedLaunch> launches) {
  const auto start = Clock::now();
  core::BarrierEdits edits = setup.experiment.barriers;
  std::vector<const SetupKernel*> kernel_of;
  std::map<std::size_t, std::size_t> grids;  // of what was planned to what is launched
  for (std::size_t i = 0; i < launches.size(); ++i) {
    PlannedLaunch& launch = launches[i];
    if (launch.same == i) {
      if (const auto ok = take_kernel(setup, launch, edits); !ok) {
        return ok;
      }
    }
    kernel_of.push_back(launch.same == i ? setup.kernels.back().get() : kernel_of[launch.same]);
    if (launch.groups.count() > 0) {
      const std::size_t grid = grids.try_emplace(launch.grid, setup.launches.size()).first->second;
      setup.launches.push_back({kernel_of.back(), launch.number, grid, launch.own_items,
                                std::move(launch.sections), launch.groups});
    }
  }
  setup.compile_ms += ms_since(start);
  if (!edits.empty()) {
    const SetupKernel& last = *setup.kernels.back();
    return core::usage_error(fmt::format("barrier {} does not exist: the {} {}, counted from 1",
                                         edits.begin()->first,
                                         setup.kernels.size() > 1 ? "kernels have" : "kernel has",
                                         last.barriers_before + barriers_in(last.module)));
  }
  return {};
}

core::Expected<std::vector<float>> Workbench::download(const gpu::Buffer& buffer) {
  return host_words(*device_, buffer);
}

core::Expected<core::HostBuffers> Workbench::answer(Setup& setup, const SliceObserver& observer) {
  TRY(load(setup));
  Data& data = *setup.data;
  TRY(data.memory.fill(false));
  const auto launch = setup.launcher->launch(setup.buffers(), observer);
  if (!launch) {
    return std::unexpected(launch.error());
  }
  if (!launch->finished) {
    return core::HostBuffers();
  }
  const Buffers buffers = data.memory.buffers();
  core::HostBuffers after(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (data.specs[i].role == core::Role::output) {
      after[i] = TRY(download(*buffers[i]));
    }
  }
  return after;
}

namespace {

// The answer of the kernel that the workload takes for its reference, on the same inputs.
core::Expected<core::HostBuffers> reference_of(Workbench& bench, const Setup& setup) {
  const core::WorkloadPtr& work = setup.data->workload;
  const auto file = setup.variant.file.parent_path() / (work->reference_kernel() + ".comp");
  const core::Variant kernel = read_variant(file, work);
  if (kernel.broken) {
    return std::unexpected(*kernel.broken);
  }
  core::Experiment experiment;
  experiment.variant = kernel.id();
  experiment.size = setup.data->problem.sizes;
  experiment.settings = setup.data->problem.options;
  experiment.seed = setup.data->problem.seed;
  auto reference = TRY(bench.set_up(kernel, experiment, setup.budget_ms));
  std::vector<core::Dispatch> launches;
  for (std::size_t i = 0; i < reference->launches.size(); ++i) {
    launches.push_back(reference->dispatch(i));
  }
  if (const auto* known = bench.answers().of(launches, experiment.seed, setup.data)) {
    return *known;
  }
  auto answer = bench.answer(*reference, [](std::uint64_t) { return true; });
  if (answer) {
    bench.answers().keep(std::move(launches), experiment.seed, setup.data, *answer);
  }
  return answer;
}

}  // namespace

core::Expected<core::Check> Workbench::verify(Setup& setup, const SliceObserver& observer,
                                              core::Differences* differences) {
  const Data& data = *setup.data;
  core::HostBuffers want;
  if (!data.workload->reference_kernel().empty() && setup.experiment.choices.reference.empty()) {
    want = TRY(reference_of(*this, setup));
  }
  auto after = TRY(answer(setup, observer));
  if (after.empty()) {
    return core::Check{};
  }
  std::optional<core::DifferenceRecorder> recorder;
  if (differences != nullptr) {
    recorder.emplace(data.specs);
  }
  core::DifferenceRecorder* const seen = recorder ? &*recorder : nullptr;
  const auto tell = [&](core::Expected<core::Check> check) {
    if (differences != nullptr && check) {
      *differences = recorder->differences();
    }
    return check;
  };
  if (!setup.experiment.choices.reference.empty()) {
    return tell(compare_with_reference(*this, setup, std::move(after), seen));
  }
  if (!want.empty()) {
    return tell(data.workload->compare_with(data.problem, want, after, seen));
  }
  if (const auto* known = answers_.found(setup.data, after);
      known != nullptr && (differences == nullptr || known->differences)) {
    if (differences != nullptr) {
      *differences = *known->differences;
    }
    return known->check;
  }
  const auto check = tell(data.workload->verify(data.problem, data.inputs, after, seen));
  answers_.keep_found(
      setup.data, std::move(after),
      {*check, differences != nullptr ? std::optional(*differences) : std::nullopt});
  return check;
}

core::CheckReport refusal(const Setup& setup, const core::DeviceInfo& device) {
  core::CheckReport report;
  report.kernel = setup.variant.id();
  report.device = device.name;
  report.verdict = core::Verdict::divergent;
  report.workgroups = setup.group_count();
  for (const auto& kernel : setup.kernels) {
    report.accesses += static_cast<std::uint32_t>(kernel->specimen->facts()->accesses.size());
  }
  report.findings = setup.divergent();
  return report;
}

void show_launch(const Setup& setup, const core::DeviceInfo& device, std::size_t launch,
                 core::Result& result) {
  result.launch = launch < setup.launches.size() ? launch : 0;
  result.tiles = setup.tiles(result.launch);
  result.facts = setup.kernel(result.launch).specimen->facts();
  result.occupancy =
      std::make_shared<const core::Occupancy>(occupancy_of(setup, device, result.launch));
  result.trace.reset();
  result.traffic.reset();
  result.flops = std::exchange(result.flops_traced, false) ? 0.0 : result.flops;
  result.banks.reset();
  result.advice.reset();
  result.timeline.reset();
}

core::Result describe(const Setup& setup, const core::DeviceInfo& device, std::size_t launch) {
  core::Result result;
  result.experiment = setup.experiment;
  for (const SetupLaunch& each : setup.launches) {
    const SetupKernel& kernel = *each.kernel;
    const auto& sources = kernel.module->sources;
    result.launches.push_back({.kernel = kernel.variant.id(),
                               .title = kernel.variant.title,
                               .grid = each.grid,
                               .tiles = kernel.tiles,
                               .own_items = each.own_items,
                               .sections = each.sections,
                               .groups = each.groups,
                               .source = sources.empty() ? std::string() : sources.front().text,
                               .sources = sources,
                               .facts = kernel.specimen->facts(),
                               .barriers_before = kernel.barriers_before});
  }
  result.problem = setup.data->problem;
  result.variant = setup.variant;
  result.work = setup.data->workload;
  result.device = device;
  result.buffers = setup.data->specs;
  result.tuned = setup.tuned;
  result.waves = std::make_shared<const core::WaveReport>(setup.waves);
  result.chosen = setup.chosen;
  show_launch(setup, device, launch, result);
  result.timing.compile_ms = setup.compile_ms;
  result.timing.upload_ms = setup.data->upload_ms;
  result.flops = setup.data->workload->flops(result.problem.sizes);
  result.bytes = core::bytes_of(*result.work, result.buffers, result.problem.sizes);
  result.fields.resize(result.buffers.size());
  if (result.refused()) {
    result.races = std::make_shared<const core::CheckReport>(refusal(setup, device));
  }
  return result;
}

}  // namespace lab

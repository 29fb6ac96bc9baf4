#include "lab/ready/workbench.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/work/needs.h"
#include "lab/files/dispatch_file.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/kernel_module.h"
#include "lab/ready/kernel_workload.h"
#include "lab/ready/limits.h"
#include "lab/ready/reference.h"
#include "lab/run/occupancy.h"
#include "spirv/module/barriers.h"
#include "spirv/module/entry_points.h"

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

core::Expected<void> fits(const core::Variant& variant, std::uint32_t tile) {
  const core::TileRange& range = variant.tile;
  if (range.multiple_of == 0 && std::ranges::find(range.values, tile) == range.values.end()) {
    return core::usage_error(fmt::format("the tile of {} may be {}, not {}", variant.id(),
                                         fmt::join(range.values, " or "), tile));
  }
  if (range.multiple_of > 0 && tile % range.multiple_of != 0) {
    return core::usage_error(fmt::format("the tile of {} must be a multiple of {}, not {}",
                                         variant.id(), range.multiple_of, tile));
  }
  return {};
}

core::Expected<core::Experiment> fill_in(const core::Variant& variant,
                                         const core::Experiment& experiment,
                                         const core::Problem& problem) {
  core::Experiment full = experiment;
  full.variant = variant.id();
  full.size = problem.sizes;
  if (!variant.has_tile()) {
    if (experiment.tile != 0) {
      return core::usage_error(fmt::format("{} has no tile to choose", variant.id()));
    }
  } else if (full.tile == 0) {
    full.tile = variant.tile.preset;
  } else if (const auto ok = fits(variant, full.tile); !ok) {
    return std::unexpected(ok.error());
  }
  return full;
}

std::uint32_t barriers_in(const Setup& kernel) {
  auto module = spirv::parse(kernel.module->words);
  return module && spirv::select_entry(*module, kernel.module->entry_point)
             ? spirv::count_barriers(*module)
             : 0;
}

// Of all its kernels so far.
std::uint32_t barriers_of(const Setup& setup) {
  return std::accumulate(
      setup.others.begin(), setup.others.end(), barriers_in(setup),
      [](std::uint32_t sum, const auto& other) { return sum + barriers_in(*other); });
}

// Edits count on from kernel to kernel; each has those of its own barriers, by its own count.
void take_edits(Setup& kernel, core::BarrierEdits& edits) {
  const std::uint32_t before = kernel.barriers_before;
  const std::uint32_t count = barriers_in(kernel);
  kernel.experiment.barriers.clear();
  std::erase_if(edits, [&](const auto& edit) {
    const bool own = edit.first > before && edit.first <= before + count;
    if (own) {
      kernel.experiment.barriers[edit.first - before] = edit.second;
    }
    return own;
  });
}

// Kernels that share a launch's workgroups must agree what those are.
core::Expected<void> check_other(const Setup& setup, const Setup& other) {
  if (!other.variant.launches.empty() || other.variant.truncated()) {
    return core::usage_error(fmt::format("{} can't be launched by {}: it has launches of its own",
                                         other.variant.id(), setup.variant.id()));
  }
  if (!setup.variant.scratch.empty() || !other.variant.scratch.empty()) {
    return core::usage_error(
        fmt::format("{} can't be launched by {}: kernels with scratch are "
                    "launched alone",
                    other.variant.id(), setup.variant.id()));
  }
  if (other.tiles.covers != setup.tiles.covers ||
      other.tiles.local_size != setup.tiles.local_size ||
      other.variant.transposed != setup.variant.transposed) {
    return core::usage_error(
        fmt::format("{} can't be launched by {}: their workgroups differ in size or in what they "
                    "cover, or their inputs in how they lie",
                    other.variant.id(), setup.variant.id()));
  }
  if (!other.facts().divergent.empty()) {
    return core::usage_error(fmt::format("{}, which {} launches, is refused: {}",
                                         other.variant.id(), setup.variant.id(),
                                         other.facts().divergent.front().sentence()));
  }
  return {};
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

// What a saved dispatch says, where the experiment says nothing.
void take_saved(const SavedDispatch& saved, core::Experiment& experiment) {
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
  experiment.seed = experiment.seed == 1 ? saved.seed : experiment.seed;
}

// The data lends its memory to all of its setups: nothing of it may own the data.
std::vector<core::Resource> resources_of(const Setup& setup, bool scratch) {
  const auto& all = setup.specimen->dispatch().resources;
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
    all.push_back({launch.kernel->specimen, launch.groups});
  }
  return all;
}

const Setup& Setup::kernel_of(glm::uvec3 group) const {
  const auto found = std::ranges::find_if(
      launches, [group](const SetupLaunch& launch) { return launch.groups.contains(group); });
  return found == launches.end() ? *this : *found->kernel;
}

core::Expected<std::unique_ptr<Workbench>> Workbench::open(std::shared_ptr<gpu::Driver> driver,
                                                           const std::string& device,
                                                           gpu::DeviceOptions options) {
  const auto info = driver->pick(device);
  if (!info) {
    return std::unexpected(info.error());
  }
  auto opened = gpu::Device::open(std::move(driver), *info, options);
  if (!opened) {
    return std::unexpected(opened.error());
  }
  return std::make_unique<Workbench>(std::move(*opened));
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
    launches.push_back({&launch.kernel->kernel, launch.groups});
  }
  setup.launcher = std::make_unique<Launcher>(
      *device_, std::move(launches), setup.data->memory.push_constants(setup.push_constants()),
      setup.budget_ms);
  for (const gpu::Buffer* scratch : setup.scratch.buffers()) {
    setup.launcher->begins_with_zeros(*scratch);
  }
  return {};
}

core::Expected<void> Workbench::load_pipeline(Setup& setup) {
  const auto start = Clock::now();
  const auto make = [this](Setup& own) -> core::Expected<void> {
    const auto plain = plain_kernel(own.specimen->dispatch());
    auto kernel = plain ? device_->kernel(plain->spec()) : std::unexpected(plain.error());
    if (!kernel) {
      return std::unexpected(kernel.error());
    }
    own.kernel = std::move(*kernel);
    return {};
  };
  if (auto ok = make(setup); !ok) {
    return ok;
  }
  for (const auto& other : setup.others) {
    if (auto ok = make(*other); !ok) {
      return ok;
    }
  }
  setup.compile_ms += ms_since(start);
  return {};
}

core::Expected<void> Workbench::load_data(Setup& setup) {
  auto scratch = Memory::make(*device_, resources_of(setup, true), setup.experiment.seed);
  if (!scratch) {
    return std::unexpected(scratch.error());
  }
  setup.scratch = std::move(*scratch);
  Data& data = *setup.data;
  if (data.loaded) {
    return {};
  }
  const auto start = Clock::now();
  auto memory = Memory::make(*device_, resources_of(setup, false), setup.experiment.seed);
  if (!memory) {
    return std::unexpected(memory.error());
  }
  data.memory = std::move(*memory);
  if (auto ok = data.memory.fill(); !ok) {
    return ok;
  }
  data.loaded = true;
  data.upload_ms = ms_since(start);
  return {};
}

core::Expected<std::unique_ptr<Setup>> Workbench::set_up(const core::Variant& variant,
                                                         const core::Experiment& experiment,
                                                         double budget_ms) {
  if (const auto why = core::missing(variant, info())) {
    return core::device_error(fmt::format("{} is {}", variant.id(), *why));
  }
  auto setup = std::make_unique<Setup>();
  setup->variant = variant;
  setup->budget_ms = budget_ms;
  core::BarrierEdits edits = experiment.barriers;
  const auto built = variant.work ? set_up_variant(*setup, experiment, edits)
                                  : set_up_kernel(*setup, experiment, edits);
  if (!built) {
    return std::unexpected(built.error());
  }
  if (!edits.empty()) {
    return core::usage_error(
        fmt::format("there is no barrier {}: the {} {}, counted from 1", edits.begin()->first,
                    setup->others.empty() ? "kernel has" : "kernels have", barriers_of(*setup)));
  }
  return setup;
}

core::Expected<void> Workbench::set_up_variant(Setup& setup, const core::Experiment& experiment,
                                               core::BarrierEdits& edits) {
  const core::Variant& variant = setup.variant;
  const auto problem = variant.work->resolve(experiment.size, experiment.settings, experiment.seed);
  if (!problem) {
    return std::unexpected(problem.error());
  }
  const Choice* choice = tunings_.find(info(), variant.id(), problem->sizes);
  setup.tuned = choice != nullptr && leaves_open(variant, experiment);
  core::Experiment chosen = setup.tuned ? with_choice(experiment, *choice) : experiment;
  setup.waves = choose(variant, chosen, problem->sizes, info());
  if (setup.tuned) {
    setup.waves.by = core::ChosenBy::tuner;
  }
  auto full = fill_in(variant, chosen, *problem);
  if (!full) {
    return std::unexpected(full.error());
  }
  setup.experiment = std::move(*full);
  setup.experiment.device = info().name;
  if (auto ok = build_kernel(setup, *problem, edits); !ok) {
    return ok;
  }
  return build_launches(setup, *problem, edits);
}

// Its sizes are its workgroups.
core::Expected<void> Workbench::set_up_kernel(Setup& setup, const core::Experiment& experiment,
                                              core::BarrierEdits& edits) {
  if (experiment.tile != 0) {
    return core::usage_error(fmt::format("{} has no tile to choose", setup.variant.id()));
  }
  setup.experiment = experiment;
  if (setup.variant.file.filename() == kDispatchFile) {
    const auto saved = read_dispatch(setup.variant.file);
    if (!saved) {
      return std::unexpected(saved.error());
    }
    take_saved(*saved, setup.experiment);
    edits.insert(saved->barriers.begin(), saved->barriers.end());
  }
  setup.experiment.variant = setup.variant.id();
  setup.experiment.device = info().name;
  const auto start = Clock::now();
  auto module = load_module(setup.variant, experiment.choices);
  if (!module) {
    return std::unexpected(module.error());
  }
  setup.module = std::move(*module);
  setup.compile_ms += ms_since(start);
  take_edits(setup, edits);
  auto plan = plan_kernel(setup.experiment, setup.module);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  return take_plan(setup, std::move(*plan));
}

// With its own sizes, and nothing that a workload would say of it.
core::Expected<void> Workbench::take_plan(Setup& setup, Plan plan) {
  if (const auto ok = check_plan(plan, setup.experiment.tile, info()); !ok) {
    return ok;
  }
  const glm::uvec3 groups = plan.dispatch.groups;
  setup.experiment.size = {groups.x, groups.y, groups.z};
  setup.experiment.choices.groups.clear();
  setup.experiment.choices.items.clear();
  setup.chosen = flags_of(plan, setup.experiment);
  const auto workload = std::make_shared<KernelWorkload>(plan);
  setup.data =
      make_data(workload, workload->buffers({}),
                {.sizes = setup.experiment.size, .options = {}, .seed = setup.experiment.seed});
  if (const auto ok = examine(setup, std::move(plan)); !ok) {
    return ok;
  }
  setup.launches = {{&setup, {}, {{0, 0, 0}, groups}}};
  return {};
}

core::Expected<void> Workbench::examine(Setup& setup, Plan plan) const {
  const auto start = Clock::now();
  setup.tiles = plan.tiles;
  setup.scratch_count = plan.scratch;
  attach(setup.data, plan.dispatch.resources);
  auto specimen = Specimen::of(std::move(plan.dispatch), info());
  if (!specimen) {
    return std::unexpected(specimen.error());
  }
  setup.specimen = std::move(*specimen);
  setup.compile_ms += ms_since(start);
  return {};
}

core::Expected<void> Workbench::build_kernel(Setup& setup, const core::Problem& problem,
                                             core::BarrierEdits& edits) {
  const auto start = Clock::now();
  auto module = load_module(setup.variant, setup.experiment.choices);
  if (!module) {
    return std::unexpected(module.error());
  }
  setup.module = std::move(*module);
  setup.compile_ms += ms_since(start);
  take_edits(setup, edits);
  auto plan = plan_variant(setup.variant, setup.experiment, problem, setup.module);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  if (const auto ok = check_plan(*plan, setup.experiment.tile, info()); !ok) {
    return ok;
  }
  setup.data =
      make_data(setup.variant.work,
                core::stored_buffers(*setup.variant.work, setup.variant, problem.sizes), problem);
  if (!setup.experiment.choices.of_launch()) {
    return examine(setup, std::move(*plan));
  }
  if (!setup.variant.launches.empty()) {
    return core::usage_error(
        fmt::format("{} is several launches: --groups, --push, --buffer and --spec are for one",
                    setup.variant.id()));
  }
  attach(setup.data, plan->dispatch.resources);
  if (const auto ok = override_plan(*plan, setup.experiment); !ok) {
    return ok;
  }
  return take_plan(setup, std::move(*plan));
}

core::Expected<const Setup*> Workbench::build_other(Setup& setup, const std::string& name,
                                                    const core::Problem& problem,
                                                    core::BarrierEdits& edits) {
  const auto known =
      std::ranges::find(setup.others, name, [](const auto& other) { return other->variant.name; });
  if (known != setup.others.end()) {
    return known->get();
  }
  auto other = std::make_unique<Setup>();
  other->variant =
      read_variant(setup.variant.file.parent_path() / (name + ".comp"), setup.variant.work);
  if (other->variant.broken) {
    return std::unexpected(*other->variant.broken);
  }
  auto full = fill_in(other->variant, setup.experiment, problem);
  if (!full) {
    return std::unexpected(full.error());
  }
  other->experiment = std::move(*full);
  // Other settings are the variant's own kernel's.
  std::erase_if(other->experiment.settings,
                [&](const auto& setting) { return !problem.options.contains(setting.first); });
  other->barriers_before = barriers_of(setup);
  if (auto built = build_kernel(*other, problem, edits); !built) {
    return std::unexpected(built.error());
  }
  if (const auto ok = check_other(setup, *other); !ok) {
    return std::unexpected(ok.error());
  }
  return setup.others.emplace_back(std::move(other)).get();
}

core::Expected<void> Workbench::build_launches(Setup& setup, const core::Problem& problem,
                                               core::BarrierEdits& edits) {
  if (!setup.launches.empty()) {
    return {};
  }
  if (setup.variant.launches.empty()) {
    setup.launches.push_back({&setup, {}, {{0, 0, 0}, setup.tiles.groups()}});
  }
  for (const core::LaunchPlan& plan : setup.variant.launches) {
    const core::Box groups = core::groups_of(plan.sections, setup.tiles);
    if (groups.count() == 0) {
      continue;
    }
    const auto kernel = plan.kernel.empty() ? core::Expected<const Setup*>(&setup)
                                            : build_other(setup, plan.kernel, problem, edits);
    if (!kernel) {
      return std::unexpected(kernel.error());
    }
    setup.launches.push_back({*kernel, plan.sections, groups});
  }
  return {};
}

core::Expected<std::vector<float>> Workbench::download(const gpu::Buffer& buffer) {
  return host_words(*device_, buffer);
}

namespace {

// What one launch leaves in the outputs; no buffers at all when it was broken off.
core::Expected<core::HostBuffers> answer_of(Workbench& bench, Setup& setup,
                                            const SliceObserver& observer) {
  if (auto ok = bench.load(setup); !ok) {
    return std::unexpected(ok.error());
  }
  Data& data = *setup.data;
  if (auto ok = data.memory.fill(false); !ok) {
    return std::unexpected(ok.error());
  }
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
      auto host = bench.download(*buffers[i]);
      if (!host) {
        return std::unexpected(host.error());
      }
      after[i] = std::move(*host);
    }
  }
  return after;
}

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
  auto reference = bench.set_up(kernel, experiment, setup.budget_ms);
  if (!reference) {
    return std::unexpected(reference.error());
  }
  return answer_of(bench, **reference, [](std::uint64_t) { return true; });
}

}  // namespace

core::Expected<core::Check> Workbench::verify(Setup& setup, const SliceObserver& observer) {
  const Data& data = *setup.data;
  core::HostBuffers want;
  if (!data.workload->reference_kernel().empty() && setup.experiment.choices.reference.empty()) {
    auto reference = reference_of(*this, setup);
    if (!reference) {
      return std::unexpected(reference.error());
    }
    want = std::move(*reference);
  }
  auto after = answer_of(*this, setup, observer);
  if (!after) {
    return std::unexpected(after.error());
  }
  if (after->empty()) {
    return core::Check{};
  }
  if (!setup.experiment.choices.reference.empty()) {
    return compare_with_reference(*this, setup, std::move(*after));
  }
  return want.empty() ? data.workload->verify(data.problem, data.inputs, *after)
                      : data.workload->compare_with(data.problem, want, *after);
}

core::CheckReport refusal(const Setup& setup, const core::DeviceInfo& device) {
  core::CheckReport report;
  report.kernel = setup.variant.id();
  report.device = device.name;
  report.verdict = core::Verdict::divergent;
  report.workgroups = setup.tiles.group_count();
  report.accesses = static_cast<std::uint32_t>(setup.facts().accesses.size());
  report.findings = setup.facts().divergent;
  return report;
}

core::Result describe(const Setup& setup, const core::DeviceInfo& device) {
  core::Result result;
  result.experiment = setup.experiment;
  for (const auto& other : setup.others) {
    for (const auto& [number, kind] : other->experiment.barriers) {
      result.experiment.barriers[other->barriers_before + number] = kind;
    }
  }
  for (const SetupLaunch& launch : setup.launches) {
    const Setup& kernel = *launch.kernel;
    result.launches.push_back({.kernel = kernel.variant.id(),
                               .title = kernel.variant.title,
                               .sections = launch.sections,
                               .groups = launch.groups,
                               .source = kernel.module->sources.empty()
                                             ? std::string()
                                             : kernel.module->sources.front().text,
                               .sources = kernel.module->sources,
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
  result.tiles = setup.tiles;
  result.facts = setup.specimen->facts();
  result.chosen = setup.chosen;
  result.occupancy = std::make_shared<const core::Occupancy>(occupancy_of(setup, device));
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

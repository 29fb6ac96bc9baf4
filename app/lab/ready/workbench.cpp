#include "lab/ready/workbench.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/work/needs.h"
#include "gpu/compiler.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/kernel_plan.h"
#include "lab/ready/limits.h"
#include "lab/run/occupancy.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/facts.h"
#include "spirv/module/barriers.h"

namespace lab {
namespace {

// A quiet NaN with a payload that no kernel makes by accident.
constexpr std::uint32_t kPoison = 0x7FC0DEAD;

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
           return variant.tune.contains(setting.first) || setting.first == variant.tile.constant;
         });
}

core::Experiment with_choice(core::Experiment experiment, const Choice& choice) {
  experiment.tile = choice.tile;
  experiment.settings.insert(choice.settings.begin(), choice.settings.end());
  return experiment;
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
  const auto module = spirv::parse(kernel.spirv);
  return module ? spirv::count_barriers(*module) : 0;
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
  if (!other.facts->divergent.empty()) {
    return core::usage_error(fmt::format("{}, which {} launches, is refused: {}",
                                         other.variant.id(), setup.variant.id(),
                                         other.facts->divergent.front().sentence()));
  }
  return {};
}

// What can't be examined still runs; it is only not known whether that is safe.
core::KernelFacts examine(const Setup& setup, const spirv::SpecValues& constants) {
  const core::BarrierEdits& edits = setup.experiment.barriers;
  core::KernelFacts unknown;
  const auto examination = spirv::Examination::of(setup.spirv, constants, edits);
  if (!examination) {
    unknown.not_examined = examination.error().message;
    return unknown;
  }
  auto facts = spirv::facts_of(setup.spirv, constants, edits, **examination);
  if (!facts) {
    unknown.not_examined = facts.error().message;
    return unknown;
  }
  return std::move(*facts);
}

}  // namespace

std::vector<const gpu::Buffer*> Setup::buffers() const {
  std::vector<const gpu::Buffer*> all;
  all.reserve(data->buffers.size() + scratch.size());
  for (const std::span<const gpu::Buffer> buffers :
       {std::span<const gpu::Buffer>(data->buffers), std::span<const gpu::Buffer>(scratch)}) {
    for (const gpu::Buffer& buffer : buffers) {
      all.push_back(&buffer);
    }
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

core::Expected<std::shared_ptr<Data>> Workbench::make_data(const core::Variant& variant,
                                                           const core::Problem& problem) {
  const core::Workload& workload = *variant.work;
  auto specs = core::stored_buffers(workload, variant, problem.sizes);
  std::erase_if(known_data_, [](const auto& known) { return known.expired(); });
  for (const auto& known : known_data_) {
    auto data = known.lock();
    if (data->workload == variant.work && same_work(data->problem, problem) &&
        data->specs == specs) {
      return data;
    }
  }
  if (auto ok = check_memory(specs, info()); !ok) {
    return std::unexpected(ok.error());
  }
  auto data = std::make_shared<Data>();
  data->workload = variant.work;
  data->problem = problem;
  for (const core::BufferSpec& spec : specs) {
    auto buffer = device_->buffer(spec.bytes(), spec.name);
    if (!buffer) {
      return std::unexpected(buffer.error());
    }
    data->buffers.push_back(std::move(*buffer));
  }
  data->inputs = workload.inputs(problem);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    core::round_to(specs[i].precision, data->inputs[i]);
    data->stored.push_back(stored_another_way(data->inputs[i], specs[i]));
  }
  data->specs = std::move(specs);
  known_data_.push_back(data);
  return data;
}

core::Expected<void> Workbench::reset(Setup& setup) {
  const auto start = Clock::now();
  Data& data = *setup.data;
  gpu::Commands poison;
  for (std::size_t i = 0; i < data.buffers.size(); ++i) {
    if (data.inputs[i].empty()) {
      poison.fill(data.buffers[i], kPoison);
    } else if (auto ok = device_->upload(data.buffers[i], data.content(i)); !ok) {
      return ok;
    }
  }
  if (auto done = device_->submit(poison); !done) {
    return std::unexpected(done.error());
  }
  data.upload_ms = ms_since(start);
  return {};
}

core::Expected<std::unique_ptr<Setup>> Workbench::set_up(const core::Variant& variant,
                                                         const core::Experiment& experiment,
                                                         double budget_ms) {
  if (!variant.work) {
    return core::usage_error(fmt::format("there is no workload \"{}\"", variant.workload));
  }
  if (const auto why = core::missing(variant, info())) {
    return core::device_error(fmt::format("{} is {}", variant.id(), *why));
  }
  const auto problem = variant.work->resolve(experiment.size, experiment.settings, experiment.seed);
  if (!problem) {
    return std::unexpected(problem.error());
  }
  auto setup = std::make_unique<Setup>();
  setup->variant = variant;
  const Choice* choice = tunings_.find(info(), variant.id(), problem->sizes);
  setup->tuned = choice != nullptr && leaves_open(variant, experiment);
  auto full =
      fill_in(variant, setup->tuned ? with_choice(experiment, *choice) : experiment, *problem);
  if (!full) {
    return std::unexpected(full.error());
  }
  setup->experiment = std::move(*full);
  setup->experiment.device = info().name;

  const auto start = Clock::now();
  core::BarrierEdits edits = experiment.barriers;
  for (const auto& step : {&Workbench::build_kernel, &Workbench::build_launches}) {
    if (auto built = (this->*step)(*setup, *problem, edits); !built) {
      return std::unexpected(built.error());
    }
  }
  if (!edits.empty()) {
    return core::usage_error(
        fmt::format("there is no barrier {}: the {} {}, counted from 1", edits.begin()->first,
                    setup->others.empty() ? "kernel has" : "kernels have", barriers_of(*setup)));
  }
  setup->compile_ms = ms_since(start);

  auto data = make_data(variant, *problem);
  if (!data) {
    return std::unexpected(data.error());
  }
  const bool fresh = data->use_count() == 1;
  setup->data = std::move(*data);
  for (const auto& other : setup->others) {
    other->data = setup->data;
  }
  if (fresh) {
    if (auto ok = reset(*setup); !ok) {
      return std::unexpected(ok.error());
    }
  }
  std::vector<KernelLaunch> launches;
  for (const SetupLaunch& launch : setup->launches) {
    launches.push_back({&launch.kernel->kernel, launch.groups});
  }
  setup->launcher =
      std::make_unique<Launcher>(*device_, std::move(launches), setup->push_constants, budget_ms);
  for (const gpu::Buffer& scratch : setup->scratch) {
    setup->launcher->begins_with_zeros(scratch);
  }
  return setup;
}

core::Expected<void> Workbench::build_kernel(Setup& setup, const core::Problem& problem,
                                             core::BarrierEdits& edits) {
  auto compiled = gpu::compile({setup.variant.source, setup.variant.file});
  if (!compiled) {
    return std::unexpected(compiled.error());
  }
  setup.spirv = std::move(compiled->spirv);
  take_edits(setup, edits);
  auto plan = plan_kernel(setup.variant, setup.experiment, problem, setup.spirv);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  if (const auto ok = check_plan(*plan, setup.variant, setup.experiment, info()); !ok) {
    return ok;
  }
  setup.facts = std::make_shared<const core::KernelFacts>(examine(setup, plan->constants));
  auto kernel = device_->kernel(plan->spec());
  if (!kernel) {
    return std::unexpected(kernel.error());
  }
  for (const ScratchPlan& scratch : plan->scratch) {
    auto buffer = device_->buffer(scratch.bytes(), scratch.name);
    if (!buffer) {
      return std::unexpected(buffer.error());
    }
    setup.scratch.push_back(std::move(*buffer));
  }
  setup.tiles = plan->tiles;
  setup.constants = std::move(plan->constants);
  setup.push_constants = std::move(plan->push_constants);
  setup.kernel = std::move(*kernel);
  return {};
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
  std::vector<float> host(buffer.bytes() / sizeof(float));
  if (auto ok = device_->download(buffer, std::as_writable_bytes(std::span(host))); !ok) {
    return std::unexpected(ok.error());
  }
  return host;
}

core::Expected<core::Check> Workbench::verify(Setup& setup, const SliceObserver& observer) {
  Data& data = *setup.data;
  gpu::Commands poison;
  for (std::size_t i = 0; i < data.buffers.size(); ++i) {
    if (data.inputs[i].empty()) {
      poison.fill(data.buffers[i], kPoison);
    }
  }
  if (auto done = device_->submit(poison); !done) {
    return std::unexpected(done.error());
  }
  const auto launch = setup.launcher->launch(setup.buffers(), observer);
  if (!launch) {
    return std::unexpected(launch.error());
  }
  if (!launch->finished) {
    return core::Check{};
  }
  core::HostBuffers after(data.buffers.size());
  for (std::size_t i = 0; i < data.buffers.size(); ++i) {
    if (data.inputs[i].empty()) {
      auto host = download(data.buffers[i]);
      if (!host) {
        return std::unexpected(host.error());
      }
      after[i] = std::move(*host);
    }
  }
  return data.workload->verify(data.problem, data.inputs, after);
}

core::CheckReport refusal(const Setup& setup, const core::DeviceInfo& device) {
  core::CheckReport report;
  report.kernel = setup.variant.id();
  report.device = device.name;
  report.verdict = core::Verdict::divergent;
  report.workgroups = setup.tiles.group_count();
  report.accesses = static_cast<std::uint32_t>(setup.facts->accesses.size());
  report.findings = setup.facts->divergent;
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
                               .source = kernel.variant.source,
                               .facts = kernel.facts,
                               .barriers_before = kernel.barriers_before});
  }
  result.problem = setup.data->problem;
  result.variant = setup.variant;
  result.work = setup.data->workload;
  result.device = device;
  result.buffers = setup.data->specs;
  result.tuned = setup.tuned;
  result.tiles = setup.tiles;
  result.facts = setup.facts;
  result.occupancy = std::make_shared<const core::Occupancy>(occupancy_of(setup, device));
  result.timing.compile_ms = setup.compile_ms;
  result.timing.upload_ms = setup.data->upload_ms;
  result.flops = setup.data->workload->flops(result.problem.sizes);
  result.bytes = core::bytes_of(result.buffers);
  result.fields.resize(result.buffers.size());
  if (result.refused()) {
    result.races = std::make_shared<const core::CheckReport>(refusal(setup, device));
  }
  return result;
}

}  // namespace lab

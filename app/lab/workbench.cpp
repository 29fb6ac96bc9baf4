#include "lab/workbench.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "gpu/compiler.h"
#include "lab/limits.h"
#include "spirv/canonical.h"
#include "spirv/examination.h"
#include "spirv/facts.h"
#include "spirv/module.h"
#include "spirv/reflect.h"

namespace lab {
namespace {

// A quiet NaN with a payload that no kernel makes by accident.
constexpr std::uint32_t kPoison = 0x7FC0DEAD;

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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
  for (const auto& [name, text] : experiment.settings) {
    if (is_option(workload, name)) {
      continue;
    }
    const auto* constant = find_constant(interface, name);
    if (constant == nullptr) {
      return core::usage_error(fmt::format(
          "{} has neither a specialization constant nor an option \"{}\"", variant.id(), name));
    }
    const auto value = to_number(name, text);
    if (!value) {
      return std::unexpected(value.error());
    }
    constants[constant->id] = *value;
  }
  for (const auto& [name, value] : workload.facts(experiment.size)) {
    if (const auto* constant = find_constant(interface, name); constant != nullptr) {
      constants.try_emplace(constant->id, value);
    }
  }
  for (const spirv::SpecConstant& constant : interface.spec_constants) {
    constants.try_emplace(constant.id, static_cast<std::uint32_t>(constant.default_value));
  }
  return constants;
}

std::uint32_t cover(const core::Covers& covers, const spirv::Interface& interface,
                    std::uint32_t local_size) {
  if (covers.empty()) {
    return local_size;
  }
  if (const auto constant = interface.constants.find(covers);
      constant != interface.constants.end()) {
    return static_cast<std::uint32_t>(constant->second);
  }
  return to_number("covers", covers).value_or(local_size);
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

bool same_work(const core::Problem& a, const core::Problem& b) {
  return a.sizes == b.sizes && a.options == b.options && a.seed == b.seed;
}

std::vector<float> transposed(const std::vector<float>& matrix, const core::BufferSpec& spec) {
  std::vector<float> columns(matrix.size());
  for (std::size_t r = 0; r < spec.rows; ++r) {
    for (std::size_t c = 0; c < spec.columns; ++c) {
      columns[c * spec.rows + r] = matrix[r * spec.columns + c];
    }
  }
  return columns;
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
  } else if (full.tile % variant.tile.multiple_of != 0) {
    return core::usage_error(fmt::format("the tile of {} must be a multiple of {}, not {}",
                                         variant.id(), variant.tile.multiple_of, full.tile));
  }
  return full;
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

core::Expected<spirv::Words> edited(const Setup& setup) {
  auto module = spirv::parse(setup.spirv);
  if (!module) {
    return std::unexpected(module.error());
  }
  if (const auto ok = spirv::edit_barriers(*module, setup.experiment.barriers); !ok) {
    return std::unexpected(ok.error());
  }
  return spirv::write(*module);
}

}  // namespace

std::vector<const gpu::Buffer*> Setup::buffers() const {
  std::vector<const gpu::Buffer*> all;
  all.reserve(data->buffers.size());
  for (const gpu::Buffer& buffer : data->buffers) {
    all.push_back(&buffer);
  }
  return all;
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

core::Expected<std::shared_ptr<Data>> Workbench::make_data(const core::Workload& workload,
                                                           const core::Variant& variant,
                                                           const core::Problem& problem) {
  std::erase_if(known_data_, [](const auto& known) { return known.expired(); });
  for (const auto& known : known_data_) {
    auto data = known.lock();
    if (data->workload == &workload && same_work(data->problem, problem) &&
        data->transposed == variant.transposed) {
      return data;
    }
  }
  const auto specs = workload.buffers(problem.sizes);
  if (auto ok = check_memory(specs, info()); !ok) {
    return std::unexpected(ok.error());
  }
  auto data = std::make_shared<Data>();
  data->workload = &workload;
  data->problem = problem;
  for (const core::BufferSpec& spec : specs) {
    auto buffer = device_->buffer(spec.bytes(), spec.name);
    if (!buffer) {
      return std::unexpected(buffer.error());
    }
    data->buffers.push_back(std::move(*buffer));
  }
  data->inputs = workload.inputs(problem);
  data->transposed = variant.transposed;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool other = std::ranges::find(data->transposed, specs[i].name) != data->transposed.end();
    data->stored.push_back(other ? transposed(data->inputs[i], specs[i]) : std::vector<float>());
  }
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
    } else if (auto ok =
                   device_->upload(data.buffers[i], std::as_bytes(std::span(data.content(i))));
               !ok) {
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
  const core::Workload* workload = core::find_workload(variant.workload);
  if (workload == nullptr) {
    return core::usage_error(fmt::format("there is no workload \"{}\"", variant.workload));
  }
  const auto problem = workload->resolve(experiment.size, experiment.settings, experiment.seed);
  if (!problem) {
    return std::unexpected(problem.error());
  }
  auto setup = std::make_unique<Setup>();
  setup->variant = variant;
  auto full = fill_in(variant, experiment, *problem);
  if (!full) {
    return std::unexpected(full.error());
  }
  setup->experiment = std::move(*full);
  setup->experiment.device = info().name;

  const auto start = Clock::now();
  auto compiled = gpu::compile_glsl(variant.source, variant.file);
  if (!compiled) {
    return std::unexpected(compiled.error());
  }
  setup->spirv = std::move(compiled->spirv);
  auto built = build_kernel(*setup, *workload, *problem);
  if (!built) {
    return std::unexpected(built.error());
  }
  setup->compile_ms = ms_since(start);

  auto data = make_data(*workload, variant, *problem);
  if (!data) {
    return std::unexpected(data.error());
  }
  const bool fresh = data->use_count() == 1;
  setup->data = std::move(*data);
  if (fresh) {
    if (auto ok = reset(*setup); !ok) {
      return std::unexpected(ok.error());
    }
  }
  setup->launcher = std::make_unique<Launcher>(*device_, setup->kernel, setup->tiles,
                                               setup->push_constants, budget_ms);
  return setup;
}

core::Expected<void> Workbench::build_kernel(Setup& setup, const core::Workload& workload,
                                             const core::Problem& problem) {
  const auto module = spirv::parse(setup.spirv);
  if (!module) {
    return std::unexpected(module.error());
  }
  const auto plain = spirv::reflect(*module, {});
  if (!plain) {
    return std::unexpected(plain.error());
  }
  const auto constants = constants_of(setup.variant, setup.experiment, workload, *plain);
  if (!constants) {
    return std::unexpected(constants.error());
  }
  const auto interface = spirv::reflect(*module, *constants);
  if (!interface) {
    return std::unexpected(interface.error());
  }
  setup.tiles.extent = workload.extent(problem.sizes);
  const auto& local = interface->local_size;
  setup.tiles.local_size = {local[0], local[1], local[2]};
  for (int d = 0; d < 3; ++d) {
    setup.tiles.covers[d] = cover(setup.variant.covers[static_cast<std::size_t>(d)], *interface,
                                  setup.tiles.local_size[d]);
  }
  setup.push_constants = workload.push_constants(problem);
  const auto specs = workload.buffers(problem.sizes);
  for (const auto& ok :
       {check_interface(setup.variant, *interface, specs.size(), setup.push_constants.size()),
        check_workgroup(setup.tiles, interface->shared_bytes, setup.experiment.tile, info()),
        check_memory(specs, info())}) {
    if (!ok) {
      return ok;
    }
  }
  std::vector<std::uint32_t> bindings(specs.size());
  std::iota(bindings.begin(), bindings.end(), 0U);
  const auto words = edited(setup);
  if (!words) {
    return std::unexpected(words.error());
  }
  setup.facts = std::make_shared<const core::KernelFacts>(examine(setup, *constants));
  const auto specialized = spirv::specialize(*words, *constants);
  if (!specialized) {
    return std::unexpected(specialized.error());
  }
  auto kernel = device_->kernel({
      .name = setup.variant.id(),
      .spirv = *specialized,
      .entry_point = interface->entry_point,
      .constants = {},
      .bindings = bindings,
      .push_constant_bytes = static_cast<std::uint32_t>(setup.push_constants.size() * 4),
  });
  if (!kernel) {
    return std::unexpected(kernel.error());
  }
  setup.constants = *constants;
  setup.kernel = std::move(*kernel);
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
  result.problem = setup.data->problem;
  result.variant = setup.variant;
  result.device = device;
  result.buffers = setup.data->workload->buffers(result.problem.sizes);
  for (core::BufferSpec& buffer : result.buffers) {
    const auto& transposed = setup.data->transposed;
    buffer.transposed = std::ranges::find(transposed, buffer.name) != transposed.end();
  }
  result.tiles = setup.tiles;
  result.facts = setup.facts;
  result.timing.compile_ms = setup.compile_ms;
  result.timing.upload_ms = setup.data->upload_ms;
  result.flops = setup.data->workload->flops(result.problem.sizes);
  result.bytes = setup.data->workload->bytes(result.problem.sizes);
  result.fields.resize(result.buffers.size());
  if (result.refused()) {
    result.races = std::make_shared<const core::CheckReport>(refusal(setup, device));
  }
  return result;
}

}  // namespace lab

#include "lab/run/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "lab/plan/kernel_module.h"
#include "lab/probe/check.h"
#include "lab/ready/reference.h"

namespace lab {
namespace {

constexpr std::uint32_t kFewest = 5;
constexpr std::uint32_t kMost = 200;
// Launches that take less than this are submitted together, to keep the queue busy between them.
constexpr double kBatchMs = 20.0;
constexpr std::uint32_t kBatchMost = 64;
constexpr double kLadderBudgetMs = 100.0;  // so that a request waits no longer for a slice

// Launches `count` times, adding each sample's time by `add`. False: the observer stopped it.
template <class Add>
core::Expected<bool> launch_times(Setup& setup, std::uint32_t count, const SliceObserver& observer,
                                  std::uint32_t& slices, Add&& add) {
  Launcher& launcher = *setup.launcher;
  const auto buffers = setup.buffers();
  while (count > 0) {
    if (launcher.fits_budget()) {
      const double fit = kBatchMs / std::max(launcher.expected_ms(), 1e-3);
      const auto batch = std::min({count, kBatchMost, static_cast<std::uint32_t>(fit) + 1});
      const auto times = TRY(launcher.launch_many(buffers, batch));
      std::ranges::for_each(times, add);
      slices = 1;
      count -= batch;
      if (!observer(setup.group_count())) {
        return false;
      }
    } else {
      const auto time = launcher.launch(buffers, observer);
      if (!time) {
        return std::unexpected(time.error());
      }
      if (!time->finished) {
        return false;
      }
      add(*time);
      slices = time->slices;
      --count;
    }
  }
  return true;
}

constexpr double kStillFaster = 0.98;
constexpr double kWarmUpMost = 5.0;

std::uint32_t warm_up_batch(const Setup& setup) {
  const double fit = kBatchMs / std::max(setup.launcher->expected_ms(), 1e-3);
  return static_cast<std::uint32_t>(std::clamp(fit, 8.0, static_cast<double>(kBatchMost)));
}

// By the wall clock: of a launch that takes microseconds on the device, most is the submission.
// False: the observer stopped it.
core::Expected<bool> warm_up(Setup& setup, const MeasureOptions& options,
                             const SliceObserver& observer, core::Timing& timing) {
  const auto begin = std::chrono::steady_clock::now();
  double warm = 0.0;
  double before = 0.0;
  for (bool faster = true;
       warm < options.warm_up_ms || (faster && warm < kWarmUpMost * options.warm_up_ms);) {
    std::vector<double> batch;
    const std::uint32_t count = setup.launcher->fits_budget() ? warm_up_batch(setup) : 1;
    const auto going = launch_times(setup, count, observer, timing.slices,
                                    [&](const LaunchTime& time) { batch.push_back(time.ms); });
    if (!going || !*going) {
      return going;
    }
    const double median = core::spread_of(batch).median;
    faster = before > 0.0 && median < kStillFaster * before;
    before = median;
    warm =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    timing.warm_up += static_cast<std::uint32_t>(batch.size());
    timing.launches += batch.size();
  }
  return true;
}

std::uint32_t sample_count(const MeasureOptions& options, double expected_ms) {
  if (options.repeat > 0) {
    return options.repeat;
  }
  const double fit = options.time_ms / std::max(expected_ms, 1e-3);
  return static_cast<std::uint32_t>(
      std::clamp(fit, static_cast<double>(kFewest), static_cast<double>(kMost)));
}

}  // namespace

core::Expected<void> measure(Setup& setup, const MeasureOptions& options,
                             const SliceObserver& observer, core::Timing& timing) {
  timing.wanted = options.repeat;
  if (auto going = warm_up(setup, options, observer, timing); !going || !*going) {
    return going ? core::Expected<void>{} : std::unexpected(going.error());
  }
  const std::uint32_t count = sample_count(options, setup.launcher->expected_ms());
  timing.wanted = count;
  const auto done =
      launch_times(setup, count, observer, timing.slices, [&](const LaunchTime& time) {
        timing.add(time.ms, time.each);
        ++timing.launches;
      });
  timing.spread = core::spread_of(timing.samples_ms);
  return done ? core::Expected<void>{} : std::unexpected(done.error());
}

std::vector<core::Rung> plan_ladder(const core::Catalogue& catalogue, const core::Variant& of,
                                    const std::string& reference) {
  std::vector<core::Rung> ladder;
  if (!of.work && !reference.empty()) {
    ladder.push_back(
        {.variant = reference,
         .name = reference,
         .title = std::filesystem::path(reference).filename().string() + " (reference)"});
  }
  const std::span<const core::Variant> alone(&of, 1);
  for (const core::Variant& variant : of.work ? catalogue.of(of.workload) : alone) {
    core::Rung rung{.variant = variant.id(),
                    .name = variant.name,
                    .title = variant.title,
                    .precision = variant.precision};
    if (!variant.has_tile() || variant.broken || ladder.empty()) {
      rung.tile = variant.tile.preset;
      ladder.push_back(rung);
      continue;
    }
    for (const std::uint32_t tile : variant.tile.values) {
      rung.tile = tile;
      ladder.push_back(rung);
    }
  }
  return ladder;
}

void add_own_rung(std::vector<core::Rung>& ladder, const core::Variant& variant,
                  std::uint32_t tile) {
  const auto first = std::ranges::find(ladder, variant.id(), &core::Rung::variant);
  auto last = first;
  for (; last != ladder.end() && last->variant == variant.id(); ++last) {
    if (last->tile == tile) {
      return;
    }
  }
  if (tile == 0 || first == last || !variant.has_tile()) {
    return;
  }
  core::Rung rung{.variant = first->variant,
                  .name = first->name,
                  .title = first->title,
                  .tile = tile,
                  .precision = first->precision};
  ladder.insert(last, std::move(rung));
}

core::Experiment experiment_of(const core::Catalogue& catalogue, const core::Experiment& experiment,
                               const core::Rung& rung) {
  core::Experiment own = experiment;
  own.variant = rung.variant;
  own.tile = rung.tile;
  own.barriers.clear();
  if (const auto from = catalogue.find(experiment.variant); from && from->id() != rung.variant) {
    for (const auto& [constant, values] : from->tune) {
      own.settings.erase(constant);
    }
  }
  return own;
}

void measure_rung(Workbench& bench, const core::Catalogue& catalogue,
                  const core::Experiment& experiment, const RungOptions& options,
                  const SliceObserver& observer, core::Rung& rung) {
  const auto fail = [&rung](const core::Error& error) {
    rung.error = error;
    rung.measured = false;
  };
  rung.error.reset();
  rung.refused = false;
  const core::Experiment own = experiment_of(catalogue, experiment, rung);
  const bool known = options.known != nullptr && options.known->id() == rung.variant;
  const auto variant =
      known ? core::Expected<core::Variant>(*options.known) : find_kernel(catalogue, rung.variant);
  if (!variant) {
    return fail(variant.error());
  }
  auto setup = bench.set_up(*variant, own, kLadderBudgetMs);
  if (!setup) {
    return fail(setup.error());
  }
  if (const auto ok = look_at_barriers(bench.device(), (*setup)->turns(),
                                       {.seed = own.seed, .observer = observer});
      !ok) {
    return fail(ok.error());
  }
  const auto divergent = (*setup)->divergent();
  rung.refused = !divergent.empty();
  if (rung.refused) {
    return fail({core::Fault::usage, divergent.front().sentence()});
  }
  if (options.verify) {
    auto check = bench.verify(**setup, observer);
    if (!check) {
      return fail(check.error());
    }
    rung.check = std::move(*check);
  }
  if (auto ok = bench.load(**setup); !ok) {
    return fail(ok.error());
  }
  core::Timing timing;
  if (auto ok = measure(**setup, options.measure, observer, timing); !ok) {
    return fail(ok.error());
  }
  rung.bytes = core::bytes_of(*(*setup)->data->workload, (*setup)->data->specs,
                              (*setup)->data->problem.sizes);
  rung.spread = timing.spread;
  rung.wanted = timing.wanted;
  rung.measured = timing.spread.count > 0;
  rung.warm_up = timing.warm_up;
  rung.warm_up_ms = options.measure.warm_up_ms;
}

MeasureOptions thorough(const core::DeviceInfo& device) {
  return device.emulated() ? MeasureOptions{.warm_up_ms = 50.0, .time_ms = 500.0}
                           : MeasureOptions{.warm_up_ms = 1000.0, .time_ms = 500.0};
}

void compare_rungs(std::vector<core::Rung>& ladder) {
  const double base =
      !ladder.empty() && ladder.front().measured ? ladder.front().spread.median : 0.0;
  for (core::Rung& rung : ladder) {
    rung.speedup = rung.measured && base > 0.0 ? base / rung.spread.median : 0.0;
  }
}

core::Expected<void> read_fields(Workbench& bench, const Setup& setup, core::Result& result) {
  const Data& data = *setup.data;
  const auto& specs = data.specs;
  const Buffers buffers = data.memory.buffers();
  constexpr std::uint64_t kMostKept = std::uint64_t{1} << 22U;  // words of a buffer
  core::HostBuffers outputs(specs.size());
  auto layouts = layouts_of(setup);
  layouts.resize(specs.size());
  result.fields.clear();
  result.contents.clear();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool output = specs[i].role == core::Role::output && data.loaded;
    if (output) {
      outputs[i] = TRY(bench.download(*buffers[i]));
    }
    const std::vector<float>& words = output ? outputs[i] : data.inputs[i];
    // Of an output that nothing was launched on there is nothing to be seen.
    result.fields.push_back(
        words.empty() ? nullptr
                      : std::make_shared<const core::Field>(core::reduce(specs[i], words)));
  }
  if (!result.refused()) {
    result.particles = data.workload->particles(data.problem, data.inputs, outputs);
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    core::BufferContent content{.words = nullptr, .layout = std::move(layouts[i])};
    if (!outputs[i].empty() && outputs[i].size() <= kMostKept) {
      content.words = std::make_shared<const std::vector<float>>(std::move(outputs[i]));
    } else if (!data.inputs[i].empty() && data.inputs[i].size() <= kMostKept) {
      content.words = std::make_shared<const std::vector<float>>(data.inputs[i]);
    }
    result.contents.push_back(std::move(content));
  }
  return {};
}

}  // namespace lab

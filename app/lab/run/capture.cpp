#include "lab/run/capture.h"

#include <algorithm>
#include <chrono>

#include "lab/run/barrier_trials.h"
#include "lab/run/ceilings.h"
#include "lab/run/check.h"
#include "lab/run/simulation.h"
#include "lab/run/timeline.h"
#include "lab/run/trace.h"
#include "lab/stream/stream.h"

namespace lab {
namespace {

constexpr std::uint64_t kWeighings = 256;  // points of the energy's history

bool keep_going(std::uint64_t) {
  return true;
}

core::Expected<void> simulate(Workbench& bench, Setup& setup, const std::filesystem::path& shaders,
                              std::uint64_t steps, core::Result& result) {
  auto simulation = Simulation::start(bench, setup, shaders);
  if (!simulation) {
    return std::unexpected(simulation.error());
  }
  const std::uint64_t every = std::max<std::uint64_t>(steps / kWeighings, 1);
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (const auto time = (*simulation)->step(keep_going); !time) {
      return std::unexpected(time.error());
    }
    if (step % every == 0 || step + 1 == steps) {
      if (auto ok = (*simulation)->weigh(); !ok) {
        return ok;
      }
    }
  }
  auto bodies = (*simulation)->snapshot();
  if (!bodies) {
    return std::unexpected(bodies.error());
  }
  result.bodies = std::move(*bodies);
  return {};
}

void climb(Workbench& bench, const core::Catalogue& catalogue, const CaptureOptions& options,
           core::Result& result) {
  result.ladder = plan_ladder(catalogue, result.variant.workload);
  for (core::Rung& rung : result.ladder) {
    if (rung.variant == result.experiment.variant && rung.tile == result.experiment.tile &&
        result.experiment.barriers.empty() && !result.refused()) {
      rung.bytes = result.bytes;
      rung.spread = result.timing.spread;
      rung.warm_up = result.timing.warm_up;
      rung.warm_up_ms = options.measure.warm_up_ms;
      rung.measured = true;
      continue;
    }
    measure_rung(bench, catalogue, result.experiment, {options.measure, false}, keep_going, rung);
  }
  compare_rungs(result.ladder);
}

// The inside of one workgroup, for the view that shows it.
core::Expected<void> look_into(Workbench& bench, Setup& setup, const core::View& view,
                               const CaptureOptions& options, core::Result& result) {
  const auto count = static_cast<std::int64_t>(setup.tiles.group_count());
  const bool chosen = view.tile >= 0 && view.tile < count;
  const glm::uvec3 group = options.workgroup.value_or(
      setup.tiles.group_at(chosen ? static_cast<std::uint64_t>(view.tile) : 0));
  auto trace = trace_workgroup(bench, setup, group);
  if (!trace) {
    return std::unexpected(trace.error());
  }
  keep_trace(std::move(*trace), result);
  return {};
}

// A picture without ceilings says why there are none.
std::shared_ptr<const core::Ceilings> ceilings_of(gpu::Device& device,
                                                  const std::filesystem::path& shaders) {
  auto measured = measure_ceilings(device, shaders);
  core::Ceilings ceilings;
  if (measured) {
    ceilings = std::move(*measured);
  } else {
    ceilings.failure = measured.error().message;
  }
  return std::make_shared<const core::Ceilings>(std::move(ceilings));
}

// A device that can't tell one says so where it would be shown.
core::Expected<void> look_at_launch(Workbench& bench, Setup& setup, core::Result& result) {
  auto timeline = record_timeline(bench, setup);
  if (!timeline && timeline.error().device_lost) {
    return std::unexpected(timeline.error());
  }
  core::Timeline none;
  none.incomplete.push_back(timeline ? std::string() : timeline.error().message);
  result.timeline =
      std::make_shared<const core::Timeline>(timeline ? std::move(*timeline) : std::move(none));
  return {};
}

// Every barrier as every kind; a kernel without any shows nothing.
core::Expected<void> try_barriers(Workbench& bench, const core::Variant& variant,
                                  const core::Experiment& experiment, core::Result& result) {
  auto trials = plan_trials(bench, variant, experiment);
  for (std::size_t i = 0; trials && i < trials->list.size(); ++i) {
    if (const auto ok = run_trial(bench, variant, experiment, trial_times(bench.info()), keep_going,
                                  trials->list[i]);
        !ok) {
      return ok;
    }
  }
  if (trials) {
    result.trials = std::make_shared<const core::BarrierTrials>(std::move(*trials));
  }
  return {};
}

// One that fails says so where it would be shown.
void stream_it(Workbench& bench, const core::Catalogue& catalogue, core::Result& result) {
  const auto& driver = bench.device().driver();
  core::StreamReport last;
  auto report = stream(driver, catalogue, stream_of(result.experiment, *driver, bench.info()),
                       [&last](const core::StreamReport& now) {
                         last = now;
                         return true;
                       });
  result.stream = std::make_shared<const core::StreamReport>(
      report ? std::move(*report) : failed(std::move(last), report.error()));
}

core::Expected<void> find_races(Workbench& bench, const Setup& setup, double most_ms,
                                core::Result& result) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSliceMs = 500.0;
  const auto end = Clock::now() + std::chrono::duration<double, std::milli>(most_ms);
  auto report = check_setup(bench.device(), setup, kSliceMs,
                            [end](std::uint64_t) { return Clock::now() < end; });
  if (!report) {
    return std::unexpected(report.error());
  }
  result.races = std::make_shared<const core::CheckReport>(std::move(*report));
  return {};
}

}  // namespace

core::Expected<core::Result> capture(Workbench& bench, const core::Catalogue& catalogue,
                                     const std::filesystem::path& shaders, const core::Scene& scene,
                                     const CaptureOptions& given) {
  CaptureOptions options = given;
  if (options.needs.rungs) {
    options.ladder = true;
    options.measure = thorough(bench.info());
  }
  const auto variant = catalogue.find(scene.experiment.variant);
  if (!variant) {
    return std::unexpected(variant.error());
  }
  constexpr double kDispatchBudgetMs = 500.0;
  auto setup = bench.set_up(*variant, scene.experiment, kDispatchBudgetMs);
  if (!setup) {
    return std::unexpected(setup.error());
  }
  core::Result result;
  if (auto ok = check_and_time(bench, **setup, options.measure, result); !ok) {
    return std::unexpected(ok.error());
  }
  const core::ViewNeeds& needs = options.needs;
  const bool inside = needs.trace || (needs.traffic && result.flops > 0.0);
  if (inside && !result.refused()) {
    if (auto ok = look_into(bench, **setup, scene.view, options, result); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (needs.timeline && !result.refused()) {
    if (auto ok = look_at_launch(bench, **setup, result); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (!result.refused()) {
    if (auto ok = find_races(bench, **setup, options.check_ms, result); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (needs.trials) {
    if (auto ok = try_barriers(bench, *variant, scene.experiment, result); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (needs.stream && result.variant.workload == "matmul") {
    stream_it(bench, catalogue, result);
  }
  if (needs.ceilings) {
    result.ceilings = ceilings_of(bench.device(), shaders);
  }
  if (!(*setup)->data->workload->chain().empty() && !result.refused()) {
    if (auto ok = simulate(bench, **setup, shaders, scene.step, result); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (options.suits) {
    if (auto ok = options.suits(result); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (options.ladder) {
    climb(bench, catalogue, options, result);
  }
  return result;
}

}  // namespace lab

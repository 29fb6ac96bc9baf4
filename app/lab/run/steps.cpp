#include "lab/run/steps.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "lab/ready/reference.h"
#include "lab/run/barrier_trials.h"
#include "lab/run/ceilings.h"
#include "lab/run/check.h"
#include "lab/run/occupancy.h"
#include "lab/run/simulation.h"
#include "lab/run/timeline.h"
#include "lab/run/trace.h"
#include "lab/stream/stream.h"

namespace lab {
namespace {

constexpr double kSliceMs = 500.0;
constexpr std::uint64_t kWeighings = 256;  // points of the energy's history

bool keep_going(std::uint64_t) {
  return true;
}

struct Making {
  Workbench& bench;
  const Shelf& shelf;
  Setup& setup;
  const StepOptions& options;
  core::Result result;
};

using Done = core::Expected<void>;

Done verify(Making& m) {
  auto check = m.bench.verify(m.setup, keep_going);
  if (!check) {
    return std::unexpected(check.error());
  }
  m.result.check = std::move(*check);
  m.result.timing.compile_ms = m.setup.compile_ms;
  m.result.timing.upload_ms = m.setup.data->upload_ms;
  return {};
}

Done measure(Making& m) {
  if (auto ok = m.bench.load(m.setup); !ok) {
    return ok;
  }
  if (auto ok = measure(m.setup, m.options.measure, keep_going, m.result.timing); !ok) {
    return ok;
  }
  m.result.groups_done = m.result.group_count();
  m.result.sliced = m.result.timing.slices > 1;
  m.result.timing.compile_ms = m.setup.compile_ms;
  return {};
}

Done fields(Making& m) {
  return read_fields(m.bench, m.setup, m.result);
}

Done occupancy(Making& m) {
  auto occupancy = whole_occupancy(m.bench.device(), m.setup, m.result.launch);
  if (!occupancy) {
    return std::unexpected(occupancy.error());
  }
  m.result.occupancy = std::move(*occupancy);
  return {};
}

CheckOptions check_options(const Making& m) {
  CheckOptions options{.tiles = m.options.tiles,
                       .measure = m.options.time_check,
                       .seed = m.setup.experiment.seed,
                       .lent = m.setup.lent()};
  if (m.options.check_ms > 0.0) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double, std::milli>(m.options.check_ms);
    options.slice_ms = kSliceMs;
    options.observer = [end](std::uint64_t) { return Clock::now() < end; };
  }
  return options;
}

Done check_it(Making& m) {
  core::Expected<core::CheckReport> report = core::CheckReport{};
  if (m.options.strict) {
    report = check(m.bench.device(), m.setup.turns(), check_options(m));
  } else {
    const CheckOptions options = check_options(m);
    report = check_setup(m.bench, m.setup, options.slice_ms, options.observer);
  }
  if (!report) {
    return std::unexpected(report.error());
  }
  report->kernel = m.setup.variant.id();
  m.result.races = std::make_shared<const core::CheckReport>(std::move(*report));
  return {};
}

// What a probe could not tell is said where it would be shown, but in commands that asked for it.
bool ends_it(const Making& m, const core::Error& error) {
  return m.options.strict || error.device_lost || error.fault == core::Fault::usage;
}

Done trace(Making& m) {
  const glm::uvec3 group = m.options.workgroup;
  const std::size_t launch = m.setup.launch_of(m.result.launch, group);
  const Turns turns = m.setup.turns();
  auto trace = trace_workgroup(m.bench.device(), *turns[launch].specimen, group,
                               {.seed = m.setup.experiment.seed,
                                .lent = m.setup.lent(),
                                .before = std::span(turns).first(launch)});
  if (!trace && ends_it(m, trace.error())) {
    return std::unexpected(trace.error());
  }
  if (!trace) {
    core::Trace nothing;
    nothing.workgroup = {group.x, group.y, group.z};
    nothing.incomplete.push_back(trace.error().message);
    trace = std::move(nothing);
  }
  keep_trace(std::move(*trace), m.result);
  return {};
}

Done timeline(Making& m) {
  auto timeline = record_timeline(m.bench.device(), m.setup.turns(),
                                  {.seed = m.setup.experiment.seed,
                                   .grid = m.result.grid(),
                                   .lent = m.setup.lent(),
                                   .expected_ms = m.setup.expected_ms(m.result.launch)});
  if (!timeline && ends_it(m, timeline.error())) {
    return std::unexpected(timeline.error());
  }
  core::Timeline none;
  none.incomplete.push_back(timeline ? std::string() : timeline.error().message);
  m.result.timeline =
      std::make_shared<const core::Timeline>(timeline ? std::move(*timeline) : std::move(none));
  return {};
}

// A kernel without any barriers shows nothing.
Done trials(Making& m) {
  const core::Variant& variant = m.setup.variant;
  const core::Experiment& experiment = m.setup.experiment;
  auto trials = plan_trials(m.bench, variant, experiment);
  for (std::size_t i = 0; trials && i < trials->list.size(); ++i) {
    if (auto ok = run_trial(m.bench, variant, experiment, trial_times(m.bench.info()), keep_going,
                            trials->list[i]);
        !ok) {
      return ok;
    }
  }
  if (trials) {
    m.result.trials = std::make_shared<const core::BarrierTrials>(std::move(*trials));
  }
  return {};
}

// One that fails says so where it would be shown.
Done stream_it(Making& m) {
  const auto& driver = m.bench.device().driver();
  core::StreamReport last;
  auto report =
      stream(driver, m.shelf.catalogue, stream_of(m.result.experiment, *driver, m.bench.info()),
             [&last](const core::StreamReport& now) {
               last = now;
               return true;
             });
  m.result.stream = std::make_shared<const core::StreamReport>(
      report ? std::move(*report) : failed(std::move(last), report.error()));
  return {};
}

// A picture without ceilings says why there are none.
Done ceilings(Making& m) {
  auto measured = measure_ceilings(m.bench.device(), m.shelf.shaders);
  core::Ceilings ceilings;
  if (measured) {
    ceilings = std::move(*measured);
  } else {
    ceilings.failure = measured.error().message;
  }
  m.result.ceilings = std::make_shared<const core::Ceilings>(std::move(ceilings));
  return {};
}

Done simulate(Making& m) {
  if (m.setup.data->workload->chain().empty()) {
    return {};
  }
  auto simulation = Simulation::start(m.bench, m.setup, m.shelf.shaders);
  if (!simulation) {
    return std::unexpected(simulation.error());
  }
  const std::uint64_t every = std::max<std::uint64_t>(m.options.simulated / kWeighings, 1);
  for (std::uint64_t step = 0; step < m.options.simulated; ++step) {
    if (const auto time = (*simulation)->step(keep_going); !time) {
      return std::unexpected(time.error());
    }
    if (step % every == 0 || step + 1 == m.options.simulated) {
      if (auto ok = (*simulation)->weigh(); !ok) {
        return ok;
      }
    }
  }
  auto bodies = (*simulation)->snapshot();
  if (!bodies) {
    return std::unexpected(bodies.error());
  }
  m.result.bodies = std::move(*bodies);
  return {};
}

bool is_this(const core::Rung& rung, const core::Result& result) {
  return rung.variant == result.experiment.variant && rung.tile == result.experiment.tile &&
         result.experiment.barriers.empty() && !result.refused() && result.timing.spread.count > 0;
}

Done ladder(Making& m) {
  core::Result& result = m.result;
  for (core::Rung& rung : result.ladder) {
    if (!is_this(rung, result)) {
      measure_rung(m.bench, m.shelf.catalogue, rung_experiment(m.setup, rung),
                   {m.options.measure, false}, keep_going, rung);
      continue;
    }
    rung.bytes = result.bytes;
    rung.spread = result.timing.spread;
    rung.warm_up = result.timing.warm_up;
    rung.warm_up_ms = m.options.measure.warm_up_ms;
    rung.measured = true;
  }
  compare_rungs(result.ladder);
  return {};
}

struct Row {
  core::Step step;
  bool launches;  // of a kernel that is refused it is left out
  Done (*make)(Making&);
};

constexpr std::array kSteps{
    Row{core::Step::verify, true, verify},     Row{core::Step::measure, true, measure},
    Row{core::Step::fields, false, fields},    Row{core::Step::occupancy, false, occupancy},
    Row{core::Step::check, true, check_it},    Row{core::Step::trace, true, trace},
    Row{core::Step::timeline, true, timeline}, Row{core::Step::trials, false, trials},
    Row{core::Step::stream, false, stream_it}, Row{core::Step::ceilings, false, ceilings},
    Row{core::Step::simulate, true, simulate}, Row{core::Step::ladder, false, ladder},
};

}  // namespace

core::Expected<core::Result> make_result(Workbench& bench, const Shelf& shelf, Setup& setup,
                                         const StepOptions& options) {
  if (options.launch >= setup.launches.size()) {
    return core::usage_error(fmt::format("there is no launch {}: {} has {}", options.launch + 1,
                                         setup.variant.id(), setup.launches.size()));
  }
  Making making{bench, shelf, setup, options, describe(setup, bench.info(), options.launch)};
  making.result.ladder =
      plan_ladder(shelf.catalogue, setup.variant, setup.experiment.choices.reference);
  for (const Row& row : kSteps) {
    if (row.step == core::Step::ladder && options.suits) {
      if (const auto ok = options.suits(making.result); !ok) {
        return std::unexpected(ok.error());
      }
    }
    if (!options.steps.contains(row.step) || (row.launches && making.result.refused())) {
      continue;
    }
    if (const auto ok = row.make(making); !ok) {
      return std::unexpected(ok.error());
    }
  }
  making.result.stage = core::Stage::done;
  return std::move(making.result);
}

core::Expected<core::CheckReport> check_setup(Workbench& bench, const Setup& setup, double slice_ms,
                                              const SliceObserver& observer) {
  auto report = check(bench.device(), setup.turns(),
                      {.slice_ms = slice_ms, .observer = observer, .lent = setup.lent()});
  if (report) {
    report->kernel = setup.variant.id();
  }
  if (report || report.error().device_lost) {
    return report;
  }
  core::CheckReport unchecked;
  unchecked.kernel = setup.variant.id();
  unchecked.device = bench.info().name;
  unchecked.workgroups = setup.group_count();
  for (const auto& kernel : setup.kernels) {
    unchecked.accesses += static_cast<std::uint32_t>(kernel->specimen->facts()->accesses.size());
  }
  unchecked.incomplete.push_back(report.error().message);
  return unchecked;
}

}  // namespace lab

#include "lab/run/steps.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "lab/plan/kernel_module.h"
#include "lab/probe/check.h"
#include "lab/probe/occupancy.h"
#include "lab/probe/timeline.h"
#include "lab/probe/trace.h"
#include "lab/ready/reference.h"
#include "lab/run/barrier_trials.h"
#include "lab/run/ceilings.h"
#include "lab/run/simulation.h"
#include "lab/stream/stream.h"

namespace lab {
namespace {

constexpr std::uint64_t kWeighings = 256;  // points of the energy's history

bool keep_going(std::uint64_t) {
  return true;
}

// An observer that knows whether it has said no.
class Watch {
 public:
  explicit Watch(const StepObserver& ask) : ask_(ask) {}
  [[nodiscard]] SliceObserver observer() {
    return [this](std::uint64_t groups) {
      stopped_ = stopped_ || !ask_(groups);
      return !stopped_;
    };
  }
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  const StepObserver& ask_;
  bool stopped_ = false;
};

// For so long; 0: for ever.
SliceObserver until(double ms, SliceObserver then) {
  using Clock = std::chrono::steady_clock;
  if (ms <= 0.0) {
    return then;
  }
  const auto end = Clock::now() + std::chrono::duration<double, std::milli>(ms);
  return [end, then = std::move(then)](std::uint64_t groups) {
    return Clock::now() < end && then(groups);
  };
}

}  // namespace

StepMaker::StepMaker(Workbench& bench, const Shelf& shelf, Setup& setup, StepOptions options,
                     core::Result& result)
    : bench_(bench), shelf_(shelf), setup_(setup), options_(std::move(options)), result_(result) {}

StepMaker::~StepMaker() = default;

// What a probe could not tell is said where it would be shown, but in commands that asked for it.
bool StepMaker::ends_it(const core::Error& error) const {
  return options_.strict || error.device_lost ||
         (error.fault == core::Fault::usage && !options_.beside);
}

StepMaker::Done StepMaker::verify(const StepObserver& observer) {
  Watch watch(observer);
  auto check = TRY(bench_.verify(setup_, watch.observer(), &result_.differences));
  result_.timing.compile_ms = setup_.compile_ms;
  result_.timing.upload_ms = setup_.data->upload_ms;
  if (watch.stopped()) {
    return false;
  }
  result_.check = std::move(check);
  result_.groups_done = result_.group_count();
  return options_.loops ? look_at_loops(watch.observer()) : Done(true);
}

StepMaker::Done StepMaker::look_at_loops(const StepObserver& observer) {
  auto found = unfinished_loops(bench_.device(), setup_.turns(),
                                {.seed = setup_.experiment.seed,
                                 .slice_ms = options_.observer ? options_.slice_ms : 0.0,
                                 .observer = observer,
                                 .lent = setup_.lent()});
  if (!found && found.error().device_lost) {
    return std::unexpected(found.error());
  }
  if (found) {
    result_.unfinished = std::move(*found);
  }
  return true;
}

StepMaker::Done StepMaker::measure(const StepObserver& observer) {
  TRY(bench_.load(setup_));
  Watch watch(observer);
  const std::size_t before = result_.timing.samples_ms.size();
  TRY(lab::measure(setup_, options_.measure, watch.observer(), result_.timing));
  result_.groups_done = result_.group_count();
  result_.sliced = result_.timing.slices > 1;
  result_.timing.compile_ms = setup_.compile_ms;
  const std::size_t taken = result_.timing.samples_ms.size() - before;
  return !watch.stopped() || (taken > 0 && taken >= result_.timing.wanted);
}

StepMaker::Done StepMaker::fields(const StepObserver& /*observer*/) {
  const auto ok = read_fields(bench_, setup_, result_);
  return ok ? Done(true) : std::unexpected(ok.error());
}

// A tile at a time.
StepMaker::Done StepMaker::occupancy(const StepObserver& /*observer*/) {
  if (!can_refine(*result_.occupancy, bench_.info())) {
    return true;
  }
  core::Experiment experiment = setup_.experiment;
  experiment.tile = tile_to_refine(*result_.occupancy);
  const auto kernel = own_kernel(std::move(experiment));
  if (!kernel) {
    return false;
  }
  auto occupancy = std::make_shared<core::Occupancy>(*result_.occupancy);
  if (!*kernel) {
    leave_out(*occupancy, kernel->error());
  } else if (const auto ok = refine(bench_.device(), setup_, result_.launch, *occupancy); !ok) {
    return std::unexpected(ok.error());
  }
  result_.occupancy = std::move(occupancy);
  return !can_refine(*result_.occupancy, bench_.info());
}

StepMaker::Done StepMaker::check(const StepObserver& observer) {
  Watch watch(observer);
  CheckOptions options{.tiles = options_.tiles,
                       .measure = options_.time_check,
                       .seed = setup_.experiment.seed,
                       .outputs = options_.strict,
                       .slice_ms = options_.strict && !options_.observer ? 0.0 : options_.slice_ms,
                       .observer = until(options_.check_ms, watch.observer()),
                       .lent = setup_.lent()};
  auto report =
      TRY(options_.strict ? lab::check(bench_.device(), setup_.turns(), options)
                          : check_setup(bench_, setup_, options.slice_ms, options.observer));
  // Whoever stops it for good is told what was seen by then; else it goes on, or begins anew.
  const bool whole = !watch.stopped() || report.workgroups_checked == report.workgroups;
  if (!whole && !options_.observer) {
    return false;
  }
  report.kernel = setup_.variant.id();
  result_.races = std::make_shared<const core::CheckReport>(std::move(report));
  return whole;
}

StepMaker::Done StepMaker::trace(const StepObserver& /*observer*/) {
  const glm::uvec3 group = options_.workgroup;
  const std::size_t launch = setup_.launch_of(result_.launch, group);
  const Turns turns = setup_.turns();
  auto trace = trace_workgroup(bench_.device(), *turns[launch].specimen, group,
                               {.seed = setup_.experiment.seed,
                                .lent = setup_.lent(),
                                .before = std::span(turns).first(launch)});
  if (!trace && ends_it(trace.error())) {
    return std::unexpected(trace.error());
  }
  if (!trace) {
    core::Trace nothing;
    nothing.workgroup = {group.x, group.y, group.z};
    nothing.incomplete.push_back(trace.error().message);
    trace = std::move(nothing);
  }
  keep_trace(std::move(*trace), result_);
  return true;
}

void StepMaker::keep_timeline(core::Timeline timeline) {
  result_.timeline = std::make_shared<const core::Timeline>(std::move(timeline));
}

StepMaker::Done StepMaker::record(const StepObserver& observer) {
  core::Timeline none;
  if (const double ms = result_.timing.spread.median;
      options_.timeline_ms > 0.0 && ms > options_.timeline_ms) {
    none.incomplete.push_back(
        fmt::format("A launch takes {:.1f} s, so no further launch was made for the timeline. Use "
                    "`tilescope run {} --probe timeline`.",
                    ms * 1e-3, result_.variant.id()));
    keep_timeline(std::move(none));
    return true;
  }
  Watch watch(observer);
  auto record = record_launch(bench_.device(), setup_.turns(),
                              {.seed = setup_.experiment.seed,
                               .grid = result_.grid(),
                               .lent = setup_.lent(),
                               .expected_ms = setup_.expected_ms(result_.launch),
                               .slice_ms = options_.slice_ms,
                               .observer = watch.observer()});
  if (!record && ends_it(record.error())) {
    return std::unexpected(record.error());
  }
  if (watch.stopped()) {
    return false;
  }
  if (!record) {
    none.incomplete.push_back(record.error().message);
    keep_timeline(std::move(none));
    return true;
  }
  if (!options_.beside) {
    keep_timeline(read_timeline(*record));
    return true;
  }
  reading_ = std::async(std::launch::async,
                        [record = std::move(*record)] { return read_timeline(record); });
  return false;
}

StepMaker::Done StepMaker::timeline(const StepObserver& observer) {
  if (!reading_.valid()) {
    return record(observer);
  }
  if (reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return false;
  }
  keep_timeline(reading_.get());
  return true;
}

// A trial at a time. A kernel without any barriers shows nothing.
StepMaker::Done StepMaker::trials(const StepObserver& observer) {
  const auto kernel_with = [this](const core::BarrierEdits& edits) {
    core::Experiment experiment = setup_.experiment;
    experiment.barriers = edits;
    return own_kernel(std::move(experiment));
  };
  if (!result_.trials) {
    const auto written = kernel_with({});
    if (!written) {
      return false;
    }
    auto planned = *written ? plan_trials(bench_, **written, setup_.experiment)
                            : std::unexpected(written->error());
    if (!planned) {
      return true;
    }
    result_.trials = std::make_shared<const core::BarrierTrials>(std::move(*planned));
    return false;
  }
  auto trials = std::make_shared<core::BarrierTrials>(*result_.trials);
  const auto next = std::ranges::find(trials->list, false, &core::BarrierTrial::done);
  if (next == trials->list.end()) {
    return true;
  }
  const auto kernel = kernel_with(next->edits);
  if (!kernel) {
    return false;
  }
  if (!*kernel) {
    next->impossible = kernel->error().message;
    next->done = true;
  } else if (const auto ok = run_trial(bench_, **kernel, setup_.experiment,
                                       trial_times(bench_.info()), observer, *next);
             !ok) {
    return std::unexpected(ok.error());
  }
  if (next->done) {
    core::derive(*trials);
    result_.trials = std::move(trials);
  }
  return false;
}

// One that fails says so where it would be shown.
StepMaker::Done StepMaker::stream(const StepObserver& observer) {
  const auto& driver = bench_.device().driver();
  if (!result_.work || !result_.work->streams()) {
    return true;
  }
  core::StreamReport last;
  const auto show = [this](core::StreamReport report) {
    result_.stream = std::make_shared<const core::StreamReport>(std::move(report));
  };
  auto report =
      lab::stream(driver, shelf_.catalogue, stream_of(result_.experiment, *driver, bench_.info()),
                  [&](const core::StreamReport& now) {
                    last = now;
                    show(now);
                    return observer(0);
                  });
  show(report ? std::move(*report) : failed(std::move(last), report.error()));
  return true;
}

// A submission at a time. Where there are no ceilings, the reason is shown.
StepMaker::Done StepMaker::ceilings(const StepObserver& /*observer*/) {
  if (!options_.meter) {
    options_.meter = std::make_shared<CeilingsMeter>(bench_.device(), shelf_.shaders);
  }
  const auto done = options_.meter->step();
  if (done && !*done) {
    return false;
  }
  core::Ceilings ceilings = done ? options_.meter->ceilings() : core::Ceilings{};
  options_.meter.reset();
  if (!done) {
    if (done.error().device_lost) {
      return std::unexpected(done.error());
    }
    ceilings.failure = done.error().message;
  }
  result_.ceilings = std::make_shared<const core::Ceilings>(std::move(ceilings));
  return true;
}

StepMaker::Done StepMaker::simulate(const StepObserver& observer) {
  if (setup_.data->workload->chain().empty()) {
    return true;
  }
  auto simulation = TRY(Simulation::start(bench_, setup_, shelf_.shaders));
  const std::uint64_t every = std::max<std::uint64_t>(options_.simulated / kWeighings, 1);
  for (std::uint64_t step = 0; step < options_.simulated; ++step) {
    if (options_.moment_every != 0 && step % options_.moment_every == 0) {
      auto now = TRY(simulation->snapshot());
      options_.moment(std::move(now));
    }
    const auto time = simulation->step(observer);
    if (!time) {
      return std::unexpected(time.error());
    }
    if (!time->finished) {
      return false;
    }
    if (step % every == 0 || step + 1 == options_.simulated) {
      TRY(simulation->weigh());
    }
  }
  result_.bodies = TRY(simulation->snapshot());
  return true;
}

// What this result has measured itself.
bool StepMaker::is_this(const core::Rung& rung) const {
  return !result_.comparing && options_.steps.contains(core::Step::measure) &&
         rung.variant == result_.experiment.variant && rung.tile == result_.experiment.tile &&
         result_.experiment.barriers.empty() && !result_.refused() &&
         result_.timing.spread.count > 0;
}

core::Rung* StepMaker::next_rung() const {
  const auto wanted = [this](const core::Rung& rung) {
    return result_.comparing ? rung.due : !rung.measured && !rung.error;
  };
  const auto next = std::ranges::find_if(result_.ladder, wanted);
  return next == result_.ladder.end() ? nullptr : &*next;
}

std::optional<core::Expected<core::Variant>> StepMaker::kernel_of(
    const core::Experiment& experiment) const {
  if (options_.kernel) {
    return options_.kernel(experiment);
  }
  // Its file may have another text by now.
  return experiment.variant == setup_.variant.id()
             ? core::Expected<core::Variant>(setup_.variant)
             : find_kernel(shelf_.catalogue, experiment.variant);
}

// The setup's own, otherwise chosen.
std::optional<core::Expected<core::Variant>> StepMaker::own_kernel(
    core::Experiment experiment) const {
  experiment.variant = setup_.variant.id();
  return kernel_of(experiment);
}

// False: there is nothing to be measured yet, or the observer did not let it end.
StepMaker::Done StepMaker::measure(core::Rung& rung, const StepObserver& observer) {
  const core::Experiment experiment =
      experiment_of(shelf_.catalogue, rung_experiment(setup_, rung), rung);
  const auto kernel = kernel_of(experiment);
  if (!kernel) {
    return false;
  }
  if (!*kernel) {
    rung.error = kernel->error();
    rung.measured = false;
    return true;
  }
  Watch watch(observer);
  const MeasureOptions times =
      result_.comparing ? thorough(bench_.info()) : options_.rungs.value_or(options_.measure);
  measure_rung(bench_, shelf_.catalogue, experiment,
               {.measure = times, .verify = false, .known = &**kernel}, watch.observer(), rung);
  if (rung.error && rung.error->device_lost) {
    return std::unexpected(*rung.error);
  }
  return !watch.stopped();
}

// A rung at a time.
StepMaker::Done StepMaker::ladder(const StepObserver& observer) {
  core::Rung* const next = next_rung();
  if (next == nullptr) {
    return true;
  }
  core::Rung rung = *next;
  if (is_this(rung)) {
    rung.bytes = result_.bytes;
    rung.spread = result_.timing.spread;
    rung.wanted = result_.timing.wanted;
    rung.warm_up = result_.timing.warm_up;
    rung.warm_up_ms = options_.measure.warm_up_ms;
    rung.measured = true;
  } else if (const auto done = measure(rung, observer); !done || !*done) {
    return done;
  }
  rung.due = false;
  *next = std::move(rung);
  compare_rungs(result_.ladder);
  return next_rung() == nullptr;
}

struct StepMaker::Row {
  core::Step step;
  bool launches;  // of a kernel that is refused it is left out
  Done (StepMaker::*advance)(const StepObserver&);
};

const StepMaker::Row StepMaker::kRows[] = {
    {core::Step::verify, true, &StepMaker::verify},
    {core::Step::measure, true, &StepMaker::measure},
    {core::Step::fields, false, &StepMaker::fields},
    {core::Step::occupancy, false, &StepMaker::occupancy},
    {core::Step::check, true, &StepMaker::check},
    {core::Step::trace, true, &StepMaker::trace},
    {core::Step::timeline, true, &StepMaker::timeline},
    {core::Step::trials, false, &StepMaker::trials},
    {core::Step::stream, false, &StepMaker::stream},
    {core::Step::ceilings, false, &StepMaker::ceilings},
    {core::Step::simulate, true, &StepMaker::simulate},
    {core::Step::ladder, false, &StepMaker::ladder},
};

core::Expected<bool> StepMaker::advance(core::Step step, const StepObserver& observer) {
  const Row& row = *std::ranges::find(kRows, step, &Row::step);
  return row.launches && result_.refused() ? Done(true) : (this->*row.advance)(observer);
}

core::Expected<bool> StepMaker::make(core::Step step, const StepObserver& observer) {
  while (observer(0)) {
    const auto done = advance(step, observer);
    if (!done || *done) {
      return done;
    }
  }
  return false;
}

core::Expected<core::Result> make_result(Workbench& bench, const Shelf& shelf, Setup& setup,
                                         const StepOptions& options) {
  if (options.launch >= setup.launches.size()) {
    return core::usage_error(fmt::format("launch {} does not exist: {} has {}, counted from 1",
                                         options.launch + 1, setup.variant.id(),
                                         setup.launches.size()));
  }
  TRY(look_at_barriers(bench.device(), setup.turns(),
                       {.seed = setup.experiment.seed,
                        .slice_ms = options.observer ? options.slice_ms : 0.0,
                        .observer = options.observer}));
  core::Result result = describe(setup, bench.info(), options.launch);
  result.ladder = plan_ladder(shelf.catalogue, setup.variant, setup.experiment.choices.reference);
  add_own_rung(result.ladder, setup.variant, result.experiment.tile);
  StepMaker maker(bench, shelf, setup, options, result);
  const StepObserver observer = options.observer ? options.observer : keep_going;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(core::Step::ladder); ++i) {
    const auto step = static_cast<core::Step>(i);
    if (step == core::Step::ladder && options.suits) {
      TRY(options.suits(result));
    }
    if (!options.steps.contains(step)) {
      continue;
    }
    const auto made = TRY(maker.make(step, observer));
    if (!made) {
      result.left_out.insert(step);
    }
  }
  result.stage = core::Stage::done;
  return result;
}

core::Expected<core::CheckReport> check_setup(Workbench& bench, const Setup& setup, double slice_ms,
                                              const SliceObserver& observer) {
  auto report = check(bench.device(), setup.turns(),
                      {.outputs = slice_ms <= 0.0,
                       .slice_ms = slice_ms,
                       .observer = observer,
                       .lent = setup.lent()});
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

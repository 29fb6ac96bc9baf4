#include "lab/run/barrier_trials.h"

#include <algorithm>

#include <fmt/format.h>

#include "lab/live/worker.h"
#include "lab/run/steps.h"

namespace lab {
namespace {

constexpr double kTrialBudgetMs = 100.0;  // so that a request waits no longer for a slice

core::Experiment with_edits(const core::Experiment& experiment, const core::BarrierEdits& edits) {
  core::Experiment other = experiment;
  other.barriers = edits;
  return other;
}

}  // namespace

MeasureOptions trial_times(const core::DeviceInfo& device) {
  return device.emulated() ? MeasureOptions{.warm_up_ms = 5.0, .time_ms = 50.0}
                           : MeasureOptions{.warm_up_ms = 100.0, .time_ms = 100.0};
}

core::Expected<core::BarrierTrials> plan_trials(Workbench& bench, const core::Variant& variant,
                                                const core::Experiment& experiment) {
  const auto setup = bench.set_up(variant, with_edits(experiment, {}), kTrialBudgetMs);
  if (!setup) {
    return std::unexpected(setup.error());
  }
  std::uint32_t barriers = 0;  // of all kernels
  for (const auto& kernel : (*setup)->kernels) {
    const core::KernelFacts& facts = *kernel->specimen->facts();
    if (!facts.not_examined.empty()) {
      return core::usage_error(facts.not_examined);
    }
    barriers += static_cast<std::uint32_t>(facts.barriers.size());
  }
  if (barriers == 0) {
    return core::usage_error(fmt::format("{} has no barrier to try", variant.id()));
  }
  return core::plan_trials(barriers);
}

core::Expected<void> run_trial(Workbench& bench, const core::Variant& variant,
                               const core::Experiment& experiment, const MeasureOptions& times,
                               const SliceObserver& observer, core::BarrierTrial& trial) {
  const auto give_up = [&trial](const core::Error& error) -> core::Expected<void> {
    if (error.device_lost) {
      return std::unexpected(error);
    }
    trial.impossible = error.message;
    trial.done = true;
    return {};
  };
  const auto setup = bench.set_up(variant, with_edits(experiment, trial.edits), kTrialBudgetMs);
  if (!setup) {
    return give_up(setup.error());
  }
  bool stopped = false;
  const SliceObserver watch = [&](std::uint64_t done) {
    stopped = stopped || !observer(done);
    return !stopped;
  };
  auto report = check_setup(bench, **setup, kTrialBudgetMs, watch);
  if (!report) {
    return give_up(report.error());
  }
  core::Timing written;
  core::Timing timing;
  if (!stopped && report->verdict != core::Verdict::divergent) {
    const auto plain = bench.set_up(variant, with_edits(experiment, {}), kTrialBudgetMs);
    if (trial.kind && plain && (*plain)->divergent().empty()) {
      if (const auto ok = bench.load(**plain); !ok) {
        return give_up(ok.error());
      }
      if (const auto ok = measure(**plain, times, watch, written); !ok) {
        return give_up(ok.error());
      }
    }
    if (const auto ok = bench.load(**setup); !ok) {
      return give_up(ok.error());
    }
    if (const auto ok = measure(**setup, times, watch, timing); !ok) {
      return give_up(ok.error());
    }
  }
  if (!stopped) {
    trial.report = std::make_shared<const core::CheckReport>(std::move(*report));
    trial.spread = timing.spread;
    trial.written = trial.kind ? written.spread : timing.spread;
    trial.done = true;
  }
  return {};
}

// What was tried stays as long as only barriers are edited.
void Lab::Worker::keep_trials(std::shared_ptr<const core::BarrierTrials> trials, bool trying) {
  const core::Experiment now = with_edits(result_.experiment, {});
  if (now == trials_of_ && result_.variant.source == trials_source_) {
    result_.trials = std::move(trials);
    result_.trying = trying;
    return;
  }
  trials_of_ = now;
  trials_source_ = result_.variant.source;
  try_barriers_ = false;
}

// Nothing else runs meanwhile, as for a comparison.
void Lab::Worker::next_trial() {
  if (!try_barriers_) {
    return end_trials();
  }
  if (simulation_ && simulation_->steps() % 2 == 1) {  // as for compare_next_rung()
    if (const auto time = simulation_->step(observer()); !time) {
      return fail(time.error());
    }
    return;
  }
  if (!result_.trying) {
    auto planned = plan_trials(*bench_, setup_->variant, setup_->experiment);
    if (!planned) {
      return end_trials();
    }
    result_.trying = true;
    result_.trials = std::make_shared<const core::BarrierTrials>(std::move(*planned));
    publish();
  }
  auto trials = std::make_shared<core::BarrierTrials>(*result_.trials);
  const auto next = std::ranges::find(trials->list, false, &core::BarrierTrial::done);
  if (next == trials->list.end()) {
    return end_trials();
  }
  const auto ok = run_trial(
      *bench_, setup_->variant, setup_->experiment, trial_times(bench_->info()),
      [this](std::uint64_t) { return !superseded() && try_barriers_; }, *next);
  if (!ok) {
    return fail(ok.error());
  }
  if (next->done) {
    result_.trials = std::move(trials);
    publish();
  }
}

void Lab::Worker::end_trials() {
  try_barriers_ = false;
  result_.trying = false;
  publish();
}

}  // namespace lab

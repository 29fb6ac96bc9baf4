#include "lab/run/barrier_trials.h"

#include <algorithm>

#include <fmt/format.h>

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
  const auto setup = TRY(bench.set_up(variant, with_edits(experiment, {}), kTrialBudgetMs));
  std::uint32_t barriers = 0;  // of all kernels
  for (const auto& kernel : setup->kernels) {
    const core::KernelFacts& facts = *kernel->specimen->facts();
    if (!facts.not_examined.empty()) {
      return core::usage_error(facts.not_examined);
    }
    barriers += static_cast<std::uint32_t>(facts.barriers.size());
  }
  if (barriers == 0) {
    return core::usage_error(fmt::format("{} has no barriers to change", variant.id()));
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

}  // namespace lab

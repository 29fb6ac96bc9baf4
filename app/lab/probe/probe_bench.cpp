#include "lab/probe/probe_bench.h"

#include <algorithm>
#include <utility>

#include "core/report/timing.h"
#include "core/workloads/workloads.h"
#include "lab/probe/check.h"
#include "lab/probe/timeline.h"
#include "lab/probe/trace.h"
#include "lab/run/measure.h"

namespace lab {
namespace {

using core::BarrierKind;

constexpr double kBudgetMs = 1e9;
constexpr int kTraces = 5;

ProbeCost planned(const std::string& probe, const std::string& variant, core::Sizes sizes,
                  std::uint32_t tile, core::BarrierEdits barriers) {
  ProbeCost cost;
  cost.probe = probe;
  cost.experiment.variant = variant;
  cost.experiment.size = std::move(sizes);
  cost.experiment.tile = tile;
  cost.experiment.barriers = std::move(barriers);
  return cost;
}

core::Expected<void> measure_check(Workbench& bench, Setup& setup, const SliceObserver& observer,
                                   ProbeCost& cost) {
  const auto report =
      TRY(check(bench.device(), setup.turns(), {.measure = true, .observer = observer}));
  cost.plain_ms = report.plain_ms;
  cost.probed_ms = report.checked_ms;
  cost.verdict = core::to_string(report.verdict);
  cost.total = report.workgroups;
  cost.probed = report.workgroups_checked;
  return {};
}

core::Expected<void> measure_trace(Workbench& bench, Setup& setup, const SliceObserver& observer,
                                   ProbeCost& cost) {
  if (const auto ok = bench.load(setup); !ok) {
    return ok;
  }
  std::vector<double> plain;
  std::vector<double> traced;
  for (int n = 0; n < kTraces; ++n) {
    core::Timing timing;
    const MeasureOptions options{.repeat = 5, .warm_up_ms = n == 0 ? 300.0 : 20.0};
    if (const auto ok = measure(setup, options, observer, timing); !ok) {
      return ok;
    }
    if (!observer(0)) {
      return {};
    }
    const auto trace = TRY(trace_workgroup(bench.device(), *setup.kernel().specimen,
                                           setup.tiles().groups() / 2U, {.lent = setup.lent()}));
    plain.push_back(timing.spread.median);
    traced.push_back(timing.spread.median + trace.device_ms);
    cost.records = trace.accesses.size();
    cost.lost = trace.lost;
  }
  cost.plain_ms = core::spread_of(plain).median;
  cost.probed_ms = core::spread_of(traced).median;
  cost.total = setup.group_count();
  cost.probed = 1;
  return {};
}

core::Expected<void> measure_timeline(Workbench& bench, Setup& setup, const SliceObserver& observer,
                                      ProbeCost& cost) {
  const auto times = TRY(time_timeline(bench.device(), setup.turns(), {.observer = observer}));
  cost.plain_ms = times.plain_ms;
  cost.probed_ms = times.probed_ms;
  cost.total = setup.group_count();
  cost.probed = cost.total;
  return {};
}

}  // namespace

std::vector<ProbeCost> plan_probe_costs(const core::DeviceInfo& device) {
  std::vector<ProbeCost> costs;
  for (const core::ProbeSample& sample : core::probe_samples(device.emulated())) {
    const auto add = [&](const std::string& probe, core::BarrierEdits barriers = {}) {
      costs.push_back(
          planned(probe, sample.variant, sample.sizes, sample.tile, std::move(barriers)));
    };
    if (sample.barriers == 0) {
      add("trace");
      if (device.shader_clock) {
        add("timeline");
      }
      continue;
    }
    core::BarrierEdits all;
    for (std::uint32_t k = 1; k <= sample.barriers; ++k) {
      all[k] = BarrierKind::off;
    }
    add("races");
    add("races", {{1, BarrierKind::off}});
    if (sample.barriers > 1) {
      add("races", all);
    }
  }
  return costs;
}

core::Expected<bool> measure_probe_cost(Workbench& bench, const core::Catalogue& catalogue,
                                        const SliceObserver& observer, ProbeCost& cost) {
  const auto variant = TRY(catalogue.find(cost.experiment.variant));
  const auto setup = TRY(bench.set_up(variant, cost.experiment, kBudgetMs));
  cost.experiment = setup->experiment;
  bool stopped = false;
  const SliceObserver watch = [&](std::uint64_t done) {
    stopped = stopped || !observer(done);
    return !stopped;
  };
  const auto measure_one = cost.probe == "timeline" ? measure_timeline
                           : cost.probe == "trace"  ? measure_trace
                                                    : measure_check;
  TRY(measure_one(bench, *setup, watch, cost));
  return !stopped;
}

}  // namespace lab

// What the probes cost: kernels of the catalogue, plain and probed, on one device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/report/check_report.h"
#include "core/work/experiment.h"
#include "lab/ready/workbench.h"
#include "lab/run/launch.h"

namespace lab {

/// One measurement: a launch under the race check, a launch with the trace of one workgroup beside
/// it, or a launch whose timeline is recorded. Times are medians of device timestamps, in
/// milliseconds.
struct ProbeCost {
  core::Experiment experiment;
  std::string probe;          ///< "races", "trace" or "timeline"
  double plain_ms = 0.0;      ///< measured
  double probed_ms = 0.0;     ///< instrumented; of a trace: the plain launch and the trace's own
  std::string verdict;        ///< of the check: "clean", "racy"
  std::uint64_t total = 0;    ///< workgroups
  std::uint64_t probed = 0;   ///< of those, checked; traced; recorded
  std::uint64_t records = 0;  ///< scalars of the trace
  std::uint64_t lost = 0;
  [[nodiscard]] double ratio() const { return plain_ms > 0.0 ? probed_ms / plain_ms : 0.0; }
};

/// The measurements that `bench probes` makes; smaller on emulated devices.
[[nodiscard]] std::vector<ProbeCost> plan_probe_costs(const core::DeviceInfo& device);

/// Measures one of them; false: the observer, which is asked between launches, stopped it.
[[nodiscard]] core::Expected<bool> measure_probe_cost(Workbench& bench,
                                                      const core::Catalogue& catalogue,
                                                      const SliceObserver& observer,
                                                      ProbeCost& cost);

}  // namespace lab

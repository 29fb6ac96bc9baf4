#include "lab/run/probes.h"

#include <utility>

#include "lab/run/check.h"
#include "lab/run/timeline.h"
#include "lab/run/trace.h"

namespace lab {

core::Expected<void> probe(Workbench& bench, Setup& setup, const ProbeRequest& request,
                           core::Result& result) {
  if (result.refused()) {
    return {};
  }
  if (request.races) {
    auto report = check(bench.device(), describe_check(setup));
    if (!report) {
      return std::unexpected(report.error());
    }
    report->kernel = setup.variant.id();
    result.races = std::make_shared<const core::CheckReport>(std::move(*report));
  }
  if (request.trace || request.banks) {
    auto trace = trace_workgroup(bench, setup, request.workgroup);
    if (!trace) {
      return std::unexpected(trace.error());
    }
    keep_trace(std::move(*trace), result);
    if (!request.banks) {
      result.banks.reset();
    }
    if (!request.trace) {
      result.advice.reset();
    }
  }
  if (request.timeline) {
    auto timeline = record_timeline(bench, setup);
    if (!timeline) {
      return std::unexpected(timeline.error());
    }
    result.timeline = std::make_shared<const core::Timeline>(std::move(*timeline));
  }
  return {};
}

}  // namespace lab

#include "lab/probe/trace.h"

#include <fmt/format.h>

#include "core/provenance/traced_values.h"
#include "core/report/advice.h"
#include "core/report/banks.h"
#include "lab/probe/trace_launch.h"

namespace lab {
namespace {

core::Expected<void> allowed(const core::KernelFacts& facts, const glm::uvec3& groups,
                             const glm::uvec3& workgroup) {
  if (!facts.divergent.empty()) {
    return core::usage_error("a kernel with this error cannot be traced: " +
                             facts.divergent.front().sentence());
  }
  for (int d = 0; d < 3; ++d) {
    if (workgroup[d] >= groups[d]) {
      return core::usage_error(fmt::format(
          "workgroup {},{},{} does not exist: the launch has {}×{}×{} workgroups, counted from 0",
          workgroup.x, workgroup.y, workgroup.z, groups.x, groups.y, groups.z));
    }
  }
  return {};
}

}  // namespace

core::Expected<core::Trace> trace_workgroup(gpu::Device& device, Specimen& specimen,
                                            glm::uvec3 workgroup, const TraceOptions& options) {
  TRY(allowed(*specimen.facts(), specimen.dispatch().groups, workgroup));
  if (!specimen.not_possible().empty()) {
    return core::device_error("the kernel cannot be traced: " + specimen.not_possible().front());
  }
  const auto examination = TRY(specimen.bounded());
  auto memory =
      TRY(Memory::make(device, specimen.dispatch().resources, options.seed, options.lent));
  const auto lead_in = TRY(LeadIn::make(device, options.before, memory));
  auto trace = run_trace(device, {.specimen = specimen,
                                  .examination = *examination,
                                  .memory = memory,
                                  .lead_in = lead_in,
                                  .workgroup = workgroup,
                                  .most_bytes = options.most_bytes});
  if (trace && !specimen.not_bounded().empty()) {
    trace->incomplete.push_back(specimen.not_bounded());
  }
  return trace;
}

void keep_trace(core::Trace trace, core::Result& result) {
  result.traffic.reset();
  const bool whole = result.grids().size() < 2;  // else nobody knows a launch's part of the flops
  if (whole && result.variant.work == nullptr && trace.flops) {
    result.flops = *trace.flops * static_cast<double>(result.tiles.group_count());
    result.flops_traced = true;
  }
  if (whole && result.variant.work == nullptr) {
    result.bytes = core::touched_bytes(trace, result.tiles.group_count());
  }
  if (whole && trace.lost == 0 && trace.incomplete.empty()) {
    result.traffic = core::traffic_of(trace, result.tiles, result.flops);
  }
  result.advice =
      std::make_shared<const core::Advice>(core::advice_of(trace, result.tiles.group_count()));
  result.banks = std::make_shared<const core::BankReport>(core::bank_report(trace));
  result.trace = std::make_shared<const core::Trace>(std::move(trace));
}

}  // namespace lab

#include "lab/run/trace.h"

#include <fmt/format.h>

#include "core/report/advice.h"
#include "core/report/banks.h"
#include "lab/ready/copies.h"
#include "lab/ready/specimen.h"
#include "lab/run/trace_launch.h"
#include "spirv/analysis/facts.h"

namespace lab {
namespace {

core::Expected<void> allowed(const core::KernelFacts& facts, const glm::uvec3& groups,
                             const glm::uvec3& workgroup) {
  if (!facts.divergent.empty()) {
    return core::usage_error("a kernel that is refused can't be traced: " +
                             facts.divergent.front().sentence());
  }
  for (int d = 0; d < 3; ++d) {
    if (workgroup[d] >= groups[d]) {
      return core::usage_error(
          fmt::format("there is no workgroup {},{},{}: the launch has {}×{}×{}", workgroup.x,
                      workgroup.y, workgroup.z, groups.x, groups.y, groups.z));
    }
  }
  return {};
}

}  // namespace

core::Expected<core::Trace> trace_workgroup(Workbench& bench, Setup& setup, glm::uvec3 workgroup,
                                            const TraceOptions& options) {
  if (const auto ok = allowed(*setup.facts, setup.tiles.groups(), workgroup); !ok) {
    return std::unexpected(ok.error());
  }
  const Setup& kernel = setup.kernel_of(workgroup);
  const auto examination =
      spirv::Examination::of(kernel.spirv, kernel.constants, kernel.experiment.barriers);
  if (!examination) {
    return std::unexpected(examination.error());
  }
  Copies copies(bench, setup);
  if (const auto ok = copies.make((*examination)->program.interface); !ok) {
    return std::unexpected(ok.error());
  }
  return run_trace(bench.device(), {.name = kernel.variant.id(),
                                    .examination = examination->get(),
                                    .barriers = kernel.facts->barriers,
                                    .loops = {},
                                    .buffers = copies.buffers(),
                                    .fill = [&] { return copies.fill(); },
                                    .push_constants = setup.push_constants,
                                    .groups = setup.tiles.groups(),
                                    .workgroup = workgroup,
                                    .most_bytes = options.most_bytes});
}

core::Expected<core::Trace> trace_kernel(gpu::Device& device, const CheckRequest& request,
                                         glm::uvec3 workgroup, const TraceOptions& options) {
  const auto specimen = Specimen::of(device, request);
  if (!specimen) {
    return std::unexpected(specimen.error());
  }
  Specimen& kernel = **specimen;
  const auto facts =
      spirv::facts_of(kernel.words(), kernel.constants(), request.barriers, kernel.examination());
  if (!facts) {
    return std::unexpected(facts.error());
  }
  if (const auto ok = allowed(*facts, kernel.tiles().groups(), workgroup); !ok) {
    return std::unexpected(ok.error());
  }
  if (!kernel.not_possible().empty()) {
    return core::device_error("it can't be traced: " + kernel.not_possible().front());
  }
  const auto problem = kernel.bound_loops();
  if (!problem) {
    return std::unexpected(problem.error());
  }
  if (const auto ok = kernel.make_buffers(); !ok) {
    return std::unexpected(ok.error());
  }
  auto trace = run_trace(device, {.name = request.kernel,
                                  .examination = &kernel.examination(),
                                  .barriers = facts->barriers,
                                  .loops = kernel.loops(),
                                  .buffers = kernel.buffers(),
                                  .fill = [&] { return kernel.fill_buffers(); },
                                  .push_constants = kernel.push_constants(),
                                  .groups = kernel.tiles().groups(),
                                  .workgroup = workgroup,
                                  .most_bytes = options.most_bytes});
  if (trace && !problem->empty()) {
    trace->incomplete.push_back(*problem);
  }
  return trace;
}

void keep_trace(core::Trace trace, core::Result& result) {
  result.traffic.reset();
  if (trace.lost == 0 && trace.incomplete.empty()) {
    result.traffic = core::traffic_of(trace, result.tiles, result.flops);
  }
  result.advice =
      std::make_shared<const core::Advice>(core::advice_of(trace, result.tiles.group_count()));
  result.banks = std::make_shared<const core::BankReport>(core::bank_report(trace));
  result.trace = std::make_shared<const core::Trace>(std::move(trace));
}

}  // namespace lab

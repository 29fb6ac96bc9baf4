// Traces one workgroup: every access that its invocations make, with the values.
#pragma once

#include <cstdint>

#include <glm/vec3.hpp>

#include "core/base/error.h"
#include "core/report/trace.h"
#include "lab/ready/workbench.h"
#include "lab/run/check.h"

namespace lab {

struct TraceOptions {
  /// Records beyond this are counted, not kept (core::Trace::lost).
  std::uint64_t most_bytes = std::uint64_t{64} << 20U;
};

/// The workgroup runs alone, twice: to count, and to write down. It works on the inputs as they are
/// at the start, and what it writes goes to copies, so that the experiment's buffers stay as they
/// are. Usage errors: a workgroup outside of the launch, a barrier that not all invocations reach.
[[nodiscard]] core::Expected<core::Trace> trace_workgroup(Workbench& bench, Setup& setup,
                                                          glm::uvec3 workgroup,
                                                          const TraceOptions& options = {});

/// The same of any kernel; `request` is as for a check.
[[nodiscard]] core::Expected<core::Trace> trace_kernel(gpu::Device& device,
                                                       const CheckRequest& request,
                                                       glm::uvec3 workgroup,
                                                       const TraceOptions& options = {});

/// Puts the trace of a workgroup of the result's kernel into it, and the traffic, the bank
/// conflicts and the advice that it tells.
void keep_trace(core::Trace trace, core::Result& result);

}  // namespace lab

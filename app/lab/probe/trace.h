// Traces one workgroup: every access that its invocations make, with the values.
#pragma once

#include <cstdint>
#include <span>

#include <glm/vec3.hpp>

#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/report/trace.h"
#include "core/work/result.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"

namespace lab {

struct TraceOptions {
  /// Records beyond this are counted, not kept (core::Trace::lost).
  std::uint64_t most_bytes = core::limits::trace_bytes;
  std::uint64_t seed = 1;  ///< of random contents
  Buffers lent;            ///< by resource: taken where no launch writes them
  /// Launches of the run before this one, which leave what it finds in memory.
  std::span<const Turn> before;
};

/// The workgroup runs alone, twice: to count, and to write down. It works on memory as the launches
/// before leave it; what it writes goes to buffers of the trace's own. Usage errors: a workgroup
/// outside of the launch, a barrier that not all invocations reach. Fault::device: it can't be
/// launched here.
[[nodiscard]] core::Expected<core::Trace> trace_workgroup(gpu::Device& device, Specimen& specimen,
                                                          glm::uvec3 workgroup,
                                                          const TraceOptions& options = {});

/// Puts the trace of a workgroup of the result's kernel into it, and the traffic, the bank
/// conflicts and the advice that it tells.
void keep_trace(core::Trace trace, core::Result& result);

}  // namespace lab

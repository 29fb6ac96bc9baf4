// The launches of a trace.
#pragma once

#include <cstdint>

#include <glm/vec3.hpp>

#include "core/report/trace.h"
#include "gpu/device.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"
#include "lab/run/lead_in.h"
#include "spirv/analysis/examination.h"

namespace lab {

struct TraceJob {
  const Specimen& specimen;
  spirv::Examination& examination;  ///< of the specimen, with its loops bounded
  Memory& memory;
  const LeadIn& lead_in;
  glm::uvec3 workgroup{0};
  std::uint64_t most_bytes = 0;
};

[[nodiscard]] core::Expected<core::Trace> run_trace(gpu::Device& device, const TraceJob& job);

}  // namespace lab

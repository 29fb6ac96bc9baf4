// The launches of a trace, whatever the kernel's buffers come from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/report/trace.h"
#include "core/work/kernel_facts.h"
#include "gpu/device.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/loop_bounds.h"

namespace lab {

struct TraceJob {
  std::string name;
  spirv::Examination* examination = nullptr;
  std::vector<core::KernelBarrier> barriers;
  std::vector<spirv::BoundedLoop> loops;
  std::vector<const gpu::Buffer*> buffers;     ///< to bindings 0, 1, ...
  std::function<core::Expected<void>()> fill;  ///< makes written buffers as they are at the start
  std::vector<std::uint32_t> push_constants;
  glm::uvec3 groups{1};
  glm::uvec3 workgroup{0};
  std::uint64_t most_bytes = 0;
};

[[nodiscard]] core::Expected<core::Trace> run_trace(gpu::Device& device, const TraceJob& job);

}  // namespace lab

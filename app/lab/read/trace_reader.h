// Reads the trace's buffer: records to accesses.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/report/trace.h"
#include "core/work/kernel_facts.h"
#include "spirv/analysis/values/loop_bounds.h"
#include "spirv/probes/trace_probe.h"

namespace lab {

/// What the dispatch's resources lie in.
struct TracedMemory {
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;  ///< of memory that is found by it; else 0
  std::string name;
};

/// `words` is the buffer after the launch; its header says where each invocation's records lie.
/// Lengths of runtime arrays follow from `memories`, by binding, and so does what lies at an
/// address. Barriers are numbered by their places in `barriers`; `loops` are those that were
/// bounded before. Of the result, `workgroup` and `local_size` are left to the caller.
[[nodiscard]] core::Trace read_trace(const spirv::TraceProbe& probe,
                                     const std::vector<core::KernelBarrier>& barriers,
                                     const std::vector<spirv::BoundedLoop>& loops,
                                     std::span<const TracedMemory> memories,
                                     std::span<const std::uint32_t> words);

}  // namespace lab

// What a driver tells of a kernel that it has compiled (VK_KHR_pipeline_executable_properties):
// registers, spills, code size. Names, units and what is counted are the driver's own; the few that
// the occupancy model needs are picked out by the names that known drivers use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

struct PipelineStatistic {
  std::string name;         ///< as the driver words it
  std::string value;        ///< as it is shown
  std::string description;  ///< as the driver words it
  double number = 0.0;      ///< the value; 1 and 0 for true and false
};

/// Of a build of the kernel for statistics alone: the build that is timed is another one.
struct PipelineStatistics {
  std::vector<PipelineStatistic> all;         ///< in the driver's order; empty: it reports none
  std::uint32_t subgroup_size = 0;            ///< that it was compiled for; 0: not reported
  std::optional<std::uint32_t> registers;     ///< of 32 bits, an invocation
  std::optional<std::uint64_t> spill_bytes;   ///< stack and spilled registers, an invocation
  std::optional<std::uint64_t> shared_bytes;  ///< a workgroup
};

/// Fills in registers, spills and shared memory where `all` has them under a known name.
void pick_known(PipelineStatistics& statistics);

}  // namespace core

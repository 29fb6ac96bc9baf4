// A variant's kernel for one problem and one tile, ready to be compiled: its constants, its
// workgroups, its module with the barriers as edited.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/work/experiment.h"
#include "core/work/tile_map.h"
#include "core/work/variant.h"
#include "core/work/workload.h"
#include "gpu/device.h"
#include "spirv/module/module.h"

namespace lab {

/// Scratch memory of a launch.
struct ScratchPlan {
  std::string name;
  std::uint32_t groups = 0;
  std::uint32_t words = 0;  ///< a workgroup
  [[nodiscard]] std::uint64_t bytes() const { return std::uint64_t{4} * groups * words; }
};

struct KernelPlan {
  core::TileMap tiles;
  std::map<std::uint32_t, std::uint32_t> constants;  ///< specialization, by SpecId
  std::string name;                                  ///< the variant's id
  std::string entry_point;
  std::uint64_t shared_bytes = 0;       ///< a workgroup, laid out tightly
  std::vector<std::string> paddings;    ///< constants PAD… that are not 0: unused columns
  spirv::Words words;                   ///< barriers as edited, constants and launch size frozen
  std::vector<std::uint32_t> bindings;  ///< storage buffers of set 0: the workload's, then scratch
  std::vector<ScratchPlan> scratch;
  std::vector<std::uint32_t> push_constants;
  bool bfloat16 = false;  ///< its inputs are

  /// As the pipeline is made; refers to this.
  [[nodiscard]] gpu::KernelSpec spec() const;
};

/// `spirv` is the variant as compiled, `experiment` has every field filled in. What does not fit
/// the kernel (settings, bindings) is an error; what does not fit a device is found out by
/// check_plan().
[[nodiscard]] core::Expected<KernelPlan> plan_kernel(const core::Variant& variant,
                                                     const core::Experiment& experiment,
                                                     const core::Problem& problem,
                                                     const spirv::Words& spirv);

/// Fault::usage when the workgroups or the buffers are more than the device allows.
[[nodiscard]] core::Expected<void> check_plan(const KernelPlan& plan, const core::Variant& variant,
                                              const core::Experiment& experiment,
                                              const core::DeviceInfo& device);

}  // namespace lab

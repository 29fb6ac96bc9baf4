// From a kernel to its dispatch: what it is launched with, all of it. A variant's comes from its
// workload; that of any other kernel from what its interface asks for and what was said.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/tile_map.h"
#include "core/catalogue/variant.h"
#include "core/catalogue/workload.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"
#include "gpu/device.h"

namespace lab {

using Module = std::shared_ptr<const core::KernelModule>;

struct Plan {
  core::Dispatch dispatch;
  core::TileMap tiles;
  std::uint64_t shared_bytes = 0;     ///< a workgroup, laid out tightly
  std::vector<std::string> paddings;  ///< constants PAD… that are not 0: unused columns
  /// Members of push constants and uniform blocks as they were chosen or set: "n=1000".
  std::vector<std::string> members;
  bool push_by_name = false;  ///< all push constants are among them
  /// Macros that were defined because they follow the device: "SUBGROUP_SIZE=32".
  std::vector<std::string> defines;
  std::size_t scratch = 0;  ///< the last so many resources are the kernel's own
};

/// One launch of a run, as its variant has it.
struct PlannedLaunch {
  core::Variant kernel;    ///< the variant's own, or one that only it launches
  std::size_t number = 0;  ///< among the variant's launches
  std::size_t grid = 0;    ///< the first planned launch that is on the same grid
  std::size_t same = 0;    ///< the first planned launch of the same kernel, planned the same way
  bool own_items = false;  ///< its work items are not those that the workload speaks of
  std::vector<core::Section> sections;
  core::Box groups;  ///< may be empty: nothing is left over for it
  Plan plan;
};

/// The launches of a variant with a workload, in turn; `experiment` has every field filled in. All
/// have the same resources, of which inputs have no content yet; of barriers no edit is taken. What
/// does not fit the kernels (settings, bindings) is an error; what does not fit a device is found
/// out by check_plan().
[[nodiscard]] core::Expected<std::vector<PlannedLaunch>> plan_variant(
    const core::Variant& variant, const core::Experiment& experiment, const core::Problem& problem);

/// Whether a kernel takes that tile; any will do where it has none.
[[nodiscard]] core::Expected<void> fits_tile(const core::Variant& variant, std::uint32_t tile);

/// Resources of kernels that are launched in turn become one list, which each of them has: what one
/// of them writes is written.
[[nodiscard]] core::Expected<void> share_resources(std::span<Plan* const> plans);

/// A kernel without a workload. What the experiment leaves open is chosen from the interface: a few
/// workgroups, buffers with an element for each invocation and more, whole numbers in push
/// constants and uniform blocks that are the launch's extent, floats that are 1, offsets and
/// shifts that are 0. Dispatch::chosen says what was chosen. Settings are
/// specialization constants and members of push constants and uniform blocks by name; an unknown
/// name is an error that lists what there is.
/// Specialization constants that are named like the size of a subgroup are `subgroup_size`; 0: they
/// stay as they are.
[[nodiscard]] core::Expected<Plan> plan_kernel(const core::Experiment& experiment,
                                               const Module& module,
                                               std::uint32_t subgroup_size = 0);
/// What the experiment says of the launch, put over a plan.
[[nodiscard]] core::Expected<void> override_plan(Plan& plan, const core::Experiment& experiment);

/// The flags that repeat a plan whatever is chosen by itself: "--groups 4,1,1", "--set n=1024".
[[nodiscard]] std::vector<std::string> flags_of(const Plan& plan,
                                                const core::Experiment& experiment);

/// Fault::usage when the workgroups or the buffers are more than the device allows. `tile` is for
/// the sentence.
[[nodiscard]] core::Expected<void> check_plan(const Plan& plan, std::uint32_t tile,
                                              const core::DeviceInfo& device);

/// What the plain pipeline of a dispatch is made from.
struct PlainKernel {
  std::vector<std::uint32_t> words;  ///< barriers as edited, constants and launch size frozen
  std::string name;
  std::string entry_point;
  std::vector<gpu::KernelBinding> bindings;
  std::uint32_t push_constant_bytes = 0;
  bool bfloat16 = false;
  bool inside = false;  ///< gpu::KernelSpec::inside: its barriers are edited

  /// Refers to this.
  [[nodiscard]] gpu::KernelSpec spec() const;
};
[[nodiscard]] core::Expected<PlainKernel> plain_kernel(const core::Dispatch& dispatch);

/// Where a dispatch's resources are in its flat module: each at the binding of its own place in the
/// list, elements of an array at that of the first; and so many storage buffers behind them.
[[nodiscard]] std::vector<gpu::KernelBinding> bindings_of(const core::Dispatch& dispatch,
                                                          std::uint32_t extra = 0);

/// The dispatch's module with its resources in set 0 (bindings_of), uniform buffers as storage
/// buffers, and its entry point alone; barriers as written. `not_possible` is what no resource can
/// be, in words.
struct FlatModule {
  std::vector<std::uint32_t> words;
  std::vector<std::string> not_possible;
};
[[nodiscard]] core::Expected<FlatModule> flat_module(const core::Dispatch& dispatch);

}  // namespace lab

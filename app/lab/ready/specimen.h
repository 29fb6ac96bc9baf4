// A dispatch under the microscope: its kernel flattened, its barriers edited, all that its text
// tells, its loops bounded. What every probe is made from; worked out once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/tile_map.h"
#include "core/work/dispatch.h"
#include "core/work/kernel_facts.h"
#include "gpu/device.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/values/loop_bounds.h"

namespace lab {

class Specimen {
 public:
  /// Errors: a module that is not valid, an edit of a barrier that the kernel does not have.
  [[nodiscard]] static core::Expected<std::shared_ptr<Specimen>> of(core::Dispatch dispatch,
                                                                    const core::DeviceInfo& device);

  [[nodiscard]] const core::Dispatch& dispatch() const { return dispatch_; }
  /// Why the kernel can't be launched here, in words: a resource of a kind
  /// that is not known, a workgroup too large.
  [[nodiscard]] const std::vector<std::string>& not_possible() const { return not_possible_; }
  /// SpecIds that give the workgroup its size; none where the text does.
  [[nodiscard]] const std::vector<std::uint32_t>& size_constants() const { return size_constants_; }
  /// Compute entry points of the module besides this one.
  [[nodiscard]] const std::vector<std::string>& other_entries() const { return other_entries_; }
  /// The kernel's resources; their numbers are their places in the dispatch's list.
  [[nodiscard]] const std::vector<spirv::Binding>& bindings() const { return bindings_; }
  [[nodiscard]] const std::shared_ptr<const core::KernelFacts>& facts() const { return facts_; }

  /// After a launch has shown which barriers diverge: facts() names these alone.
  void keep_divergent(std::vector<core::Finding> found);
  [[nodiscard]] bool barriers_seen() const { return barriers_seen_; }

  /// The kernel as it is, whose barriers divergence is judged by. Error: it can't be examined
  /// (KernelFacts::not_examined); such a kernel can be run, but not probed.
  [[nodiscard]] core::Expected<spirv::Examination*> examination();
  /// The kernel with its loops bounded, for probes: a kernel that does not end ends there. One
  /// whose loops can't be bounded stays as it is, and not_bounded() says why.
  [[nodiscard]] core::Expected<spirv::Examination*> bounded();
  /// From now on bounded() bounds every loop, at fewer iterations than before: for a kernel in
  /// which the device itself was seen to end loops. False: the limit is as small as it gets.
  [[nodiscard]] bool bound_all_loops();
  /// May the device end loops before the kernel does? Only CPU devices do.
  [[nodiscard]] core::Expected<bool> device_may_end_loops();
  [[nodiscard]] const std::string& not_bounded() const { return not_bounded_; }
  [[nodiscard]] const std::vector<spirv::BoundedLoop>& loops() const { return loops_; }
  [[nodiscard]] const spirv::LoopLimits& loop_limits() const { return loop_limits_; }

  /// The pipeline of a probe of this kernel, whose `extra` buffers come after the dispatch's. It is
  /// kept inside the memory that addresses lead to: by itself, where it has an `address_table`.
  [[nodiscard]] core::Expected<gpu::Kernel> probe_kernel(
      gpu::Device& device, const std::vector<std::uint32_t>& words, const std::string& what,
      std::uint32_t extra, std::optional<std::uint32_t> address_table = {}) const;

 private:
  Specimen(core::Dispatch dispatch, const core::DeviceInfo& device)
      : dispatch_(std::move(dispatch)), device_(device) {}
  core::Expected<void> examine();
  void read_interface(const std::vector<std::uint32_t>& flat);

  core::Dispatch dispatch_;
  core::DeviceInfo device_;
  core::Expected<std::unique_ptr<spirv::Examination>> examination_;
  std::unique_ptr<spirv::Examination> bounded_;
  std::shared_ptr<const core::KernelFacts> facts_;
  std::vector<spirv::BoundedLoop> loops_;
  spirv::LoopLimits loop_limits_;
  std::string not_bounded_;
  bool tried_to_bound_ = false;
  bool barriers_seen_ = false;
  std::vector<std::string> not_possible_;
  std::vector<std::uint32_t> size_constants_;
  std::vector<std::string> other_entries_;
  std::vector<spirv::Binding> bindings_;
};

/// One launch of a run: a kernel on some of its workgroups.
struct Turn {
  std::shared_ptr<Specimen> specimen;
  core::Box groups;
  std::size_t grid = 0;  ///< the first turn that is on the same grid of workgroups
};

/// Launches in turn, on the same resources: each finds what those before it left there.
using Turns = std::vector<Turn>;

/// A run of one launch, of all workgroups.
[[nodiscard]] Turns alone(std::shared_ptr<Specimen> specimen);

}  // namespace lab

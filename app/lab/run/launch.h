// Launches: all workgroups of a variant once, as one dispatch a kernel when it is short, cut into
// slices (vkCmdDispatchBase) when it is long, so that a slow device can show progress and be
// stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <glm/vec3.hpp>

#include "core/work/tile_map.h"
#include "gpu/device.h"

namespace lab {

/// Called after each slice with the workgroups done so far, in launch order. False: stop here.
using SliceObserver = std::function<bool(std::uint64_t groups_done)>;

struct LaunchTime {
  double ms = 0.0;  ///< device timestamps; the sum of the slices
  std::uint32_t slices = 0;
  bool finished = false;  ///< false: the observer stopped it
};

/// The longest run of workgroups that starts at `done`, is at most `most` long and is a box, so
/// that one dispatch can do it: whole planes, else whole rows, else a part of a row.
[[nodiscard]] core::Box next_slice(const glm::uvec3& groups, std::uint64_t done,
                                   std::uint64_t most);
/// The same of the workgroups of a box.
[[nodiscard]] core::Box next_slice(const core::Box& groups, std::uint64_t done, std::uint64_t most);

/// How probes number the workgroups of a box, which know their position in the whole launch and the
/// size of the box: x fastest, without a gap, from first() on. Of a box that is the whole launch:
/// by launch order.
class NumberedGroups {
 public:
  explicit NumberedGroups(const core::Box& box) : box_(box) {}
  [[nodiscard]] std::uint64_t first() const;
  [[nodiscard]] std::uint64_t end() const { return first() + box_.count(); }
  [[nodiscard]] glm::uvec3 group(std::uint64_t number) const;

 private:
  core::Box box_;
};

/// A kernel, and the workgroups that it is launched for.
struct KernelLaunch {
  const gpu::Kernel* kernel = nullptr;
  core::Box groups;
};

/// One launch, or several in turn that are timed as one: from before the first to after the last,
/// with the wait between them. Learns how long a workgroup takes as it goes.
class Launcher {
 public:
  /// `budget_ms` is the longest that a dispatch should take.
  Launcher(gpu::Device& device, std::vector<KernelLaunch> launches,
           std::vector<std::uint32_t> push_constants, double budget_ms);

  /// Zeros when a launch begins: filled with them before the first launch, and after one that was
  /// left before its end; one that ends leaves zeros where they count.
  void begins_with_zeros(const gpu::Buffer& scratch) { scratch_.push_back(&scratch); }

  /// One launch on these buffers (in binding order).
  [[nodiscard]] core::Expected<LaunchTime> launch(const std::vector<const gpu::Buffer*>& buffers,
                                                  const SliceObserver& observer);
  /// `count` whole launches in one submission, each timed; only for launches that fit the budget.
  [[nodiscard]] core::Expected<std::vector<double>> launch_many(
      const std::vector<const gpu::Buffer*>& buffers, std::uint32_t count);

  /// What a launch is expected to take; 0 before the first.
  [[nodiscard]] double expected_ms() const;
  [[nodiscard]] bool fits_budget() const;
  void set_budget(double ms) { budget_ms_ = ms; }

 private:
  [[nodiscard]] std::uint64_t slice_size(std::uint64_t last) const;
  [[nodiscard]] KernelLaunch slice_at(std::uint64_t done, std::uint64_t most) const;
  [[nodiscard]] std::uint64_t group_count() const;
  [[nodiscard]] core::Expected<void> clear_scratch();

  gpu::Device& device_;
  std::vector<KernelLaunch> launches_;
  std::vector<std::uint32_t> push_constants_;
  double budget_ms_;
  double ms_per_group_ = 0.0;
  std::vector<const gpu::Buffer*> scratch_;
  bool scratch_is_clear_ = false;
};

}  // namespace lab

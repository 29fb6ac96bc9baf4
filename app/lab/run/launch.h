// Launches: all workgroups of a run once, as one dispatch a launch when it is short, cut into
// slices (vkCmdDispatchBase) when it is long, so that a slow device can show progress and be
// stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <glm/vec3.hpp>

#include "core/catalogue/tile_map.h"
#include "gpu/device.h"

namespace lab {

/// Called after each slice with the workgroups done so far, in launch order. False: stop here.
using SliceObserver = std::function<bool(std::uint64_t groups_done)>;

struct LaunchTime {
  double ms = 0.0;           ///< device timestamps; the sum of the slices
  std::vector<double> each;  ///< the same of each launch of a run of several; empty for one alone
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

/// How many workgroups go into a slice when nothing is known of a kernel, and how much larger than
/// the last one a slice may be.
struct SliceGrowth {
  static constexpr std::uint64_t first = 4;
  static constexpr std::uint64_t growth = 8;
  /// As many as fit the budget, judged by what one took; `last` 0: there was none before.
  [[nodiscard]] static std::uint64_t next(double budget_ms, double ms_per_group,
                                          std::uint64_t last);
};

/// A kernel, the workgroups that it is launched for, and its push constants.
struct KernelLaunch {
  const gpu::Kernel* kernel = nullptr;
  core::Box groups;
  std::vector<std::uint32_t> push_constants;
};

/// One launch, or several in turn that are timed together and each: from before the first to after
/// the last, with the wait between them. Learns how long a workgroup takes as it goes.
class Launcher {
 public:
  /// `budget_ms` is the longest that a dispatch should take.
  Launcher(gpu::Device& device, std::vector<KernelLaunch> launches, double budget_ms);

  /// Zeros when a run begins: filled with them before the first, and after one that was left before
  /// its end; one that ends leaves zeros where they count.
  void begins_with_zeros(const gpu::Buffer& scratch) { scratch_.push_back(&scratch); }

  /// One run on these buffers (in binding order).
  [[nodiscard]] core::Expected<LaunchTime> launch(const std::vector<const gpu::Buffer*>& buffers,
                                                  const SliceObserver& observer);
  /// `count` whole runs in one submission, each timed; only for runs that fit the budget.
  [[nodiscard]] core::Expected<std::vector<LaunchTime>> launch_many(
      const std::vector<const gpu::Buffer*>& buffers, std::uint32_t count);

  /// What a run is expected to take; 0 before the first.
  [[nodiscard]] double expected_ms() const;
  /// What one of its launches is; the same.
  [[nodiscard]] double expected_ms(std::size_t launch) const {
    return ms_per_group_[launch] * static_cast<double>(launches_[launch].groups.count());
  }
  [[nodiscard]] bool fits_budget() const;

 private:
  [[nodiscard]] core::Expected<bool> launch_one(std::size_t number,
                                                const std::vector<const gpu::Buffer*>& buffers,
                                                const SliceObserver& observer, LaunchTime& time);
  void learn(const LaunchTime& time);
  [[nodiscard]] core::Expected<void> clear_scratch();

  gpu::Device& device_;
  std::vector<KernelLaunch> launches_;
  std::vector<double> ms_per_group_;  // of each launch; 0: not known
  double budget_ms_;
  std::vector<const gpu::Buffer*> scratch_;
  bool scratch_is_clear_ = false;
};

}  // namespace lab

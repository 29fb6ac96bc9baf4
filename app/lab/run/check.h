// Checks a kernel, any kernel: reflects it, makes its buffers, refuses divergent barriers before
// anything runs, and runs it under the race probe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/report/check_report.h"
#include "core/work/tile_map.h"
#include "gpu/device.h"
#include "lab/run/launch.h"
#include "spirv/module/barriers.h"
#include "spirv/module/constants.h"

namespace lab {

/// What a buffer holds at the start. Iota counts elements 0, 1, 2, ... in the type of the buffer's
/// runtime array (whole numbers where there is none).
enum class Fill { zero, iota, random };

struct CheckBuffer {
  std::uint64_t bytes = 0;  ///< 0: enough for every invocation of the launch
  Fill fill = Fill::iota;
  std::span<const std::byte> content;  ///< instead of a fill, when not empty; see keeps
};

struct CheckRequest {
  std::string kernel;  ///< a name for the report
  std::vector<std::uint32_t> spirv;
  std::array<std::uint32_t, 3> groups{0, 0, 0};  ///< workgroups; 0: a few
  core::Box launched;  ///< of those, the ones that this kernel is launched for; empty: all
  std::map<std::pair<std::uint32_t, std::uint32_t>, CheckBuffer> buffers;  ///< by set and binding
  /// Push constants, word by word; integers that are left out are the launch's invocations in x,
  /// floats are 1.
  std::vector<std::uint32_t> push_constants;
  spirv::SpecValues constants;  ///< by SpecId; the module's own values for the rest
  spirv::BarrierEdits barriers;
  std::uint64_t tiles = 0;        ///< check only the first so many workgroups; 0: all
  bool measure = false;           ///< time the plain launch and the checked one
  bool shadow_in_buffer = false;  ///< even where shared memory has the room; for tests
  std::uint64_t seed = 1;         ///< of random fills
  double slice_ms = 0.0;          ///< a dispatch, at most; 0: as long as it takes
  /// Asked after each slice. Where it says no, the rest is not run, and the report says so.
  SliceObserver observer;
  std::shared_ptr<const void> keeps;  ///< alive: what the buffers' contents point into
};

struct Setup;

/// A variant that is set up, as requests, one a launch: modules, constants, workgroups and inputs.
/// All else is as in `like`.
[[nodiscard]] std::vector<CheckRequest> describe_check(const Setup& setup,
                                                       const CheckRequest& like = {});
/// Checks a variant that is set up on buffers of the check's own, in slices. Whatever keeps it from
/// being checked, memory for one, is said in the report; an error is a lost device.
[[nodiscard]] core::Expected<core::CheckReport> check_setup(gpu::Device& device, const Setup& setup,
                                                            double slice_ms,
                                                            const SliceObserver& observer);

/// The report; errors are of the request (no such barrier or binding, a module that is not valid)
/// or of the device. `device` should be robust (gpu::DeviceOptions) for kernels that are not
/// trusted.
[[nodiscard]] core::Expected<core::CheckReport> check(gpu::Device& device,
                                                      const CheckRequest& request);
/// The verdict on launches that follow each other, each on buffers as they are at the start: what
/// races in one of them is told of all.
[[nodiscard]] core::Expected<core::CheckReport> check(gpu::Device& device,
                                                      const std::vector<CheckRequest>& launches);

}  // namespace lab

// Checks a dispatch for what a sanitizer finds: runs the kernel under the race probe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/report/check_report.h"
#include "core/work/checks.h"
#include "gpu/device.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"
#include "lab/run/launch.h"

namespace lab {

struct CheckOptions {
  std::uint64_t tiles = 0;        ///< check only the first so many workgroups of a dispatch; 0: all
  bool measure = false;           ///< time the plain launch and the checked one
  bool shadow_in_buffer = false;  ///< even where shared memory has the room; for tests
  /// spirv::RaceProbeOptions::compact; nothing: as the device's compiler likes it.
  std::optional<bool> compact = {};
  std::uint64_t seed = 1;  ///< of random contents
  core::Checks checks;     ///< what to look for
  bool outputs = true;     ///< tell who wrote the outputs, where one launch ends whole
  bool guesses = true;     ///< proofs may go by what is likely: OrderProbeOptions::guesses
  bool proofs = true;      ///< false: prove no access, check each while the kernel runs
  double slice_ms = 0.0;   ///< a launch's piece, at most; 0: as long as it takes, and so where
                           ///< workgroups may wait for others
  /// Asked after each slice. Where it says no, the rest and what would be launched behind it is not
  /// run, and the report says so.
  SliceObserver observer;
  Buffers lent;  ///< by resource: taken where no launch writes them; as they are at the start
};

/// The verdict on launches that follow each other, each on memory as those before it leave it: what
/// races in one of them is told of all. Errors are of the kernel (a module that is not valid) or of
/// the device, which should be robust (gpu::DeviceOptions) for kernels that are not trusted.
[[nodiscard]] core::Expected<core::CheckReport> check(gpu::Device& device, const Turns& turns,
                                                      const CheckOptions& options = {});

/// Findings of kind unfinished_loop: loops that a CPU device ends before the kernel does, so that
/// results are wrong and times are too short. Runs the launches only if their text allows it.
[[nodiscard]] core::Expected<std::vector<core::Finding>> unfinished_loops(gpu::Device& device,
                                                                          const Turns& turns,
                                                                          CheckOptions options);

/// Finds out which barriers diverge in these launches, of those that may by the text: from then on
/// Specimen::facts() names no others. Runs the launches only if there are any. Error: a lost
/// device.
[[nodiscard]] core::Expected<void> look_at_barriers(gpu::Device& device, const Turns& turns,
                                                    CheckOptions options);

}  // namespace lab

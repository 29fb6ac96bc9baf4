// Records the timeline of a launch: the kernel under its timeline probe, on buffers of its own.
#pragma once

#include <cstdint>

#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/report/timeline.h"
#include "lab/read/timeline_reader.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"
#include "lab/run/launch.h"

namespace lab {

struct TimelineOptions {
  std::uint64_t seed = 1;    ///< of random contents
  std::size_t grid = 0;      ///< whose launches are recorded; those before it run plainly
  Buffers lent;              ///< by resource: taken where no launch writes them
  double expected_ms = 0.0;  ///< what the plain launch takes; 0: not known
  double slice_ms = 500.0;   ///< a dispatch, at most, where one takes longer than that
  SliceObserver observer;    ///< asked after each slice; where it says no, nothing is recorded
  /// Of the device's buffer; a launch that would need more is cut into slices.
  std::uint64_t most_bytes = core::limits::timeline_bytes;
};

/// Launches the probed kernels on memory as the launches before leave it; what they write goes to
/// buffers of its own. A short launch goes twice and the second is kept: the first one finds
/// everything cold. Fault::device where the device has no clock that a kernel can read, or no room
/// for the copies. Nothing at all when the observer stopped it.
[[nodiscard]] core::Expected<TimelineRecord> record_launch(gpu::Device& device, const Turns& turns,
                                                           const TimelineOptions& options);

/// Medians of plain and probed launches, which take turns in one submission; device timestamps. The
/// observer is asked before each; once it says no, of those there are.
struct TimelineCost {
  double plain_ms = 0.0;
  double probed_ms = 0.0;
};
[[nodiscard]] core::Expected<TimelineCost> time_timeline(gpu::Device& device, const Turns& turns,
                                                         const TimelineOptions& options = {});

}  // namespace lab

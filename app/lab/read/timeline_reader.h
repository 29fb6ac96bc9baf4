// From what the timeline probe wrote to core::Timeline: clocks matched, subgroups put together.
#pragma once

#include <cstdint>
#include <vector>

#include "core/report/timeline.h"
#include "spirv/probes/timeline_probe.h"

namespace lab {

/// A moment on both clocks of a device: its timestamps' and the one that kernels read. The end of a
/// launch: at its beginning a driver may still be compiling between the two.
struct ClockPoint {
  std::uint64_t stamp = 0;  ///< ticks of the timestamp period
  std::uint64_t clock = 0;  ///< ticks of the kernels' clock
};

/// One dispatch of the probed kernel.
struct TimelineSlice {
  std::uint64_t first_group = 0;      ///< in launch order, where they follow each other
  std::vector<std::uint32_t> places;  ///< of each in launch order, where they don't
  std::uint64_t groups = 0;
  std::uint64_t begin = 0;  ///< timestamps around it
  std::uint64_t end = 0;
  std::vector<std::uint32_t> words;  ///< rows, without the header
};

struct TimelineRecord {
  spirv::TimelineLayout layout;
  std::vector<TimelineSlice> slices;
  std::vector<ClockPoint> before;  ///< of launches before this one, earliest first
  std::uint64_t groups = 0;        ///< of the launch
  std::uint32_t launches = 1;      ///< that follow each other
  double timestamp_period_ns = 1.0;
  bool tells_multiprocessor = false;
  std::uint32_t multiprocessors = 0;
  std::uint32_t warps_per_multiprocessor = 0;
  std::uint32_t subgroup_size = 0;
};

/// First start and last end of a slice on the kernels' clock; 0, 0: nothing was written.
struct ClockSpan {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
[[nodiscard]] ClockSpan span_of(const spirv::TimelineLayout& layout, const TimelineSlice& slice);

/// Gives the clock of a slice its upper words where a driver leaves them zero, as Mesa 22's
/// lavapipe does, whose clock so goes around every 4.3 s. Put near the slice's timestamps, a launch
/// of less than half of that goes around nowhere. A slice of which that cannot be known stays as it
/// is.
void widen_clock(const spirv::TimelineLayout& layout, double timestamp_period_ns,
                 TimelineSlice& slice);

/// Whether the timestamps and the kernels' clock count the same ticks from the same moment.
[[nodiscard]] bool one_clock(const TimelineRecord& record);

[[nodiscard]] core::Timeline read_timeline(const TimelineRecord& record);

}  // namespace lab

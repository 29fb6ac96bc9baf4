// The timeline as a second compilation of a kernel: the same kernel, but every subgroup writes down
// when it began and when it ended on the device's clock (SPV_KHR_shader_clock, device scope), and
// where the device tells, on which multiprocessor and in which warp slot it ran.
//
// One elected invocation of a subgroup writes at the entry; at the end the subgroup meets at a
// subgroup barrier, whichever of the kernel's returns its invocations took, and one writes again.
// Each subgroup has a row of the buffer to itself, so that nothing is contended, nothing has to be
// atomic, and no register is held in between. A workgroup lasts from the first of its subgroups'
// beginnings to the last of their ends.
#pragma once

#include <cstdint>

#include "spirv/analysis/examination.h"

namespace spirv {

/// The timeline's buffer, in 32-bit words.
struct TimelineLayout {
  static constexpr std::uint32_t grid = 0;         ///< three words: workgroups of the whole launch
  static constexpr std::uint32_t first_group = 3;  ///< of the slice, in launch order
  static constexpr std::uint32_t header = 4;
  static constexpr std::uint32_t row_words = 6;
  // Words of a subgroup's row. Ticks are two words, low word first.
  static constexpr std::uint32_t start = 0;
  static constexpr std::uint32_t end = 2;
  static constexpr std::uint32_t place = 4;  ///< multiprocessor, in the upper half the warp slot
  static constexpr std::uint32_t subgroups = 5;  ///< that the workgroup has
  /// What `place` is where the device tells no multiprocessor.
  static constexpr std::uint32_t no_place = 0xFFFFFFFF;

  std::uint32_t rows = 1;  ///< of a workgroup; subgroups beyond them write nothing
  [[nodiscard]] std::uint64_t row(std::uint64_t group, std::uint32_t subgroup) const {
    return header + row_words * (group * rows + subgroup);
  }
  [[nodiscard]] std::uint64_t words(std::uint64_t groups) const { return row(groups, 0); }
};

/// Which extension tells where a subgroup runs.
enum class PlaceBuiltIns {
  none,
  nv,   ///< SPV_NV_shader_sm_builtins
  arm,  ///< SPV_ARM_core_builtins
};

struct TimelineProbeOptions {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;  ///< of the timeline's buffer
  std::uint32_t rows = 1;     ///< most subgroups of a workgroup
  PlaceBuiltIns places = PlaceBuiltIns::none;
};

struct TimelineProbe {
  Words words;  ///< its entry point is called as the kernel's was; constants are frozen
  TimelineLayout layout;
};

[[nodiscard]] TimelineProbe make_timeline_probe(const Examination& examination,
                                                const TimelineProbeOptions& options);

}  // namespace spirv

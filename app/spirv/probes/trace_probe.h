// The trace as a second compilation of a kernel: the same kernel, but every invocation writes down
// each access that it makes to shared memory and to buffers, and each barrier that it passes.
//
// Every invocation has a region of the trace's buffer to itself and writes one record after the
// other, so that nothing is contended and order costs nothing. A record is a number that says what
// was recorded (TraceProbe::records), of an access also the offset and the values. Where the
// regions lie and how long they are is in the buffer's header: a first launch with no room at all
// only counts, the second then has what it needs. The kernel is launched for one workgroup alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/report/trace.h"
#include "core/work/image.h"
#include "spirv/analysis/examination.h"

namespace spirv {

/// The trace's buffer, in 32-bit words.
struct TraceLayout {
  static constexpr std::uint32_t grid = 0;  ///< three words: workgroups of the whole launch
  static constexpr std::uint32_t header = 4;
  static constexpr std::uint32_t row_words = 9;
  // Words of an invocation's row; the first two are read, the rest written.
  static constexpr std::uint32_t begin = 0;  ///< first word of its region
  static constexpr std::uint32_t room = 1;   ///< words of its region
  static constexpr std::uint32_t used = 2;   ///< words it has records for, whether they fit or not
  static constexpr std::uint32_t made = 3;   ///< scalars it accessed
  static constexpr std::uint32_t subgroup = 4;
  static constexpr std::uint32_t lane = 5;
  static constexpr std::uint32_t subgroup_size = 6;
  static constexpr std::uint32_t bad_loop =
      7;                                     ///< 1 + number of a loop that bound_loops() cut short
  static constexpr std::uint32_t flops = 8;  ///< that it made, whatever fits (flop_count.h)
  /// What `used` stops at.
  static constexpr std::uint32_t most_used = 0xC0000000;
  /// The offset of an access whose index was outside of a shared array.
  static constexpr std::uint32_t outside = 0xFFFFFFFF;

  std::uint32_t invocations = 1;
  [[nodiscard]] std::uint32_t row(std::uint32_t invocation) const {
    return header + row_words * invocation;
  }
  /// First word of the regions.
  [[nodiscard]] std::uint32_t records() const { return row(invocations); }
};

/// A scalar that an access's record tells of.
struct TracePart {
  std::uint32_t site = 0;    ///< place in TraceProbe::sites
  std::uint32_t scalar = 0;  ///< of the access
  std::uint32_t offset = 0;  ///< bytes from the record's
  std::uint32_t words = 1;   ///< of its value, low word first
};

struct TraceRecord {
  enum class Kind { access, barrier, subgroup_barrier };
  Kind kind = Kind::access;
  core::SourcePlace at;
  std::vector<TracePart> parts;  ///< of accesses, in the order of their values
  /// Two words of address come before the values, low word first, and no offset: only who gave the
  /// memory knows what lies there.
  bool addressed = false;
  bool continues = false;  ///< it tells more of the access of the record before
};

/// A variable, and what of it only a buffer's size tells. What is found by an address stands for as
/// many variables as there are memories that it is met in.
struct TraceVariable {
  core::TracedVariable told;
  std::uint64_t runtime_stride = 0;  ///< bytes of an element of the array that fills the buffer
  std::uint64_t block_bytes = 0;     ///< of what is found by an address: of the whole block
};

struct TraceProbe {
  Words words;  ///< its entry point is called as the kernel's was; constants are frozen
  TraceLayout layout;
  std::vector<TraceRecord> records;  ///< by their number
  std::vector<TraceVariable> variables;
  std::vector<core::TracedSite> sites;
  std::vector<std::string> not_traced;  ///< accesses that are left out, in words
  bool counts_flops = true;             ///< else it has work that is not told by invocations
};

struct TraceProbeOptions {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;  ///< of the trace's buffer
  /// Of images and texel buffers, by binding; accesses to others are not traced. What a sampler
  /// reads is told as the texel at its coordinates, whatever its filter reads besides.
  std::map<std::uint32_t, core::ImageShape> images;
  std::array<std::uint32_t, 3> groups{};  ///< what gl_NumWorkGroups is; 0: read from the buffer
  bool idle_lanes = false;                ///< the device runs some; Insertions::wrap_entry()
};

[[nodiscard]] TraceProbe make_trace_probe(Examination& examination,
                                          const TraceProbeOptions& options);

}  // namespace spirv

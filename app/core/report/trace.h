// The trace of one workgroup: every access of its invocations to shared and global memory, with the
// phase, the place and the value. Plain data for the tile view, bank conflicts, coalescing, reuse
// and the race oracle. Instrumented: a trace comes from a probed launch, never from a timed one.
// The workgroup ran alone, on the inputs as they are at the start.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/kernel_facts.h"

namespace core {

/// How a scalar's bits are read.
enum class ScalarKind { boolean, signed_integer, unsigned_integer, floating };

/// A shared variable or a buffer, as it was touched.
struct TracedVariable {
  std::string name;  ///< "tile_a"; of a buffer: of its array, "a"
  MemoryKind memory = MemoryKind::shared;
  std::string type;                       ///< "float[16][17]"
  std::vector<std::uint32_t> dimensions;  ///< lengths of nested arrays, outermost first; of a
                                          ///< runtime array as long as the buffer holds
  ScalarKind scalar = ScalarKind::floating;
  std::uint32_t scalar_bytes = 4;
  std::uint64_t bytes = 0;  ///< of the whole variable
  /// Shared: bytes from the start of shared memory when variables lie one after the other, each
  /// tightly packed and 16-byte aligned (modelled). Global: bytes from the start of the buffer,
  /// which may hold several variables.
  std::uint64_t address = 0;
  std::uint32_t binding = 0;  ///< global: in set 0
  /// Texels of an image or of a texel buffer, each component told as 32 bits, row after row. Where
  /// they lie in memory is the device's own affair.
  bool image = false;
};

/// A read whose value a written value is computed from.
struct TracedFeed {
  std::uint32_t site = 0;  ///< place in Trace::sites
  /// Iterations of a loop carry the value on: all reads before the write count, not the last alone.
  bool carried = false;
};

/// A place in the text that makes accesses to scalars of one kind. An access of a struct with
/// members of several kinds is several sites at one place, and one moment.
struct TracedSite {
  SourcePlace at;
  std::uint32_t variable = 0;  ///< place in Trace::variables
  Access access = Access::read;
  bool writes = false;  ///< all writes, and all atomics but loads
  ScalarKind scalar = ScalarKind::floating;
  std::uint32_t scalar_bytes = 4;
  std::uint32_t scalars = 1;       ///< scalars an access: 4 for a vec4
  std::uint32_t stored_bytes = 0;  ///< of a texel's component, as it is stored; 0: scalar_bytes
  std::vector<TracedFeed> fed_by = {};  ///< of a write; values alone, not indices and conditions
};

/// One scalar that one invocation read or wrote.
struct TracedAccess {
  std::uint32_t invocation = 0;  ///< local index: x + y * size_x + z * size_x * size_y
  std::uint32_t phase = 0;       ///< place in Trace::phases
  /// Subgroup barriers that order shared memory and that the invocation passed in this phase.
  std::uint32_t subgroup_phase = 0;
  std::uint32_t moment = 0;  ///< accesses that the invocation made before; its own order
  std::uint32_t turn = 0;    ///< times that the invocation was at this site before
  std::uint32_t site = 0;    ///< place in Trace::sites
  std::uint32_t scalar = 0;  ///< of the access, counted over all sites of its moment
  std::uint64_t offset = 0;  ///< bytes from the start of the variable
  std::uint64_t value = 0;   ///< bits, zero-extended; of an atomic: what was there before, of
                             ///< an atomic store: what was stored
  bool operator==(const TracedAccess&) const = default;
};

/// A phase as it was lived through: phases of a loop come once an iteration.
struct TracedPhase {
  std::uint32_t opened_by = 0;  ///< the barrier's number K; 0: the start
  std::uint64_t first = 0;      ///< accesses [first, last) of Trace::accesses
  std::uint64_t last = 0;
};

struct Trace {
  std::array<std::uint32_t, 3> workgroup{};
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  std::vector<std::uint32_t> subgroup;  ///< of each invocation
  std::vector<std::uint32_t> lane;      ///< of each invocation in its subgroup
  std::uint32_t subgroup_size = 0;
  std::vector<TracedVariable> variables;
  std::vector<TracedSite> sites;
  std::vector<TracedPhase> phases;
  std::vector<TracedAccess> accesses;  ///< sorted by phase, moment, invocation, scalar
  /// Accesses outside of their variable, by invocation; they are not in `accesses`. The offset of
  /// one outside of shared memory is not known. At most `most_outside`.
  std::vector<TracedAccess> outside;
  static constexpr std::size_t most_outside = 4096;
  std::uint64_t lost = 0;               ///< scalars accessed beyond what the buffer could hold
  std::vector<std::string> incomplete;  ///< what could not be traced, and why
  /// Floating-point operations of all its invocations; nothing: it has work that is not told by
  /// invocations.
  std::optional<double> flops = 0.0;
  double device_ms = 0.0;  ///< device time of the launches that it took, instrumented
};

}  // namespace core

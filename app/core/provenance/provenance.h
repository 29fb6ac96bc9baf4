// Provenance: which invocation wrote a value, and from which values it was computed, back through
// shared memory to the buffers. It follows from the trace of the workgroup that wrote it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/report/trace.h"

namespace core {

/// A read that a value was computed from.
struct ValueRead {
  std::size_t access = 0;  ///< place in Trace::accesses
  /// The write that it got its value from: place in Provenance::writes. Nothing: the value was
  /// there before the workgroup began.
  std::optional<std::size_t> write;
};

struct ValueWrite {
  std::size_t access = 0;        ///< place in Trace::accesses
  std::vector<ValueRead> reads;  ///< in the order of the invocation
};

/// The first value on the way to the element that is NaN or infinite.
struct StrangeValue {
  std::size_t access = 0;  ///< place in Trace::accesses
  bool computed = false;   ///< a write that computed it from finite values; else a read
};

struct Provenance {
  std::vector<ValueWrite> writes;  ///< the element's own first; each other one once
  bool cut = false;                ///< there are more writes than `most_writes`
  std::optional<StrangeValue> strange;
  static constexpr std::size_t most_writes = 4096;
};

/// Returns the last write of the workgroup to a scalar of a variable, and the reads that its value
/// was computed from. Returns nothing if the workgroup does not write the scalar. `offset` counts
/// bytes from the variable's start.
[[nodiscard]] std::optional<Provenance> provenance_of(const Trace& trace, std::uint32_t variable,
                                                      std::uint64_t offset);

/// Accesses of one place in the text and one phase, together.
struct ProvenanceGroup {
  std::vector<std::size_t> accesses;  ///< places in Trace::accesses, by element
  bool writes = false;
  std::vector<ProvenanceGroup> from;  ///< of writes: reads; of reads: the writes before them
};
/// The provenance as a tree. Its root is the element's write.
[[nodiscard]] ProvenanceGroup grouped(const Trace& trace, const Provenance& provenance);

/// One line of a provenance in words.
struct ProvenanceLine {
  std::size_t depth = 0;
  std::string text;  ///< "line 33: reads 16 elements, tile_a[2][0] to tile_a[2][15]"
  SourcePlace at;
  std::vector<std::size_t> accesses;  ///< that it is about
};
[[nodiscard]] std::vector<ProvenanceLine> in_words(const Trace& trace,
                                                   const Provenance& provenance);
/// "first infinity from a[3] = inf at line 12"; empty if all values are finite.
[[nodiscard]] std::string strange_words(const Trace& trace, const Provenance& provenance);

}  // namespace core

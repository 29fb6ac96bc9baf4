// Where is tiling worth it? What the trace of a workgroup tells about each array that it reads from
// global memory: who reads the same element again, and what one copy in shared memory would save.
//
// The rule is that of the note on block tiling (seed "Block Tiling Using Shared Memory"; Futhark's
// block tiling, https://github.com/diku-dk/futhark): it pays whenever a streamed array is invariant
// to one of the parallel dimensions. Here that is seen in the addresses: a read is invariant to the
// dimension x of the workgroup when invocations that differ in x alone read the same place in the
// same turn, in every turn of the trace. Names and the form of the index do not matter, so that
// indirect indices (lavaMD's neighbours) are found like any other.
//
// What is asked and what is distinct was traced (instrumented); what staging would save is
// modelled: every distinct element once a workgroup, all workgroups like the traced one. Caches and
// broadcasts may serve part of what is asked already; shared memory makes sure of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/report/trace.h"

namespace core {

enum class Tiling {
  nothing,  ///< no element is read by several invocations, or hardly any
  worth,    ///< stage it in shared memory
  staged    ///< the kernel does already: what it reads goes into shared memory
};

/// A place in the text that reads an array. Sites of one place count as one.
struct ArrayRead {
  SourcePlace at;
  std::array<bool, 3> invariant{};  ///< to x, y, z of the workgroup; never to one of length 1
  std::uint32_t turns = 0;          ///< times that an invocation comes here, at most
  bool staged = false;              ///< what it reads, its invocation writes to shared memory
  /// Invariant, and come to again and again: what block tiling is for.
  [[nodiscard]] bool is_streamed() const;
};

/// An array in global memory that the workgroup reads.
struct ArrayAdvice {
  std::uint32_t variable = 0;  ///< place in Trace::variables
  std::string name;
  std::vector<ArrayRead> reads;  ///< in the order of the text
  std::uint64_t asked = 0;       ///< bytes, of all its reads
  std::uint64_t distinct = 0;    ///< bytes of the elements that are read at all
  double readers = 0.0;          ///< invocations that read an element, the mean over elements
  /// Invocations that read the first of the elements that most of them read, ascending.
  std::vector<std::uint32_t> most_read_by;
  bool written = false;  ///< the workgroup writes to it too: a copy would go stale
  bool is_short =
      false;  ///< a cache line's worth that all invocations read together: a list's head
  Tiling tiling = Tiling::nothing;

  /// Times that an element is read, the mean.
  [[nodiscard]] double times() const;
  /// Bytes that staging would save a workgroup: modelled.
  [[nodiscard]] std::uint64_t saved() const { return asked - distinct; }
  /// Each invocation reads elements of its own, again and again: a case for registers.
  [[nodiscard]] bool for_registers() const;
  /// Dimensions that any of its streamed reads is invariant to.
  [[nodiscard]] std::array<bool, 3> invariant() const;
};

struct Advice {
  std::vector<ArrayAdvice> arrays;  ///< what staging saves most in first
  std::array<std::uint32_t, 3> workgroup{};
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  std::uint64_t workgroups = 0;  ///< of the launch
  std::uint64_t lost = 0;        ///< accesses that the trace has no room for: they are not judged
  std::vector<std::string> incomplete;  ///< the trace's
};

/// Of a trace; `workgroups` are the launch's.
[[nodiscard]] Advice advice_of(const Trace& trace, std::uint64_t workgroups);

/// "tiling", "staged", "nothing".
[[nodiscard]] std::string to_string(Tiling tiling);
/// "x", "x and y"; empty: none.
[[nodiscard]] std::string dimensions_text(const std::array<bool, 3>& dimensions);
/// Who reads an element together: "the 16 invocations along x", "all 256 invocations".
[[nodiscard]] std::string readers_text(const std::array<bool, 3>& invariant,
                                       const std::array<std::uint32_t, 3>& local_size);
/// Something is to be done: staged, or kept in registers.
[[nodiscard]] bool advises(const Advice& advice);
/// What to do: "Put a and b in shared memory: 16 times less from global memory", "Nothing to
/// stage: ...". It speaks of copies alone: a kernel may gain by something else.
[[nodiscard]] std::string headline(const Advice& advice);
/// Of an array: why.
[[nodiscard]] std::string sentence(const ArrayAdvice& array, const Advice& advice);
/// A few words, to stand beside the source's line.
[[nodiscard]] std::string tag(const ArrayAdvice& array, const ArrayRead& read);

}  // namespace core

// Phases: the stretches between barriers. Two accesses to shared memory by different invocations
// can meet only if some barrier (or the start) opens a stretch in which both are reached before the
// next barrier that closes it (GPUVerify's barrier intervals: Betts et al. 2012, "GPUVerify: A
// Verifier for GPU Kernels").
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// A stretch of one block without a closing barrier inside.
struct Segment {
  std::size_t block = 0;
  std::size_t first = 0;  ///< instructions [first, last) of the block
  std::size_t last = 0;
  bool opens = false;  ///< the start of the kernel, or right behind a closing barrier
};

class Phases {
 public:
  explicit Phases(const Program& program, MemoryClass memory = MemoryClass::shared);

  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::size_t segment(std::size_t block, std::size_t instruction) const;
  /// The segment that the closing barrier at an instruction ends.
  [[nodiscard]] std::size_t ended_by(std::size_t block, std::size_t barrier) const;
  /// Segments that open a phase. The phase is numbered by its place in this list.
  [[nodiscard]] const std::vector<std::size_t>& openings() const { return openings_; }
  /// Is the segment reached in the phase?
  [[nodiscard]] bool reaches(std::size_t phase, std::size_t segment) const {
    return reached_[phase][segment];
  }
  /// The segments that are reached in the phase on ways on which no loop is passed over: those that
  /// a reader expects. What stands behind a loop is not reached from in front of it without a turn,
  /// though where there is nothing to go round for, it is. Not for proofs.
  [[nodiscard]] std::vector<bool> reached_in_turns(const Program& program, std::size_t phase) const;
  /// Can invocations be in both segments at once, one in each?
  [[nodiscard]] bool meet(std::size_t a, std::size_t b) const;
  /// Can one invocation come from behind `from` to `to` without a closing barrier in between? A
  /// segment follows itself only around a loop.
  [[nodiscard]] bool follows(std::size_t from, std::size_t to) const { return after_[from][to]; }
  /// Like reaches(), on ways that do not enter `avoid`.
  [[nodiscard]] bool reaches_around(std::size_t phase, std::size_t segment,
                                    std::size_t avoid) const;
  /// Is the instruction a barrier that closes a phase: a workgroup barrier that releases and
  /// acquires the memory at workgroup scope, by itself or with the fences beside it? Shared memory
  /// wants what releases before the barrier and what acquires behind it; for buffers and images,
  /// which GLSL's barrier() never orders alone, a fence of both on either side is enough, as
  /// everybody writes it.
  [[nodiscard]] static bool closes(const Program& program, const Block& block,
                                   std::size_t instruction,
                                   MemoryClass memory = MemoryClass::shared);
  /// Is a fence one of those beside a workgroup barrier, with no access to memory in between?
  [[nodiscard]] static bool beside_barrier(const Program& program, const Block& block,
                                           std::size_t fence);

 private:
  void split(const Program& program, MemoryClass memory);
  [[nodiscard]] std::vector<bool> flood(std::vector<std::size_t> from, std::size_t avoid) const;

  std::vector<Segment> segments_;
  std::vector<std::size_t> first_of_;           // first segment of a block
  std::vector<std::vector<std::size_t>> next_;  // segments entered without a closing barrier
  std::vector<std::size_t> openings_;
  std::vector<std::vector<bool>> reached_;  // [phase][segment]
  std::vector<std::vector<bool>> after_;    // [from][to]
};

}  // namespace spirv

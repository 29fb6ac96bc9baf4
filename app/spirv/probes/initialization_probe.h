// The check of reads of what nothing wrote, as a part of the probe that checks a kernel: a bit a
// cell, set where the cell is written, looked at where it is read. Once all cells of shared memory
// that the reads can touch are written, which a counter tells, nobody looks any more: what is
// written stays so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spirv/analysis/memory/initialization.h"
#include "spirv/probes/bounds_probe.h"
#include "spirv/probes/insertions.h"

namespace spirv {

/// A read that is looked at.
struct CheckedRead {
  SourceLine at;
  std::uint32_t variable = 0;  ///< of Initialization::variables()
  std::size_t block = 0;
};

class InitializationProbe {
 public:
  /// `room`: bytes of shared memory that may be taken. Nothing is written yet.
  InitializationProbe(const Initialization& analysis, std::uint64_t room);

  [[nodiscard]] const std::vector<CheckedRead>& checked() const { return checked_; }
  [[nodiscard]] std::uint64_t shared_bytes() const;
  /// Why reads of shared memory are not looked at; empty: they are.
  [[nodiscard]] const std::string& no_room() const { return no_room_; }
  /// Writes the checks; `told` has a private word for each: then 1 + the cell that was read. After
  /// the bounds' own, whose indices are taken. Compact: RaceProbeOptions::compact.
  void write(const Program& program, Emitter& emitter, Insertions& code, const BoundsProbe& bounds,
             const std::vector<Id>& told, const std::vector<Operand>& barrier, bool compact);

 private:
  struct Bits {
    Id words = 0;
    Id left = 0;  // pointer to how many cells that reads can touch are not written; 0: not counted
    Id all = 0;   // private word: an invocation has seen that there are none
    Id set = 0;   // function (cell)
    Id test = 0;  // function (cell): 1 + the cell where its bit is not set, else 0
  };
  using Emit = std::function<Id(spv::Op, const std::vector<Operand>&)>;  // of a word
  void count_cells();
  [[nodiscard]] static Id left_pointer(Emitter& emitter, Code& code, const Bits& bits);
  [[nodiscard]] Id cell_of(Emitter& emitter, const FollowedAccess& access,
                           const std::vector<Id>& parts, const Emit& emit) const;
  [[nodiscard]] Id look(Emitter& emitter, const Bits& bits, const FollowedAccess& access,
                        Id told) const;
  void look_here(Emitter& emitter, Insertions& code, const FollowedAccess& access,
                 const std::vector<Id>& parts, const Bits& shared, Id own, Id told) const;
  [[nodiscard]] bool followed(const FollowedVariable& variable) const;
  [[nodiscard]] Bits make_bits(Emitter& emitter, bool compact) const;
  [[nodiscard]] Id test_own(Emitter& emitter, Insertions& code, std::vector<Instruction>& at,
                            Id word, Id cell) const;
  void set_own(Emitter& emitter, Insertions& code, std::vector<Instruction>& at, Id word,
               Id cell) const;
  [[nodiscard]] Id start(Emitter& emitter, const Bits& bits, std::uint32_t invocations,
                         const std::vector<Operand>& barrier) const;

  const Initialization& analysis_;
  std::vector<CheckedRead> checked_;
  std::vector<std::size_t> reads_;  // by checked: place in Initialization::all()
  std::string no_room_;
  // Where cells that reads can touch are counted: their number, and the bits of all others, by
  // word.
  std::uint32_t cells_left_ = 0;
  std::vector<std::uint32_t> never_read_;
};

}  // namespace spirv

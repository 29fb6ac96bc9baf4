// New code for a function that is there already: collected by place and put in all at once, so that
// places keep their numbers while it is written. What every probe needs of it besides.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/module/emitter.h"

namespace spirv {

/// Block and instruction, by their numbers in Program::function.
using CodePlace = std::pair<std::size_t, std::size_t>;

class Insertions {
 public:
  /// The module is a copy of the program's, under edit.
  Insertions(const Program& program, Emitter& emitter) : program_(program), emitter_(emitter) {}

  [[nodiscard]] std::vector<Instruction>& before(const CodePlace& at) { return before_[at]; }
  [[nodiscard]] std::vector<Instruction>& after(const CodePlace& at) { return after_[at]; }
  Id emit(std::vector<Instruction>& code, spv::Op op, Id type, std::vector<Operand> operands);
  void call(std::vector<Instruction>& code, Id function, const std::vector<Id>& arguments);
  /// An integer of the kernel as a 32-bit word: sign-extended, cut off, or as it is.
  Id as_word(std::vector<Instruction>& code, Id integer);
  /// The same of one that the code has made, of that type.
  Id as_word(std::vector<Instruction>& code, Id integer, Id type);

  /// One of some numbers, by its index, a word; of an index that is outside the last one.
  Id one_of(std::vector<Instruction>& code, Id index, const std::vector<std::uint64_t>& numbers);

  /// Loads of gl_NumWorkGroups read words of a buffer instead: a launch in pieces is many
  /// dispatches, of which each would tell its own size. Where the size is `known` (else zeros) it
  /// becomes a constant: lanes that are not there read nothing of a buffer, and llvmpipe has them
  /// take part in loops, which would never end.
  void tell_launch_size(Id buffer, const std::array<std::uint32_t, 3>& words,
                        const std::array<std::uint32_t, 3>& known = {});

  /// The kernel's function in the module under edit.
  [[nodiscard]] Function& function();
  [[nodiscard]] CodePlace place_of(Id value) const;
  /// Loops in which something is called are not to be unrolled, whatever their text asks for: all,
  /// or those that hold others, where the code of all turns would be too much for a processor's
  /// cache of instructions; but for loops that count elements of an invocation's own arrays, which
  /// are registers only where they are unrolled.
  enum class Loops : std::uint8_t { all, outer };
  void keep_loops(Loops which);
  /// Puts everything in.
  void apply();
  /// Makes the kernel a function that a new entry point calls between others, so that early returns
  /// come back to the new entry point. Set `idle_lanes` if the device runs lanes that no invocation
  /// has: llvmpipe does where a row of the workgroup does not fill its subgroups. Idle lanes write
  /// nothing and load 0, but they count in loops: a loop that waits for a word in memory does not
  /// end, and other loops end later than those of the invocations. With `idle_lanes`, idle lanes
  /// call no function.
  void wrap_entry(Id begin, const std::vector<Id>& ends, bool idle_lanes = false);

 private:
  [[nodiscard]] bool counts_own_elements(const ControlFlow::Loop& loop) const;
  [[nodiscard]] bool is_counted_by(Id value, const ControlFlow::Loop& loop, int depth) const;

  const Program& program_;
  Emitter& emitter_;
  std::map<CodePlace, std::vector<Instruction>> before_;
  std::map<CodePlace, std::vector<Instruction>> after_;
};

}  // namespace spirv

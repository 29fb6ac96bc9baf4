// Reads of memory that nothing has written: shared memory in its workgroup, an invocation's own
// arrays. Which reads the text says are behind a write, and which have to be looked at as they run.
//
// A read of shared memory is proven when some barrier that it is behind comes after writes of every
// cell that the read can touch: what each invocation surely writes before the barrier is worked out
// cell by cell; of writes in the loop that holds the barrier too, what they write in its first
// turn. A read in a loop, or behind one, that every turn of comes through a barrier is proven when,
// turn by turn, what it touches was written in front of the loop's barriers or of that barrier in
// an earlier turn; what is written stays so, and a place that is the same in every turn needs no
// more of them. A read is proven, too, when the same invocation wrote the same place before, or one
// of its own that was written whichever way a branch in front of it goes. Loops are gone through
// turn by turn where they have one way out that every turn comes by; counters are whatever phis
// start and go on with numbers that are known.
//
// Assumed: all invocations of a workgroup reach a barrier or none (Uniformity sees to that), loops
// end, and a loop that bound_loops() cuts short makes what was found void. Memory that has an
// initializer is written. Cells of a variable are the largest pieces that every access takes whole;
// those of booleans, vectors and structs are scalars, and no padding lies between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/bounds.h"

namespace spirv {

/// A variable that is followed.
struct FollowedVariable {
  Id variable = 0;
  std::string name;
  Id type = 0;
  bool shared = false;
  std::uint64_t scalars = 0;
  std::uint64_t cell_scalars = 1;
  std::uint64_t first_bit = 0;  ///< of its cells, among the shared ones; of others 0
  bool open = false;            ///< some read of it has to be looked at
  [[nodiscard]] std::uint64_t cells() const { return scalars / cell_scalars; }
};

/// An access to one.
struct FollowedAccess {
  AccessPlace place;
  std::uint32_t variable = 0;
  SourceLine at;
  bool reads = false;
  bool writes = false;
  std::uint64_t offset = 0;  ///< scalars
  std::vector<IndexTerm> terms;
  std::uint64_t width = 1;  ///< scalars
  bool proven = false;      ///< a read that is behind a write of all that it can touch
};

class Initialization {
 public:
  /// Both must outlive this. `guessed` is as of Intervals, and the same.
  Initialization(const Program& program, const Intervals& intervals,
                 const LaunchFacts& guessed = {});

  [[nodiscard]] const std::vector<FollowedVariable>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<FollowedAccess>& all() const { return accesses_; }
  /// Memory that is not followed, in words.
  [[nodiscard]] const std::vector<std::string>& not_covered() const { return not_covered_; }
  /// Bits of the cells of shared variables with open reads.
  [[nodiscard]] std::uint64_t shared_bits() const { return shared_bits_; }
  /// Cells of its variable that an access can touch, by the numbers that its indices lie between;
  /// nothing: too many to say. Some may be named twice.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> may_touch(
      const FollowedAccess& access) const;
  /// The indices of a cell, "[3][7]".
  [[nodiscard]] std::vector<std::uint32_t> index_of(std::uint32_t variable,
                                                    std::uint64_t cell) const;

 private:
  using Cells = std::vector<bool>;
  [[nodiscard]] bool is_used(Id value) const;
  using Values = std::map<Id, std::uint64_t>;  // of loop counters
  void find_variables();
  void follow(const Instruction& variable);
  void visit(const AccessPlace& place);
  void add(const AccessPlace& place, Id pointer, bool reads, bool writes,
           std::span<const Operand> part = {});
  void add_load(const AccessPlace& place, const Instruction& load);
  void add_store(const AccessPlace& place, Id pointer, Id value);
  void find_parts();
  void divide_into_cells();
  void drop(std::uint32_t variable, const std::string& why);

  void prove();
  [[nodiscard]] bool own_write(const FollowedAccess& read) const;
  [[nodiscard]] bool behind_barrier(const FollowedAccess& read);
  [[nodiscard]] bool behind_own(const FollowedAccess& read);
  [[nodiscard]] Cells own_before(const FollowedAccess& read);
  [[nodiscard]] bool decides_once(std::size_t branch, const FollowedAccess& read) const;
  [[nodiscard]] Cells either_way(const FollowedAccess& read, std::size_t branch);
  [[nodiscard]] bool behind_turns(const FollowedAccess& read);
  [[nodiscard]] std::vector<AccessPlace> barriers_of_turns(const ControlFlow::Loop& loop) const;
  [[nodiscard]] Cells before_loop(std::uint32_t variable, const ControlFlow::Loop& loop);
  [[nodiscard]] bool turn_by_turn(const FollowedAccess& read, const ControlFlow::Loop& loop,
                                  const AccessPlace& barrier, Cells written);
  [[nodiscard]] std::optional<bool> goes_on(const ControlFlow::Loop& loop, std::size_t test,
                                            std::uint32_t invocation, const Values& values);
  void write_in_turn(std::uint32_t variable, const AccessPlace& barrier,
                     std::vector<Values>& values, Cells& written);
  [[nodiscard]] bool comes(std::size_t block, std::uint32_t invocation, const Values& values);
  [[nodiscard]] bool reads_only(const FollowedAccess& read, std::uint32_t invocation,
                                const Values& values, const Cells& written);
  [[nodiscard]] bool touches_only(const FollowedAccess& read, const Cells& written) const;
  [[nodiscard]] const Cells& before(std::uint32_t variable, const AccessPlace& barrier);
  [[nodiscard]] std::vector<const ControlFlow::Loop*> loops_before(const FollowedAccess& write,
                                                                   const AccessPlace& until) const;
  [[nodiscard]] bool is_in_front(const FollowedAccess& write, std::size_t anchor,
                                 const AccessPlace& until) const;
  void write_before(const FollowedAccess& write, const AccessPlace& until, std::uint32_t invocation,
                    Cells& written);
  [[nodiscard]] bool surely_runs(std::size_t block, const AccessPlace& until,
                                 std::uint32_t invocation, const Values& values, int depth);
  [[nodiscard]] Values in_first_turn(std::size_t block, const AccessPlace& until,
                                     std::uint32_t invocation);
  struct Counter {
    Id phi = 0;
    std::uint64_t now = 0;
    Id next = 0;
  };
  [[nodiscard]] std::optional<std::size_t> only_test(const ControlFlow::Loop& loop) const;
  [[nodiscard]] std::vector<Counter> counters(const ControlFlow::Loop& loop,
                                              std::uint32_t invocation, const Values& values);
  [[nodiscard]] bool step(std::vector<Counter>& counted, std::uint32_t invocation, Values& values);
  void write_in_loops(const FollowedAccess& write, std::vector<const ControlFlow::Loop*> loops,
                      std::uint32_t invocation, Values& values, Cells& written);
  void write_cells(const FollowedAccess& write, std::uint32_t invocation, const Values& values,
                   Cells& written);
  [[nodiscard]] std::optional<std::uint64_t> value(Id id, std::uint32_t invocation,
                                                   const Values& values, int depth);
  [[nodiscard]] bool is_precedent(const AccessPlace& a, const AccessPlace& b) const;
  [[nodiscard]] bool is_loop_bound(Id condition) const;
  [[nodiscard]] Id unbounded(Id condition) const;

  const Program& program_;
  const Intervals& intervals_;
  InvocationValues known_;
  std::vector<FollowedVariable> variables_;
  std::vector<FollowedAccess> accesses_;
  std::vector<std::string> not_covered_;
  std::vector<bool> dropped_;
  // Loads of which only these components are read; the rest is what others are put into.
  std::map<Id, std::vector<std::span<const Operand>>> in_parts_;
  std::map<std::pair<std::uint32_t, AccessPlace>, Cells> before_;
  std::vector<std::size_t> order_;        // place of a block in reverse postorder
  std::uint64_t asked_ = 0;               // a moment of write_in_loops()
  std::vector<std::uint64_t> asked_for_;  // by counter: the last in which its number was asked for
  // How a branch that nothing is known of goes, while both ways are gone through.
  struct Assumed {
    std::size_t branch;
    bool taken;
  };
  std::optional<Assumed> assumed_;
  std::uint64_t shared_bits_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace spirv

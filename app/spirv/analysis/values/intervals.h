// Between which numbers an integer lies, at a place of the program: is an index inside its array?
// Abstract interpretation over SSA form with widening and narrowing (Cousot and Cousot 1977), every
// value once, and what a block is behind applied where the value is used.
//
// Assumed: SSA form. A condition that a block is behind (its branch's edge dominates the block, or
// every way into a merge of conditions says the same) holds of the value that the block sees,
// because whoever computes the value anew comes through the condition again. The same operation on
// the same operands is the same number wherever it stands, and so is the same word of what does not
// change in a launch: push constants and built-ins. Operations whose result is undefined can give
// anything. The counter of a counted loop has no number but those of its steps, nor do others that
// go on with it from a constant (counted_loop.h).
// The numbers hold for Program::launch alone: as many workgroups, these push constants, buffers of
// these sizes; and where how subgroups lie or what workgroups draw is guessed, for launches in
// which it is so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/values/counted_loop.h"
#include "spirv/analysis/values/interval.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

class Intervals {
 public:
  /// `program` must outlive this. Of what is guessed the subgroup and the ticket are gone by:
  /// whoever guesses has to look while the kernel runs (OrderPlan::guesses).
  explicit Intervals(const Program& program, const LaunchFacts& guessed = {});

  /// What a scalar integer can be where a block uses it; everything for what is none.
  /// Where the block is not behind the value's own instruction, the value stands for its operation
  /// carried out in the block: what the instruction's block knows does not count there.
  [[nodiscard]] Interval of(Id value, std::size_t block) const;
  /// Is it always less than `length`, as an unsigned number?
  [[nodiscard]] bool below(Id value, std::size_t block, std::uint64_t length) const;
  /// What a condition always is where a block branches on it; nothing where both can be.
  [[nodiscard]] std::optional<bool> always(Id condition, std::size_t block) const {
    return always(condition, block, 4);
  }
  /// False: a block is behind a condition that never comes out so in this launch.
  [[nodiscard]] bool may_run(std::size_t block) const { return may_run(block, 4); }
  /// The first value of the text that is the same number as this one.
  [[nodiscard]] Id same(Id id) const { return id < same_.size() ? same_[id] : id; }

 private:
  [[nodiscard]] std::optional<bool> always(Id condition, std::size_t block, int depth) const;
  [[nodiscard]] bool may_run(std::size_t block, int depth) const;
  struct Fact {
    Id condition = 0;
    bool truth = false;
    std::size_t at = 0;  ///< block that branches on it
  };
  void find_same();
  [[nodiscard]] std::string key_of(const Instruction& i) const;
  [[nodiscard]] std::optional<Fact> on_edge(std::size_t from, std::size_t to) const;
  void find_facts();
  void find_steps();
  [[nodiscard]] Fact plain(Fact fact) const;
  void find_counters();
  [[nodiscard]] static Interval on_its_steps(const CountedLoop& counted, const Interval& now);
  void find_known();
  void run();
  bool visit(const Instruction& i, std::size_t block, int round);
  bool narrow(const Instruction& i, std::size_t block);

  [[nodiscard]] std::uint32_t width_of(Id type) const;
  [[nodiscard]] std::uint32_t components_of(Id type) const;
  /// Is a block behind the instruction of a value, so that all that is known there holds of what
  /// the block sees?
  [[nodiscard]] bool holds_at(Id value, std::size_t block) const {
    return program_.flow.dominates(program_.block_of(value), block);
  }
  [[nodiscard]] Interval at(Id value, std::uint32_t component, std::size_t block, int depth) const;
  [[nodiscard]] Interval evaluate(const Instruction& i, std::uint32_t component, std::size_t block,
                                  int depth) const;
  [[nodiscard]] Interval phi(const Instruction& i, std::uint32_t component, int depth) const;
  [[nodiscard]] Interval load(const Instruction& i, std::uint32_t component) const;
  [[nodiscard]] Interval built_in(spv::BuiltIn kind, std::uint32_t component) const;
  [[nodiscard]] Interval select(const Instruction& i, std::uint32_t component, std::size_t block,
                                int depth) const;
  [[nodiscard]] Interval glsl(const Instruction& i, std::uint32_t component, std::size_t block,
                              int depth) const;
  [[nodiscard]] Interval part(const Instruction& i, std::uint32_t component, std::size_t block,
                              int depth) const;
  [[nodiscard]] Interval by_fact(const Fact& fact, Id value, Interval now, int depth) const;
  [[nodiscard]] Interval by_phi(const Instruction& condition, const Fact& fact, Id value,
                                const Interval& now, int depth) const;
  [[nodiscard]] Interval by_comparison(const Instruction& condition, const Fact& fact, Id value,
                                       const Interval& now, int depth) const;
  [[nodiscard]] Interval through(const Instruction& operation, Id value, const Interval& result,
                                 const Interval& now) const;

  const Program& program_;
  LaunchFacts guessed_;
  InvocationValues values_;
  std::map<Id, CountedLoop> counters_;
  std::map<Id, std::pair<std::uint64_t, std::uint64_t>> stepped_;  // least and most
  std::vector<Id> same_;
  std::vector<std::uint64_t> steps_;            // likely bounds of counters
  std::vector<std::vector<Fact>> facts_;        // by block: of all branches that it is behind
  std::vector<std::vector<Interval>> value_;    // by id, component; none: no integer
  std::vector<std::optional<Interval>> known_;  // by id: from invocation ids alone
};

}  // namespace spirv

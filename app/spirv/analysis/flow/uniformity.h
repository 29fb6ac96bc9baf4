// Which values and places all invocations of a workgroup share. A barrier in a place that some
// invocations reach and others do not is divergent, and undefined (Vulkan: OpControlBarrier must be
// in workgroup-uniform control flow).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/analysis/flow/phases.h"
#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

/// Lines are of the kernel's source, from 1; 0 where the module tells none.
struct DivergentBarrier {
  SourceLine barrier;
  SourceLine condition;
  std::uint32_t entry_line = 0;
  /// A condition is worked out from what differs from launch to launch, such as push constants and
  /// workgroup ids: else all launches are like this one.
  bool by_launch = false;
};

/// How alike a value is in the invocations that hold it, a place in those that could come to it.
enum class Alike : std::uint8_t {
  uniform,    ///< by the text alone
  undecided,  ///< what memory holds or how the device makes subgroups decides
  divergent,  ///< the text makes it differ, whatever memory holds
};

/// A branch that decides whether barriers are reached, and at which invocations may part: whether
/// they do in a launch is found out while it runs.
struct PartingBranch {
  std::size_t block = 0;
  SourceLine condition;
  std::vector<SourceLine> barriers;
  Alike alike = Alike::undecided;
  bool votable = true;  ///< invocations can compare what they came with: a word
};

/// Forward data-flow over SSA, on the lattice uniform < undecided < divergent.
///
/// - Uniform: push constants, uniform blocks, specialization constants, workgroup ids, read-only
///   memory at uniform places, index arithmetic that comes out the same in every invocation, and
///   what is computed from them. Shared memory read at a uniform place, when nothing writes it in
///   the same phase. In a workgroup of one invocation, everything.
/// - Undecided: memory that others may write, or at a place that differs; what subgroups compute
///   together; comparisons of values that differ by one and the same amount from invocation to
///   invocation.
/// - Divergent: ids of invocations and lanes, what atomics return, shared memory at a uniform place
///   into which invocations have just put different values, and what is computed from those.
///
/// What is merged behind a branch is as alike as its condition, and so is what leaves a loop that
/// invocations leave at different times.
///
/// Assumed: memory that nothing in the kernel writes through a variable of its own is not written
/// during the launch (buffer references are not seen). Undecided
/// is for barriers alone: it never makes a proof. Whoever lets a barrier run that is not in a
/// uniform place must check the branches of parting_branches() while it runs.
class Uniformity {
 public:
  Uniformity(const Program& program, const Phases& phases);

  [[nodiscard]] bool uniform(Id value) const { return alike_[value] == Alike::uniform; }
  /// Do all invocations that come to a block hold the same value there? Behind a loop that they
  /// leave at different iterations a value of each iteration is not.
  [[nodiscard]] bool uniform_in(Id value, std::size_t block) const {
    return alike_in(value, block) == Alike::uniform;
  }
  /// Do either all invocations of a workgroup that are still running come here, or none?
  [[nodiscard]] Alike block(std::size_t block) const { return block_[block]; }
  /// Workgroup barriers in divergent places, in source order.
  [[nodiscard]] std::vector<DivergentBarrier> divergent_barriers() const;
  /// The branches that barriers in other than uniform places depend on, outer ones too: where
  /// invocations agree at each of them, they agree on the barriers.
  [[nodiscard]] std::vector<PartingBranch> parting_branches() const;

 private:
  struct Write {
    std::size_t block = 0;
    std::size_t instruction = 0;
    std::size_t segment = 0;
  };
  void find_writes();
  void run();
  bool visit(std::size_t block, const Instruction& i);
  bool spread_control();
  [[nodiscard]] Alike alike_in(Id value, std::size_t block) const;
  [[nodiscard]] Alike result_of(std::size_t block, const Instruction& i);
  [[nodiscard]] Alike load(std::size_t block, const Instruction& i) const;
  [[nodiscard]] Alike content(std::size_t block, const Instruction& i, Id pointer) const;
  [[nodiscard]] Alike shared_load(std::size_t block, const Instruction& i, Id variable) const;
  [[nodiscard]] Alike image_read(std::size_t block, const Instruction& i) const;
  [[nodiscard]] Alike input(Id variable) const;
  [[nodiscard]] Alike phi(std::size_t block, const Instruction& i) const;
  [[nodiscard]] Alike operands(std::size_t block, const Instruction& i) const;
  [[nodiscard]] Alike subgroup(std::size_t block, const Instruction& i) const;
  [[nodiscard]] Alike branch(std::size_t block) const;
  [[nodiscard]] bool votable(std::size_t block) const;
  [[nodiscard]] std::vector<std::size_t> all_controllers(std::size_t block) const;
  [[nodiscard]] bool by_launch(Id value) const;
  [[nodiscard]] bool same_offsets(Id a, Id b);
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> offsets(Id value, int depth);
  [[nodiscard]] SourceLine branch_line(std::size_t block) const;
  [[nodiscard]] SourceLine condition_line(std::size_t block) const;
  [[nodiscard]] Id written_variable(const Instruction& i) const;

  const Program& program_;
  const Phases& phases_;
  InvocationValues values_;                 ///< of values that the text alone determines
  InvocationValues relative_;               ///< up to what is not divergent
  std::vector<Alike> alike_;                // by id
  std::vector<Alike> variable_;             // by id: what function-local memory holds
  std::vector<bool> written_;               // by id of a variable in memory that others see
  std::vector<std::vector<Write>> writes_;  // by id of a shared variable
  std::vector<Alike> block_;
  std::vector<Alike> join_;  // blocks where ways that a branch parted meet
};

}  // namespace spirv

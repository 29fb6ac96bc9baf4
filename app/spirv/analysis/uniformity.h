// Which values and places all invocations of a workgroup share. A barrier in a place that some
// invocations reach and others do not is divergent, and undefined (Vulkan: OpControlBarrier must be
// in workgroup-uniform control flow).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/analysis/invocation_values.h"
#include "spirv/analysis/phases.h"
#include "spirv/analysis/program.h"

namespace spirv {

/// Lines are of the kernel's source, from 1; 0 where the module tells none.
struct DivergentBarrier {
  SourceLine barrier;
  SourceLine condition;
  std::uint32_t entry_line = 0;
};

/// Forward data-flow over SSA: built-ins that differ between invocations, memory that others may
/// write, atomics and subgroup operations are divergent; so is what is computed from them, what is
/// merged behind a divergent branch, and what leaves a loop that invocations leave at different
/// times. Push constants, uniform buffers, specialization constants, workgroup ids and read-only
/// memory at uniform places are uniform. Shared memory read at a uniform place is uniform when
/// nothing writes it in the same phase.
class Uniformity {
 public:
  Uniformity(const Program& program, const Phases& phases);

  [[nodiscard]] bool uniform(Id value) const;
  /// Do all invocations that come to a block hold the same value there? Behind a loop that they
  /// leave at different iterations a value of each iteration is not.
  [[nodiscard]] bool uniform_in(Id value, std::size_t block) const {
    return !divergent_in(value, block);
  }
  /// Do either all invocations of a workgroup that are still running come here, or none?
  [[nodiscard]] bool uniform_block(std::size_t block) const { return !divergent_block_[block]; }
  /// Workgroup barriers in divergent places, in source order.
  [[nodiscard]] std::vector<DivergentBarrier> divergent_barriers() const;

 private:
  void find_writes();
  void run();
  bool visit(std::size_t block, const Instruction& i);
  bool spread_control();
  [[nodiscard]] bool divergent_in(Id value, std::size_t block) const;
  [[nodiscard]] bool divergent_result(std::size_t block, const Instruction& i) const;
  [[nodiscard]] bool divergent_load(std::size_t block, const Instruction& i) const;
  [[nodiscard]] bool divergent_phi(std::size_t block, const Instruction& i) const;
  [[nodiscard]] bool any_operand_divergent(std::size_t block, const Instruction& i) const;
  [[nodiscard]] bool branches_divergently(std::size_t block) const;
  [[nodiscard]] SourceLine condition_line(std::size_t block) const;

  const Program& program_;
  const Phases& phases_;
  InvocationValues values_;                       ///< of values that the text alone determines
  std::vector<bool> divergent_;                   // by id
  std::vector<bool> divergent_variable_;          // by id: what function-local memory holds
  std::vector<bool> written_;                     // by id of a variable in memory that others see
  std::vector<std::vector<std::size_t>> writes_;  // by id of a shared variable: segments of writes
  std::vector<bool> divergent_block_;
  std::vector<bool> join_;  // blocks behind a divergent branch where ways meet
};

}  // namespace spirv

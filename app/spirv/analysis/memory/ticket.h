// A number that each workgroup draws for itself: the block of work that it takes.
#pragma once

#include <map>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/flow/uniformity.h"

namespace spirv {

/// Shared words into which a kernel stores at one place in the text, and there what an atomic
/// addition to a buffer returns.
class DrawnNumbers {
 public:
  explicit DrawnNumbers(const Program& program);

  /// The store to a shared variable; null: it is not such a word.
  [[nodiscard]] const Instruction* store_to(Id variable) const;
  /// The result of the addition that a store keeps; 0: it is none's.
  [[nodiscard]] Id by(const Instruction& store) const;

 private:
  const Program& program_;
  std::map<Id, const Instruction*> stores_;  // null: written otherwise
};

/// Does every invocation that starts come to a block, and once?
[[nodiscard]] bool all_come_once(const Program& program, std::size_t block);

/// The first load of such a word, in text order, that every invocation comes to once and where all
/// of a workgroup read the same; 0: there is none.
///
/// That no two workgroups draw the same number, and none one that is not below their count, is what
/// such kernels mean and not what the text tells: somebody may set the counter back too early.
/// Whoever proves anything by it has to look while the kernel runs (OrderPlan::guesses).
[[nodiscard]] Id find_ticket(const Program& program, const Uniformity& uniformity);

}  // namespace spirv

// The reads of memory that a value is computed from. Values alone are followed: not the indices
// that a read uses, and not the conditions that decide whether code runs.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

class ValueFlow {
 public:
  explicit ValueFlow(const Program& program);

  /// A read, by its result; of OpCopyMemory by the pointer that it reads through.
  struct Source {
    Id read = 0;
    bool carried = false;  ///< through a variable or an OpPhi that a loop computes from itself
  };
  /// Ascending by their ids.
  [[nodiscard]] std::vector<Source> sources_of(Id value) const;

 private:
  [[nodiscard]] bool is_own(Id pointer) const;
  [[nodiscard]] std::vector<Id> inputs_of(Id value) const;
  void find_cycles(Id value) const;

  const Program& program_;
  std::map<Id, std::vector<Id>> stored_;  // into each variable of an invocation
  std::set<Id> reads_;                    // of all other memory
  mutable std::map<Id, bool> in_cycle_;   // computed from itself; of values that were asked for
};

}  // namespace spirv

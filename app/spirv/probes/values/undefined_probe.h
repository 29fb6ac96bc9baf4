// The check of undefined values, as a part of the probe that checks a kernel: each value that may
// be undefined gets a mask with a bit for each of its scalars, computed beside it.
#pragma once

#include <map>
#include <vector>

#include "spirv/analysis/values/undefined_values.h"
#include "spirv/probes/insertions.h"

namespace spirv {

/// Uses of values that come from the same sources: they are reported as one.
struct CheckedUses {
  UndefinedParts parts;             ///< by bit of the reported word
  std::vector<SourceLine> at;       ///< of the uses
  std::vector<std::size_t> blocks;  ///< of the uses
};

class UndefinedProbe {
 public:
  /// `values` must outlive this. Nothing is written yet.
  explicit UndefinedProbe(const UndefinedValues& values, const Program& program);

  [[nodiscard]] const std::vector<CheckedUses>& checked() const { return checked_; }
  /// There are more uses than can be checked.
  [[nodiscard]] bool is_cut() const { return cut_; }
  /// Writes the checks. `told` has a private word for each, 0 at the start: then the scalars that
  /// were undefined, a bit each.
  void write(const Program& program, Emitter& emitter, Insertions& code,
             const std::vector<Id>& told);

 private:
  class Writer;

  const UndefinedValues& values_;
  std::vector<CheckedUses> checked_;
  std::vector<std::size_t> told_as_;  // by use
  bool cut_ = false;
};

}  // namespace spirv

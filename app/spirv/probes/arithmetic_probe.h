// Notes on arithmetic, as a part of the probe that checks a kernel: NaN and infinity stored in
// buffers, whole numbers divided by zero, shifts by as many bits as there are or more.
//
// What no invocation can do needs no look: divisors and distances that Intervals keeps apart from
// zero, below the width. Vectors are looked at component by component.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/analysis/memory/bounds.h"
#include "spirv/probes/insertions.h"

namespace spirv {

struct CheckedOperation {
  enum class Kind { stored, division, shift };
  Kind kind = Kind::stored;
  SourceLine at;
  std::string variable;    ///< stored in
  std::uint32_t bits = 0;  ///< of what is shifted
  AccessPlace place;
};

class ArithmeticProbe {
 public:
  ArithmeticProbe(const Program& program, const Intervals& intervals);

  [[nodiscard]] const std::vector<CheckedOperation>& checked() const { return checked_; }
  /// `told` has a private word for each: then the bits of the number that was stored, 1, or the
  /// distance.
  void write(const Program& program, Emitter& emitter, Insertions& code,
             const std::vector<Id>& told) const;

 private:
  void visit(const Program& program, const Intervals& intervals, const AccessPlace& place);

  std::vector<CheckedOperation> checked_;
};

}  // namespace spirv

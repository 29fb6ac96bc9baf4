// Writes code that reduces a stored value to one word a cell, so that equal values give equal
// words.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/module/emitter.h"

namespace spirv {

/// A vector, and the type of its scalars.
struct WideVector {
  Id value = 0;
  Id scalar = 0;
};
/// A vector of 8- or 16-bit scalars as a vector of 32-bit scalars of the same kind. Zeros if `type`
/// is no such vector. Without the capability for arithmetic on such scalars (Float16, Int16, Int8)
/// a vector of them may be converted, but no component may be extracted. Code goes to the end of
/// `code`.
[[nodiscard]] WideVector widened(const Program& program, Emitter& emitter,
                                 std::vector<Instruction>& code, Id vector, Id type);
/// Whether a component of `composite` may be extracted: not if it holds 8- or 16-bit scalars that
/// the module may only load, store and convert.
[[nodiscard]] bool may_extract(const Program& program, Id composite);

class ValueHash {
 public:
  /// Code goes to the end of `code`.
  ValueHash(const Program& program, Emitter& emitter, std::vector<Instruction>& code)
      : program_(program), emitter_(emitter), code_(code) {}

  /// One word a cell of `size` scalars for a value of `type` that is `width` scalars wide. A value
  /// that is not known (0) or very wide hashes to the word for "several values". Words are below
  /// 2^31 else.
  [[nodiscard]] std::vector<Id> cells(Id value, Id type, std::uint64_t width, std::uint64_t size);

 private:
  void flatten(Id value, Id type, std::vector<Id>& words);
  [[nodiscard]] Id word_of(Id scalar, Id type);
  Id emit(spv::Op op, Id type, std::vector<Operand> operands);

  const Program& program_;
  Emitter& emitter_;
  std::vector<Instruction>& code_;
};

}  // namespace spirv

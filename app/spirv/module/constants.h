// Values of constants after specialization.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/module/module.h"

namespace spirv {

/// Specialization: SpecId to the constant's bits. Constants wider than 32 bits take it as their low
/// word.
using SpecValues = std::map<std::uint32_t, std::uint32_t>;

/// Evaluates constants, specialization constants and the expressions over them (OpSpecConstantOp on
/// integers and booleans; SPIR-V specification, section 3.42.7). Several constants may share a
/// SpecId.
class Constants {
 public:
  /// `definitions` must outlive this.
  Constants(const Definitions& definitions, SpecValues values);

  /// The bits of a scalar constant, zero-extended from its width (booleans: 0 or 1). Nothing for an
  /// id that is not a constant, or whose expression is not understood.
  [[nodiscard]] std::optional<std::uint64_t> scalar(Id id) const;
  /// One component of a composite constant.
  [[nodiscard]] std::optional<std::uint64_t> component(Id id, std::uint32_t index) const;

  /// A value that is no constant of the module, but the same in the whole launch, is known: of a
  /// scalar, or one component of a vector.
  void assume(Id id, std::uint64_t bits) { assumed_[{id, whole}] = bits; }
  void assume(Id id, std::uint32_t index, std::uint64_t bits) { assumed_[{id, index}] = bits; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> evaluate(Id id, int depth) const;
  [[nodiscard]] std::optional<std::uint64_t> member(Id id, std::uint32_t index, int depth) const;
  [[nodiscard]] std::optional<std::uint64_t> expression(const Instruction& i, int depth) const;

  static constexpr std::uint32_t whole = 0xFFFFFFFF;
  const Definitions& definitions_;
  SpecValues values_;
  std::map<std::pair<Id, std::uint32_t>, std::uint64_t> assumed_;
};

/// Bits of a scalar type: 1 for a boolean, 64 for an address of memory (a buffer reference), 0 for
/// a type that is not a scalar.
[[nodiscard]] std::uint32_t scalar_width(const Definitions& definitions, Id type);

/// One integer or boolean operation on bit patterns of `width` bits; nothing for an operation that
/// is not understood or whose result is undefined (division by zero). Comparisons give 0 or 1.
[[nodiscard]] std::optional<std::uint64_t> fold(spv::Op op, std::uint32_t width, std::uint64_t a,
                                                std::uint64_t b);

}  // namespace spirv

// Values that may be undefined: those that come from a local variable before its first write, and
// those that a shuffle or a broadcast takes from a lane that is not active. A value is followed
// through operations up to where it decides something: a branch, an address, or what is stored in
// memory that others see. Moving an undefined value, or computing with it and not using the result,
// is no fault.
//
// Scalars of a value are followed one by one. Not followed: what is stored in an invocation's own
// arrays, and values of more than most_unset_scalars scalars.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// An origin of undefined values.
struct UndefinedSource {
  Id value = 0;           ///< the first value of a variable; the result of a subgroup operation
  std::string variable;   ///< empty: a lane
  std::string operation;  ///< of a lane: "subgroupShuffleDown"
};

/// A scalar of a source, and the first operation on it: block and instruction. No operation: it was
/// only moved.
struct UndefinedPart {
  std::uint32_t source = 0;
  std::uint32_t scalar = 0;
  std::optional<std::pair<std::size_t, std::size_t>> reader;
  auto operator<=>(const UndefinedPart&) const = default;
};

/// For each scalar of a value, the undefined parts that it may contain, ascending.
using UndefinedParts = std::vector<std::vector<UndefinedPart>>;

/// A use that decides something.
struct UndefinedUse {
  std::pair<std::size_t, std::size_t> place;
  Id value = 0;
  std::uint32_t scalars = 0;  ///< those that matter, a bit each
};

class UndefinedValues {
 public:
  struct Wanted {
    bool variables = true;
    bool lanes = true;
  };
  /// `program` must outlive this.
  UndefinedValues(const Program& program, const Wanted& wanted);

  [[nodiscard]] const std::vector<UndefinedSource>& sources() const { return sources_; }
  [[nodiscard]] const std::vector<UndefinedUse>& uses() const { return uses_; }
  /// Values that may be undefined and reach a use.
  [[nodiscard]] const std::map<Id, UndefinedParts>& values() const { return values_; }
  /// The index of a scalar of a source, as of index_of_scalar(); empty for a lane.
  [[nodiscard]] std::vector<std::uint32_t> index_of(const UndefinedPart& part) const;

  /// Scalars of a part of a composite: the first, and how many. `i` names the part from operand
  /// `from` on.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> part_of(Id type, const Instruction& i,
                                                                std::size_t from) const;
  /// Each scalar of the result depends on that scalar of each operand alone, or on a scalar
  /// operand.
  [[nodiscard]] bool by_component(const Instruction& i) const;
  [[nodiscard]] std::uint32_t scalars(Id value) const;

 private:
  using Place = std::pair<std::size_t, std::size_t>;
  [[nodiscard]] UndefinedParts first_of(const Instruction& i, const Place& place);
  [[nodiscard]] UndefinedParts result_of(const Instruction& i, const Place& place) const;
  void find_uses(const Instruction& i, const Place& place);
  void use(const Place& place, Id value, std::uint32_t scalars = 0xFFFFFFFF);
  void use_texel(const Instruction& i, const Place& place);
  void keep_used();

  const Program& program_;
  Wanted wanted_;
  std::vector<UndefinedSource> sources_;
  std::map<Id, UndefinedParts> values_;
  std::vector<UndefinedUse> uses_;
};

/// Subgroup operations that take a value from one other lane.
[[nodiscard]] bool reads_lane(spv::Op op);

}  // namespace spirv

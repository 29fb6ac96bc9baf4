// What an integer or boolean value is in every invocation of a workgroup, as far as the program
// text tells: index arithmetic on the built-ins is simply carried out for every invocation, which
// is exact for any mix of shifts, divisions and bit tricks.
//
// Assumed: the module is canonical, so that its local size and constants are those of the launch;
// push constants and uniform blocks do not change during a launch; LocalInvocationIndex counts as
// Vulkan says it does. Arithmetic is that of the value's own width, modulo 2^width; an operation
// whose result is undefined for some invocation (division by zero) is not known for any. A value
// with a term is known only up to the unknown's value *where the unknown was computed*: whoever
// compares two of them has to ask whether both see the same one (Proofs::steady).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// A value that all invocations of a workgroup share, but that is not known here: a push constant,
/// the workgroup's id, a uniform loop counter. Numbered by InvocationValues.
using Unknown = std::uint32_t;

/// known[i] plus the sum of terms, modulo 2^width, in invocation i (of LocalInvocationIndex i).
struct InvocationValue {
  std::uint32_t width = 32;
  std::vector<std::uint64_t> known;        ///< one for all invocations alike, or one each
  std::map<Unknown, std::uint64_t> terms;  ///< factor of each unknown, never 0

  [[nodiscard]] std::uint64_t in(std::uint32_t invocation) const {
    return known.size() == 1 ? known.front() : known[invocation];
  }
  /// The same number in every invocation, fully known.
  [[nodiscard]] bool constant() const { return known.size() == 1 && terms.empty(); }
};

/// What is known of a launch beyond the text; nothing: what holds for all launches.
struct LaunchFacts {
  std::array<std::uint32_t, 3> groups{0, 0, 0};       ///< ids of workgroups are below; 0: not known
  std::array<std::uint32_t, 3> told{0, 0, 0};         ///< what gl_NumWorkGroups is; 0: not known
  std::vector<std::uint32_t> push_constants;          ///< words; none: not known
  std::optional<std::array<std::uint32_t, 3>> group;  ///< the one workgroup that is asked about
  /// Of how many invocations a subgroup is, where LocalInvocationIndex goes through one subgroup
  /// after the other, lane by lane; 0: not known. Vulkan does not say that it does.
  std::uint32_t subgroup = 0;
  /// A number that no two workgroups share and that is below how many they are (find_ticket()); 0:
  /// none is known to be.
  Id ticket = 0;
  /// Workgroups side by side that share a piece of work (find_team()): a divisor of groups[0],
  /// where the other dimensions are 1. The workgroup's id is then its seat in its team, which
  /// stands for dimension 0, plus so many times the team's number, which stands for dimension 1. 0:
  /// ids are not taken apart.
  std::uint32_t team = 0;
  bool counts_from_zero = false;  ///< the word that workgroups count themselves in (Arrival) was 0
};

class InvocationValues {
 public:
  /// `uniform` says of a value whether all invocations share it at the same place of the same
  /// iteration; such values become unknowns. `program` must outlive this.
  InvocationValues(const Program& program, std::function<bool(Id)> uniform,
                   LaunchFacts launch = {});

  /// Null: not a number, or different between invocations in a way that is not known.
  [[nodiscard]] const InvocationValue* of(Id id) { return of(id, whole); }

  /// How many there are of what stands for a dimension of the workgroup's id; 0: not known.
  [[nodiscard]] std::uint32_t groups(std::uint32_t dimension) const;

  /// The instruction that an unknown stands for; 0: it keeps its value during the whole launch.
  [[nodiscard]] Id defined_by(Unknown unknown) const { return unknowns_[unknown]; }
  /// The dimension of the workgroup's id that an unknown is; nothing for others. Of teams 0 and 1.
  [[nodiscard]] std::optional<std::uint32_t> group_dimension(Unknown unknown) const;
  /// True if workgroups may have different values of an unknown that is no dimension of their id: a
  /// quotient of the id. Within a workgroup it is one number.
  [[nodiscard]] bool varies_by_group(Unknown unknown) const {
    return quotients_of_ids_.contains(unknown);
  }

 private:
  static constexpr std::uint32_t whole = 0xFFFFFFFF;
  using Result = std::optional<InvocationValue>;

  [[nodiscard]] const InvocationValue* of(Id id, std::uint32_t component);
  [[nodiscard]] Result compute(Id id, std::uint32_t component);
  [[nodiscard]] Result instruction(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result merged(const Instruction& phi, std::uint32_t component);
  [[nodiscard]] bool is_taken(std::size_t from, std::size_t to);
  [[nodiscard]] Result load(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result built_in(spv::BuiltIn built_in, std::uint32_t component);
  [[nodiscard]] Result of_subgroup(spv::BuiltIn built_in, const std::string& key);
  [[nodiscard]] InvocationValue group_id(const std::string& key, std::uint32_t dimension);
  [[nodiscard]] Result push_constant(const PointerPath& path, const Instruction& i,
                                     std::uint32_t component) const;
  [[nodiscard]] Result global_id(std::uint32_t component);
  [[nodiscard]] Result extract(const Instruction& i);
  [[nodiscard]] Result shuffle(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result construct(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result select(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result convert(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result binary(const Instruction& i, std::uint32_t component);
  [[nodiscard]] Result divide(spv::Op op, const InvocationValue& a, const InvocationValue& b);
  [[nodiscard]] Result decided(spv::Op op, const InvocationValue& a,
                               const InvocationValue& b) const;
  [[nodiscard]] Result of_team(bool quotient, std::uint64_t by, const InvocationValue& id) const;
  [[nodiscard]] Result least(const Instruction& i, std::uint32_t component);
  [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> over_all_groups(
      const InvocationValue& value) const;
  [[nodiscard]] Result unknown(const std::string& key, Id definition, std::uint32_t width);
  [[nodiscard]] std::uint32_t element_width(Id type) const;
  [[nodiscard]] InvocationValue per_invocation(std::uint32_t dimension) const;

  const Program& program_;
  std::function<bool(Id)> uniform_;
  std::unordered_map<std::uint64_t, Result> cache_;
  std::unordered_map<std::string, Unknown> unknown_of_;
  std::vector<Id> unknowns_;
  LaunchFacts launch_;
  std::map<Unknown, std::uint32_t> group_ids_;
  std::set<Unknown> quotients_of_ids_;
};

/// Workgroups larger than this are not evaluated invocation by invocation.
inline constexpr std::uint32_t evaluated_invocations = 4096;

}  // namespace spirv

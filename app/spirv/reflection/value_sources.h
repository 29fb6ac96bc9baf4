// What a value is made from: members of blocks, contents of buffers and images, lengths, ids,
// results of atomics.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "spirv/module/module.h"
#include "spirv/reflection/reflect.h"

namespace spirv {

struct ValueSources {
  std::set<std::pair<Id, MemberPath>> members;  ///< of the block in a variable
  std::set<Id> contents;                        ///< buffers and images whose elements it depends on
  std::set<Id> variables;                       ///< shared and private ones that it passed through
  bool length = false;                          ///< of an array, or an image's size
  bool workgroup = false;                       ///< which workgroup the invocation belongs to
  bool atomic = false;                          ///< what an atomic returned
  bool subgroup = false;                        ///< how invocations make up subgroups
};

/// Follows data, not control: a branch that decides whether a value is used is no source of it.
/// The module must outlive this.
class ValueOrigins {
 public:
  enum class Follow : std::uint8_t {
    data,    ///< what is computed with
    choices  ///< also what chooses: conditions of selections, and which element a store writes
  };

  explicit ValueOrigins(const Module& module);

  [[nodiscard]] ValueSources of(Id value) const { return of(std::vector<Id>{value}); }
  /// Of all of the values together.
  [[nodiscard]] ValueSources of(std::vector<Id> values, Follow follow = Follow::data) const;

 private:
  void from_pointer(Id pointer, ValueSources& found, std::vector<Id>& left,
                    std::set<Id>& seen) const;
  void from_stores(Id variable, ValueSources& found, std::vector<Id>& left) const;
  void from_variable(const Instruction& variable, const std::vector<Id>& indices,
                     ValueSources& found, std::vector<Id>& left) const;
  void from_built_in(Id variable, ValueSources& found) const;
  [[nodiscard]] std::set<Id> roots(Id pointer) const;
  void note(const Instruction& i);

  Definitions definitions_;
  std::map<Id, std::vector<Id>> arguments_;  // by parameter
  std::map<Id, std::vector<Id>> returned_;   // by function
  std::map<Id, std::vector<Id>> stored_;     // by variable
  std::map<Id, std::vector<Id>> placed_;     // by variable: indices of stores to it
  std::set<Id> exchanged_;                   // variables that atomics set to different values
};

/// The indices that decide where an instruction reads or writes memory, or the coordinates of its
/// texel. Empty for others.
[[nodiscard]] std::vector<Id> place_values(const Definitions& definitions, const Instruction& i);
/// All indices of access chains and whole coordinates of images.
[[nodiscard]] std::vector<Id> index_values(const Module& module);
/// The amounts of all shifts.
[[nodiscard]] std::vector<Id> shift_amounts(const Module& module);

}  // namespace spirv

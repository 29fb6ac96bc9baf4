// Chosen launch values that a finding depends on, and findings that follow from others.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/dispatch.h"
#include "spirv/analysis/examination.h"
#include "spirv/probes/bounds_probe.h"
#include "spirv/reflection/value_sources.h"

namespace lab {

/// Whether there can be a buffer that is long enough for an index: 2 GiB at most.
[[nodiscard]] bool fits_some_buffer(std::int64_t index, std::uint64_t stride);

/// A resource as findings name it: its runtime array or its variable.
[[nodiscard]] std::string shown_name(const spirv::Binding& b);

/// All must outlive this.
class Assumptions {
 public:
  Assumptions(const spirv::Examination& examination, const core::Dispatch& dispatch);

  /// Launch values that Tilescope chose and that an index outside its array depends on: "n", "the
  /// length of img". Empty if there are none. A length that the kernel asks for does not count.
  [[nodiscard]] std::vector<std::string> of(const spirv::CheckedIndex& index,
                                            const core::Finding& finding) const;
  /// Chosen members that place one side of a race and not the other, as an offset does. Empty if
  /// there are none. Members that the kernel compares with ids do not count: their values fit the
  /// launch.
  [[nodiscard]] std::vector<std::string> of_race(const core::Finding& race) const;
  /// Buffers whose chosen contents decide where a side of a race reads or writes.
  [[nodiscard]] std::set<std::string> contents_placing(const core::Finding& race) const;
  /// The device's subgroup size, if the kernel has a constant for it with another value: "a device
  /// whose subgroups have 8 invocations (WARP_SIZE is 32)". Empty if there is none, if the finding
  /// does not depend on subgroups, or if it is of another kind than those that may.
  [[nodiscard]] std::string of_subgroups(const core::Finding& finding) const;

 private:
  struct OtherSubgroups {
    std::string why;
    std::uint64_t lanes = 0;  // that the kernel's constant names
  };
  [[nodiscard]] std::optional<OtherSubgroups> other_subgroups() const;
  // Whether one of the values is made from how invocations make up subgroups, or one of the blocks
  // runs because of that.
  [[nodiscard]] bool depends_on_subgroups(std::vector<spirv::Id> values,
                                          std::vector<std::size_t> blocks) const;
  [[nodiscard]] bool depends_on_subgroups(const core::Finding& race) const;
  // The accesses that one side of a race may be: blocks and instructions.
  [[nodiscard]] std::vector<spirv::AccessPlace> accesses(const core::Finding& race,
                                                         const core::RaceSide& side) const;
  [[nodiscard]] bool exceeds_chosen_length(const spirv::CheckedIndex& index,
                                           std::int64_t outside) const;
  void add_sources(const spirv::ValueSources& sources, std::vector<std::string>& why) const;
  [[nodiscard]] const spirv::BlockMember* member(spirv::Id variable,
                                                 const spirv::MemberPath& path) const;
  [[nodiscard]] std::set<std::string> placed_by(const core::Finding& race,
                                                const core::RaceSide& side) const;

  const spirv::Examination& x_;
  const core::Dispatch& dispatch_;
  spirv::ValueOrigins origins_;
};

/// Marks findings that depend on a chosen value: races by Assumptions::of_race(), races and reads
/// by Assumptions::of_subgroups(). Indices were marked before.
void mark_assumed(const spirv::Examination& examination, const core::Dispatch& dispatch,
                  core::CheckReport& report);

/// For each finding of the report, the index of the access out of bounds that it follows from.
[[nodiscard]] std::vector<std::optional<std::size_t>> causes_of(
    const spirv::Examination& examination, const core::CheckReport& report);

/// Moves races and uninitialized reads into the finding about an index outside its array, if they
/// are at its line and in the element that the check used instead, or if their own place depends on
/// what is in that array.
void fold_consequences(const spirv::Examination& examination, core::CheckReport& report);

}  // namespace lab

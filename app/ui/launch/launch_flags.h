// What a kernel without a workload is launched with, as fields: read from the flags that repeat a
// launch (core::Result::chosen), and written into the experiment that is wanted next.
#pragma once

#include <string>
#include <vector>

#include "core/work/result.h"

namespace ui {

/// One value that somebody may type.
struct LaunchField {
  enum class What { groups, items, member, push, constant, buffer };
  What what = What::member;
  std::string name;   ///< of a member, a constant's number, a buffer's place "0.1"; else empty
  std::string shown;  ///< what it is called
  std::string value;  ///< as it runs
};

/// In the order of the flags: workgroups, invocations, members, constants, buffers. Empty: the
/// kernel belongs to a workload, or is not known yet.
[[nodiscard]] std::vector<LaunchField> launch_fields(const core::Result& result);
/// What was asked for in its place; what runs, where nothing was.
[[nodiscard]] std::string wanted_value(const LaunchField& field, const core::Experiment& wanted);
/// Writes a value into the experiment; the sentence says why it can't be one.
[[nodiscard]] core::Expected<void> set_field(const LaunchField& field, const std::string& value,
                                             core::Experiment& wanted);

}  // namespace ui

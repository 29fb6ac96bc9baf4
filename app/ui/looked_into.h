// The workgroup that is looked into, as every view of its trace asks for it and waits for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/panels/panels.h"

namespace ui {

/// The one that is pointed at, or the first.
[[nodiscard]] std::uint64_t looked_into(const Frame& frame);
/// Asks the lab to trace it, where the kernel is one that runs.
void ask_for_trace(const Frame& frame);
/// Why there will be no trace: the kernel is refused, or its workgroup could not be traced.
[[nodiscard]] std::optional<std::string> why_no_trace(const Frame& frame);
/// "i + row = 18 (i = 15, row = 3)" of an index outside of its array; else empty.
[[nodiscard]] std::string index_text(const Frame& frame, const core::Finding& finding);
/// What to do about a barrier that not all invocations reach.
[[nodiscard]] std::string way_out();
/// Asks for it; why there is none, or else `what` will be there as soon as there is.
[[nodiscard]] std::string no_trace_yet(const Frame& frame, const std::string& what);
/// "(3, 1)": as many numbers as the launch has dimensions.
[[nodiscard]] std::string group_name(const core::Result& result, glm::uvec3 group);

}  // namespace ui

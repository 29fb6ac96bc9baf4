// Which workgroups may write an element of a buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "core/report/trace.h"
#include "core/work/result.h"

namespace core {

/// Workgroups of a launch, the most likely to write the element first: those that the workload
/// says, else those whose place in the launch is like the element's place in its buffer.
[[nodiscard]] std::vector<std::uint64_t> likely_writers(const Result& result,
                                                        const TracedVariable& variable,
                                                        std::uint64_t offset);

}  // namespace core

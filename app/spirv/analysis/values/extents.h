// How long the arrays of a launch's buffers are.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// Elements of the runtime array that is a member of a buffer's block, as OpArrayLength tells it:
/// whole strides behind the member's offset. Nothing where the buffer's size is not known.
[[nodiscard]] std::optional<std::uint64_t> runtime_length(const Program& program, Id variable,
                                                          std::uint32_t member);

}  // namespace spirv

// What a launch binds to the variables of a kernel, and how long the arrays in its buffers are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// What is bound to a variable, as many as its array of descriptors has; none where that is not
/// known.
[[nodiscard]] std::span<const BoundBuffer> bound_to(const Program& program, Id variable);
/// Those of them that an index into the array of descriptors can choose; 0: it is no array.
[[nodiscard]] std::span<const BoundBuffer> bound_to(const Program& program, Id variable, Id index);

/// Elements of the runtime array that is a member of a buffer's block, as OpArrayLength tells it:
/// whole strides behind the member's offset.
[[nodiscard]] std::uint64_t runtime_length(const Program& program, Id variable,
                                           std::uint32_t member, const BoundBuffer& buffer);
/// The same of what a pointer leads to, the variable or one of an array of descriptors. Nothing
/// where the buffer's size is not known, or where those that may be meant are not alike.
[[nodiscard]] std::optional<std::uint64_t> runtime_length(const Program& program, Id pointer,
                                                          std::uint32_t member);

}  // namespace spirv

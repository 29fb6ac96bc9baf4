// Elements and values of a trace as numbers and in words.
#pragma once

#include <cstdint>
#include <string>

#include "core/report/trace.h"

namespace core {

/// A scalar as a number; NaN if it is none.
[[nodiscard]] double number_of(std::uint64_t bits, ScalarKind kind, std::uint32_t bytes);
[[nodiscard]] std::string value_text(std::uint64_t bits, ScalarKind kind, std::uint32_t bytes);

/// The elements of a variable: what its innermost array dimension counts. A vec4 is one.
[[nodiscard]] std::uint64_t element_count(const TracedVariable& variable);
/// "tile_a[3][7]".
[[nodiscard]] std::string element_name(const TracedVariable& variable, std::uint64_t element);

/// The local id of an invocation by its number.
[[nodiscard]] std::array<std::uint32_t, 3> invocation_at(const Trace& trace, std::uint32_t number);

/// Bytes of buffers and images that a launch touches, each once, as the traced workgroup does: its
/// own times the workgroups, but no more of a variable than that has.
[[nodiscard]] double touched_bytes(const Trace& trace, std::uint64_t workgroups);

}  // namespace core

// Edits of a kernel's barriers: which barrier becomes what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"

namespace core {

/// What a barrier is turned into. The kinds are C++ AMP's: all is `wait`, global
/// `wait_with_global_memory_fence`, shared `wait_with_tile_static_memory_fence` (seed
/// "tile_barrier"); off takes it away.
enum class BarrierKind { off, all, global, shared };

/// K to kind; K counts a kernel's workgroup barriers from 1 in source order.
using BarrierEdits = std::map<std::uint32_t, BarrierKind>;

/// "off", "all", "global" or "shared".
[[nodiscard]] std::optional<BarrierKind> barrier_kind(const std::string& name);
[[nodiscard]] std::string to_string(BarrierKind kind);

/// "K=KIND", as in `--barrier 1=off`. The error says what was expected.
[[nodiscard]] Expected<std::pair<std::uint32_t, BarrierKind>> parse_barrier_edit(
    const std::string& text);

}  // namespace core

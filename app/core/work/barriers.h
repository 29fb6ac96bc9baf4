// Edits of a kernel's barriers: which barrier becomes what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace core {

/// What a barrier is turned into. The kinds are C++ AMP's (seed "tile_barrier"): all is `wait`,
/// global `wait_with_global_memory_fence`, shared `wait_with_tile_static_memory_fence`; the fences
/// are `all_memory_fence` and so on, which order memory and make nobody wait; off takes it away.
enum class BarrierKind { off, all, global, shared, fence_all, fence_global, fence_shared };

/// All of them, off first, in the order of menus.
[[nodiscard]] std::span<const BarrierKind> barrier_kinds();
/// It makes invocations wait for each other: a barrier, not only a fence.
[[nodiscard]] constexpr bool waits(BarrierKind kind) {
  return kind == BarrierKind::all || kind == BarrierKind::global || kind == BarrierKind::shared;
}

/// K to kind; K counts a kernel's workgroup barriers from 1 in source order, those of
/// included files last.
using BarrierEdits = std::map<std::uint32_t, BarrierKind>;

/// "off", "all", "global", "shared", "fence-all", "fence-global" or "fence-shared".
[[nodiscard]] std::optional<BarrierKind> barrier_kind(const std::string& name);
[[nodiscard]] std::string to_string(BarrierKind kind);

/// "K=KIND", as in `--barrier 1=off`. The error says what was expected.
[[nodiscard]] Expected<std::pair<std::uint32_t, BarrierKind>> parse_barrier_edit(
    const std::string& text);

}  // namespace core

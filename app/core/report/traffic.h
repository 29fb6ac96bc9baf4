// What a traced workgroup asked of memory: the traffic that its arithmetic stands against in the
// roofline view. Instrumented.
#pragma once

#include "core/catalogue/tile_map.h"
#include "core/report/trace.h"

namespace core {

/// Each scalar that an invocation reads or writes counts, as the kernel asks for it: one that a
/// whole subgroup reads at once counts for each of them, and caches may serve what was asked of
/// global memory.
struct Traffic {
  double flops = 0.0;  ///< the workgroup's part of the answer's, by its work items
  double global_bytes = 0.0;
  double shared_bytes = 0.0;
};

/// `flops` are a whole launch's.
[[nodiscard]] Traffic traffic_of(const Trace& trace, const TileMap& tiles, double flops);

}  // namespace core

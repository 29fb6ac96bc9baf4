// The workloads themselves, one function a file beside this one.
#pragma once

#include "core/catalogue/workload.h"

namespace core {

/// C = A·B; sizes M, N, W: A is M×W, B is W×N, C is M×N.
[[nodiscard]] const Workload* matmul();
/// At is A transposed; sizes ROWS, COLUMNS of A.
[[nodiscard]] const Workload* transpose();
/// Gravity between all pairs of bodies; size BODIES.
[[nodiscard]] const Workload* nbody();
/// Forces between the particles of neighbouring boxes; sizes BOXES a side and PARTICLES a box.
[[nodiscard]] const Workload* lavamd();
/// Pairs of invocations that hand on items through shared memory (seed "tile_barrier"); sizes PAIRS
/// and ROUNDS.
[[nodiscard]] const Workload* barrier();

}  // namespace core

// Traces made without a device: kernels of the catalogue, lived through on the CPU.
#pragma once

#include <cstdint>
#include <memory>

#include "core/report/trace.h"

namespace tests {

/// Tiled matrix multiplication of workgroup (3, 2): `turns` of the loop over tiles of tile × tile,
/// 8·tile columns a matrix.
/// With `first_barrier` false, loading and computing are one phase.
[[nodiscard]] std::shared_ptr<const core::Trace> matmul_trace(std::uint32_t tile,
                                                              std::uint32_t turns,
                                                              bool first_barrier = true);
/// The padded transposition: 32 × 8 invocations, float[32][33].
[[nodiscard]] std::shared_ptr<const core::Trace> transpose_trace();
/// `tile` invocations and vec4[tile].
[[nodiscard]] std::shared_ptr<const core::Trace> nbody_trace(std::uint32_t tile);
/// Two invocations and one float, which 0 writes and 1 reads without a barrier, either of them
/// first.
[[nodiscard]] std::shared_ptr<const core::Trace> shared_cell_trace(bool written_first);
/// Two invocations and float[2]: 0 writes the second one, 1 reads the first one.
[[nodiscard]] std::shared_ptr<const core::Trace> two_cells_trace();
/// No shared memory at all.
[[nodiscard]] std::shared_ptr<const core::Trace> naive_trace();

}  // namespace tests

// The workloads themselves, one function a file beside this one.
#pragma once

#include <span>
#include <string>
#include <vector>

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

/// A kernel that multiplies the parts of a stream (core/stream/stream.h).
struct StreamKernel {
  std::string variant;
  Settings settings;         ///< that keep a part's answer its own
  bool gpus_alone = false;   ///< no device that a CPU plays
  bool preset_tile = false;  ///< it is not to be tried with its other tiles
};
/// The best first; the first that a device takes is taken.
[[nodiscard]] std::span<const StreamKernel> stream_kernels();

/// What the cost of probes is measured on; smaller on a CPU that plays a GPU.
struct ProbeSample {
  std::string variant;
  Sizes sizes;
  std::uint32_t tile = 0;
  std::uint32_t barriers = 0;  ///< that are switched off, the first and all; 0: it is traced
};
[[nodiscard]] std::vector<ProbeSample> probe_samples(bool small);
[[nodiscard]] std::vector<ProbeSample> matmul_samples(bool small);
[[nodiscard]] std::vector<ProbeSample> transpose_samples(bool small);
[[nodiscard]] std::vector<ProbeSample> nbody_samples(bool small);

}  // namespace core

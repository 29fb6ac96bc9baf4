// Why what stands between two racing accesses does not order them, as a sentence that names lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "spirv/analysis/examination.h"

namespace lab {

/// A racing access of the kernel's text.
struct RacingAccess {
  std::size_t block = 0;
  std::size_t instruction = 0;
  bool writes = false;
  bool orderable = true;
};

/// How the kernel's language names its barriers and fences.
struct BarrierWords {
  const char* shared_barrier;
  const char* global_barrier;
  const char* whole_barrier;
  const char* fence;  ///< for buffers
  const char* shared_fence;
  const char* image_fence;
};
[[nodiscard]] const BarrierWords& barrier_words(const spirv::Program& program);

/// Fences that may order two accesses.
struct Remedy {
  /// Block and instruction; the fence goes in front of it, or behind it.
  struct Fence {
    std::size_t block = 0;
    std::size_t instruction = 0;
    bool behind = false;
  };
  std::vector<Fence> fences;
};

/// Why a race's accesses are not ordered: a sentence, and what may order them. Both may be empty.
struct Cause {
  std::string sentence;
  std::vector<Remedy> remedies;  ///< the smallest first
};

/// Returns what stands between the accesses of a race and why it does not order them. Empty if
/// nothing stands there. `memory` is that of both.
[[nodiscard]] Cause why_unordered(const spirv::Examination& examination, const core::Finding& race,
                                  core::MemoryClass memory, const RacingAccess& first,
                                  const RacingAccess& second);

}  // namespace lab

// Whether one more barrier makes a racy kernel clean, and where: tried, not guessed.
#pragma once

#include "lab/probe/check.h"

namespace lab {

/// Puts a workgroup barrier before either side of the first races that were found, at a place that
/// all invocations of a workgroup reach alike, and checks the kernel again. The first that leaves
/// nothing to be found is told of in the races (Finding::mended_before). Nothing is tried of
/// several launches, of kernels with other findings, or that take long.
[[nodiscard]] core::Expected<void> try_barriers(gpu::Device& device, const Turns& turns,
                                                CheckOptions options, core::CheckReport& report);

}  // namespace lab

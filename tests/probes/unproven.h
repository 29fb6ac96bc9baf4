// The check of a kernel with proofs and without: where nothing is proven, every access is checked
// while the kernel runs, and nothing may be found that the proofs left out.
#pragma once

#include <string>

#include "gpu/device.h"
#include "lab/probe/check.h"

namespace test {

struct Comparison {
  std::string difference;  ///< empty: they agree
  std::string refused;     ///< what failed
  bool complete = true;    ///< false: one of them says that it does not see all of the kernel
  bool found = false;      ///< there are findings
};

/// Checks the launches twice. Findings are compared by kind, variable and lines; races on buffers
/// and images, of which the check names some, by variable.
[[nodiscard]] Comparison compare_unproven(gpu::Device& device, const lab::Turns& turns);

}  // namespace test

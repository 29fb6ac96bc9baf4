// What an experiment is asked besides its answer and its time.
#pragma once

#include <glm/vec3.hpp>

#include "core/work/result.h"
#include "lab/ready/workbench.h"

namespace lab {

struct ProbeRequest {
  bool races = false;
  bool trace = false;
  bool banks = false;  ///< needs a trace, and makes one
  bool timeline = false;
  glm::uvec3 workgroup{0};  ///< the one that is traced
};

/// Runs the probes into `result`, which describes the setup. A kernel that is refused
/// (Result::refused) is not launched: `result.races` has said why.
[[nodiscard]] core::Expected<void> probe(Workbench& bench, Setup& setup,
                                         const ProbeRequest& request, core::Result& result);

}  // namespace lab

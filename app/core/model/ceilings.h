// What a device can do at most, measured on it in the same run as what is compared with it.
#pragma once

#include <string>

#include "core/report/timing.h"

namespace core {

struct Ceilings {
  double copy_gbps = 0.0;   ///< a kernel that copies, bytes read plus bytes written
  double copy_bytes = 0.0;  ///< read plus written, a copy
  Spread copy_ms;
  double fma_gflops = 0.0;  ///< independent float32 fused multiply-adds, 2 flop each
  double fma_flops = 0.0;   ///< a launch
  Spread fma_ms;
  double shared_gbps = 0.0;   ///< reads of shared memory without bank conflicts, all workgroups'
  double shared_bytes = 0.0;  ///< read, a launch
  Spread shared_ms;
  std::string failure;  ///< why they could not be measured; empty: they were

  /// How many times faster shared memory is than global memory.
  [[nodiscard]] double shared_over_global() const {
    return copy_gbps > 0.0 ? shared_gbps / copy_gbps : 0.0;
  }
};

}  // namespace core

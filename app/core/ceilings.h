// What a device can do at most, measured on it in the same run as what is compared with it.
#pragma once

#include "core/timing.h"

namespace core {

struct Ceilings {
  double copy_gbps = 0.0;   ///< a kernel that copies, bytes read plus bytes written
  double copy_bytes = 0.0;  ///< read plus written, a copy
  Spread copy_ms;
  double fma_gflops = 0.0;  ///< independent float32 fused multiply-adds, 2 flop each
  double fma_flops = 0.0;   ///< a launch
  Spread fma_ms;
};

}  // namespace core

#include "core/result.h"

namespace core {

double Result::gflops() const {
  return timing.spread.median > 0.0 ? flops / timing.spread.median * 1e-6 : 0.0;
}

double Result::gbps() const {
  return timing.spread.median > 0.0 ? bytes / timing.spread.median * 1e-6 : 0.0;
}

}  // namespace core

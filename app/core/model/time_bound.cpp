#include "core/model/time_bound.h"

#include <algorithm>

#include "core/model/ceilings.h"
#include "core/work/result.h"

namespace core {

std::optional<TimeBound> time_bound(const Result& result) {
  const double measured = result.timing.spread.median;
  if (!result.ceilings || result.ceilings->copy_gbps <= 0.0 || measured <= 0.0) {
    return std::nullopt;
  }
  const Ceilings& c = *result.ceilings;
  // Of other precisions the ceiling is not known.
  const bool counts = result.variant.precision == Precision::fp32 && c.fma_gflops > 0.0;
  const double memory = result.bytes / c.copy_gbps * 1e-6;
  const double arithmetic = counts ? result.flops / c.fma_gflops * 1e-6 : 0.0;
  const double least = std::max(memory, arithmetic);
  if (least <= 0.0) {
    return std::nullopt;
  }
  return TimeBound{.ms = least, .by_memory = memory >= arithmetic, .measured_ms = measured};
}

std::string bounded_by(const TimeBound& bound) {
  return bound.by_memory ? "global memory, each byte once" : "multiply-adds";
}

}  // namespace core

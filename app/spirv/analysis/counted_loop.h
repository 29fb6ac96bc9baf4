// Loops that count from a constant to a constant.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/analysis/control_flow.h"
#include "spirv/analysis/program.h"

namespace spirv {

/// for (counter = first; counter < end; counter += step), whatever else may leave it earlier.
struct CountedLoop {
  Id counter = 0;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;
  [[nodiscard]] std::uint64_t iterations() const {
    return end > first ? (end - first + step - 1) / step : 0;
  }
};

/// Nothing for a loop that counts otherwise, or further than 65536.
[[nodiscard]] std::optional<CountedLoop> counted_loop(const Program& program,
                                                      const ControlFlow::Loop& loop);

}  // namespace spirv

#include "core/work/result.h"

#include <algorithm>

namespace core {

const Launch* Result::launch_of(glm::uvec3 group) const {
  const auto found = std::ranges::find_if(
      launches, [group](const Launch& launch) { return launch.groups.contains(group); });
  return found == launches.end() ? nullptr : &*found;
}

double Result::gflops() const {
  return timing.spread.median > 0.0 ? flops / timing.spread.median * 1e-6 : 0.0;
}

double Result::gbps() const {
  return timing.spread.median > 0.0 ? bytes / timing.spread.median * 1e-6 : 0.0;
}

}  // namespace core

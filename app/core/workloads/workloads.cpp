// One row a workload; its order is the menus' order.
#include "core/workloads/workloads.h"

#include <algorithm>
#include <array>

namespace core {

std::span<const Workload* const> workloads() {
  static const std::array rows{matmul(), transpose(), nbody(), lavamd(), barrier()};
  return rows;
}

const Workload* find_workload(const std::string& name) {
  const auto rows = workloads();
  const auto found = std::ranges::find(rows, name, [](const Workload* w) { return w->name(); });
  return found == rows.end() ? nullptr : *found;
}

}  // namespace core

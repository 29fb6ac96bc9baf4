// One row a workload; its order is the menus' order.
#include "core/workloads/workloads.h"

namespace core {

std::vector<WorkloadPtr> built_in_workloads() {
  // Never destroyed, hence nothing to own.
  static const auto keep = [](const Workload* workload) {
    return WorkloadPtr(WorkloadPtr(), workload);
  };
  return {keep(matmul()), keep(transpose()), keep(nbody()), keep(lavamd()), keep(barrier())};
}

}  // namespace core

// One row a workload; its order is the menus' order.
#include "core/workloads/workloads.h"

#include <algorithm>
#include <iterator>

namespace core {

std::vector<WorkloadPtr> built_in_workloads() {
  // Never destroyed, hence nothing to own.
  static const auto keep = [](const Workload* workload) {
    return WorkloadPtr(WorkloadPtr(), workload);
  };
  return {keep(matmul()), keep(transpose()), keep(nbody()), keep(lavamd()), keep(barrier())};
}

std::vector<ProbeSample> probe_samples(bool small) {
  std::vector<ProbeSample> all;
  for (auto* samples : {matmul_samples, transpose_samples, nbody_samples}) {
    std::ranges::move(samples(small), std::back_inserter(all));
  }
  return all;
}

}  // namespace core

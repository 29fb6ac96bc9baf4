// The catalogue: every variant of every workload. Menus, tests, benchmarks, the gallery and `list`
// iterate it; dropping a kernel file into shaders/<workload>/ is all it takes to be in it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/variant.h"
#include "core/catalogue/workload.h"

namespace core {

class Catalogue {
 public:
  Catalogue() = default;
  /// Sorts by workload (in their order), then by the headers' order. A variant that has no workload
  /// yet is given that of its folder's name.
  Catalogue(std::vector<Variant> variants, std::vector<WorkloadPtr> workloads);

  /// In the order of menus.
  [[nodiscard]] std::span<const WorkloadPtr> workloads() const { return workloads_; }
  /// Null when there is none of that name.
  [[nodiscard]] WorkloadPtr workload(const std::string& name) const {
    return workload_named(workloads_, name);
  }

  [[nodiscard]] std::span<const Variant> all() const { return variants_; }
  /// The variants of a workload, in ladder order.
  [[nodiscard]] std::span<const Variant> of(const std::string& workload) const;
  /// An unknown id is an error that lists the nearest names; a broken file is its own error.
  [[nodiscard]] Expected<Variant> find(const std::string& id) const;

 private:
  std::vector<Variant> variants_;
  std::vector<WorkloadPtr> workloads_;
};

}  // namespace core

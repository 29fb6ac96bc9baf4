// The catalogue: every variant of every workload. Menus, tests, benchmarks, the gallery and `list`
// iterate it; dropping a kernel file into shaders/<workload>/ is all it takes to be in it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/work/variant.h"

namespace core {

class Catalogue {
 public:
  Catalogue() = default;
  /// Sorts by workload (in the order of workloads()), then by the headers' order.
  explicit Catalogue(std::vector<Variant> variants);

  [[nodiscard]] std::span<const Variant> all() const { return variants_; }
  /// The variants of a workload, in ladder order.
  [[nodiscard]] std::span<const Variant> of(const std::string& workload) const;
  /// An unknown id is an error that lists the nearest names; a broken file is its own error.
  [[nodiscard]] Expected<Variant> find(const std::string& id) const;

 private:
  std::vector<Variant> variants_;
};

}  // namespace core

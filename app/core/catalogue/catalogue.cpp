#include "core/catalogue/catalogue.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "core/base/spelling.h"
#include "core/catalogue/workload.h"

namespace core {
namespace {

std::size_t place_of(const std::string& name, std::span<const WorkloadPtr> all) {
  const auto found = std::ranges::find(all, name, [](const WorkloadPtr& w) { return w->name(); });
  return static_cast<std::size_t>(found - all.begin());
}

}  // namespace

Catalogue::Catalogue(std::vector<Variant> variants, std::vector<WorkloadPtr> workloads)
    : variants_(std::move(variants)), workloads_(std::move(workloads)) {
  for (Variant& variant : variants_) {
    if (!variant.work) {
      variant.work = workload(variant.workload);
    }
  }
  std::ranges::sort(variants_, {}, [this](const Variant& v) {
    return std::tuple(place_of(v.workload, workloads_), v.workload, v.order, v.name);
  });
}

std::span<const Variant> Catalogue::of(const std::string& workload) const {
  const auto [first, last] =
      std::ranges::equal_range(variants_, std::tuple(place_of(workload, workloads_), workload), {},
                               [this](const Variant& v) {
                                 return std::tuple(place_of(v.workload, workloads_), v.workload);
                               });
  return {first, last};
}

namespace {

// The variant whose id differs by a letter or two; empty if there is none.
std::string nearest_name(const std::string& id, std::span<const Variant> variants) {
  std::string nearest;
  std::size_t least = 3;
  for (const Variant& v : variants) {
    const std::size_t distance = letters_apart(id, v.id(), least);
    if (distance < least) {
      least = distance;
      nearest = v.id();
    }
  }
  return nearest;
}

}  // namespace

Expected<Variant> Catalogue::find(const std::string& id) const {
  const auto found = std::ranges::find(variants_, id, &Variant::id);
  if (found != variants_.end()) {
    if (found->broken) {
      return std::unexpected(*found->broken);
    }
    return *found;
  }
  const std::string nearest = nearest_name(id, all());
  const std::string folder = id.substr(0, id.find('/'));
  const auto siblings = of(folder);
  std::string known;
  for (const Variant& v : siblings) {
    known += (known.empty() ? "" : ", ") + v.id();
  }
  const std::string hint = !nearest.empty() ? "did you mean " + nearest + "?"
                           : !known.empty() ? "choose from " + known
                           : all().empty()  ? "the catalogue is empty"
                                            : "`tilescope list` lists the variants";
  return usage_error("unknown variant \"" + shortened(id) + "\"; " + hint);
}

}  // namespace core

#include "ui/edits.h"

#include <algorithm>

#include "core/catalogue/workload.h"

namespace ui {
namespace {

std::vector<std::string> workloads_in(const core::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const core::Variant& v : catalogue.all()) {
    if (names.empty() || names.back() != v.workload) {
      names.push_back(v.workload);
    }
  }
  return names;
}

}  // namespace

std::size_t cycled(std::ptrdiff_t at, std::ptrdiff_t by, std::size_t count) {
  const auto n = static_cast<std::ptrdiff_t>(count);
  return static_cast<std::size_t>(((at + by) % n + n) % n);
}

core::Experiment with_variant(const core::Experiment& from, const core::Variant& to) {
  core::Experiment next = from;
  next.variant = to.id();
  if (to.id() != from.variant) {
    next.barriers.clear();  // their numbers are the kernel's
    const auto options = to.work ? to.work->options() : std::vector<core::OptionSpec>();
    std::erase_if(next.settings, [&](const auto& setting) {  // and so are its constants
      return std::ranges::find(options, setting.first, &core::OptionSpec::name) == options.end();
    });
  }
  if (std::ranges::find(to.tile.values, from.tile) == to.tile.values.end()) {
    next.tile = 0;
  }
  return next;
}

core::Experiment with_workload(const core::Experiment& from, const core::Catalogue& catalogue,
                               const std::string& workload) {
  const auto variants = catalogue.of(workload);
  const core::Variant* chosen = nullptr;
  for (const core::Variant& v : variants) {
    if (!v.broken && (chosen == nullptr || v.name == "tiled")) {
      chosen = &v;
    }
  }
  core::Experiment next = from;
  if (chosen != nullptr && workload != from.workload()) {
    next.variant = chosen->id();
    next.size.clear();
    next.settings.clear();
    next.barriers.clear();
    next.tile = 0;
  }
  return next;
}

core::Experiment next_variant(const core::Experiment& from, const core::Catalogue& catalogue,
                              int by) {
  const auto variants = catalogue.of(from.workload());
  if (variants.empty()) {
    return from;
  }
  const auto found = std::ranges::find(variants, from.variant, &core::Variant::id);
  const auto at = found == variants.end() ? 0 : found - variants.begin();
  return with_variant(from, variants[cycled(at, by, variants.size())]);
}

core::Experiment next_workload(const core::Experiment& from, const core::Catalogue& catalogue,
                               int by) {
  const auto names = workloads_in(catalogue);
  const auto found = std::ranges::find(names, from.workload());
  if (found == names.end()) {
    return from;
  }
  return with_workload(from, catalogue, names[cycled(found - names.begin(), by, names.size())]);
}

core::Experiment next_tile(const core::Experiment& from, const core::Catalogue& catalogue, int by) {
  const core::Variant* variant = variant_of(from, catalogue);
  if (variant == nullptr || !variant->has_tile()) {
    return from;
  }
  const auto& values = variant->tile.values;
  const auto at = std::ranges::lower_bound(values, tile_of(from, catalogue)) - values.begin();
  const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  core::Experiment next = from;
  next.tile = values[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, last))];
  return next;
}

core::Experiment scaled_size(const core::Experiment& from, const core::Catalogue& catalogue,
                             int by) {
  core::Experiment next = from;
  next.size = sizes_of(from, catalogue);
  for (std::uint32_t& size : next.size) {
    const std::uint64_t scaled = by > 0 ? std::uint64_t{size} * 2 : size / 2;
    size = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(scaled, 1, UINT32_MAX));
  }
  return next;
}

core::Experiment with_barrier(const core::Experiment& from, std::uint32_t k,
                              std::optional<core::BarrierKind> kind) {
  core::Experiment next = from;
  next.barriers.erase(k);
  if (kind) {
    next.barriers[k] = *kind;
  }
  return next;
}

core::Experiment toggled_barrier(const core::Experiment& from, std::uint32_t k) {
  using core::BarrierKind;
  return with_barrier(from, k,
                      barrier_edit(from, k) ? std::nullopt : std::optional(BarrierKind::off));
}

core::Experiment next_barrier_kind(const core::Experiment& from, std::uint32_t k, int by) {
  std::vector<std::optional<core::BarrierKind>> kinds{std::nullopt};
  kinds.insert(kinds.end(), core::barrier_kinds().begin(), core::barrier_kinds().end());
  const auto at = std::ranges::find(kinds, barrier_edit(from, k)) - kinds.begin();
  return with_barrier(from, k, kinds[cycled(at, by, kinds.size())]);
}

core::Experiment beside_of(const core::Experiment& from, const core::Catalogue& catalogue,
                           const std::string& kernel) {
  const auto all = catalogue.all();
  const auto known = std::ranges::find(all, kernel, &core::Variant::id);
  core::Experiment next = known != all.end() ? with_variant(from, *known) : from;
  next.variant = kernel;
  next.barriers.clear();
  if (kernel == from.variant) {
    return next;
  }
  if (known == all.end()) {  // the lab launches it as the other one, by the names of both
    next.tile = 0;
    next.settings.clear();
    next.choices.entry.clear();
  }
  if (next.workload() != from.workload()) {
    next.size.clear();
    next.settings.clear();
    next.choices = {};
  }
  return next;
}

std::optional<core::BarrierKind> barrier_edit(const core::Experiment& experiment, std::uint32_t k) {
  const auto found = experiment.barriers.find(k);
  return found == experiment.barriers.end() ? std::nullopt : std::optional(found->second);
}

const core::Variant* variant_of(const core::Experiment& experiment,
                                const core::Catalogue& catalogue) {
  const auto all = catalogue.all();
  const auto found = std::ranges::find(all, experiment.variant, &core::Variant::id);
  return found == all.end() ? nullptr : &*found;
}

core::Sizes sizes_of(const core::Experiment& experiment, const core::Catalogue& catalogue) {
  const auto workload = catalogue.workload(experiment.workload());
  return experiment.size.empty() && workload != nullptr ? workload->default_sizes()
                                                        : experiment.size;
}

std::uint32_t tile_of(const core::Experiment& experiment, const core::Catalogue& catalogue) {
  const core::Variant* variant = variant_of(experiment, catalogue);
  return experiment.tile == 0 && variant != nullptr ? variant->tile.preset : experiment.tile;
}

}  // namespace ui

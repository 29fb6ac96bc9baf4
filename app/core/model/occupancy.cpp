#include "core/model/occupancy.h"

#include <algorithm>
#include <limits>

#include "core/base/ceil_div.h"
#include "core/report/timeline.h"
#include "core/work/result.h"

namespace core {
namespace {

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

ResourceUse warps_of(std::uint32_t warps, const Multiprocessor& has) {
  return {.resource = SlotResource::warps,
          .each = warps,
          .has = has.warps,
          .fit = has.warps / std::max(warps, 1U)};
}

ResourceUse slots_of(std::uint32_t warps, const Multiprocessor& has) {
  const bool free = has.slots_are_barriers && warps == 1;
  return {.resource = SlotResource::workgroups,
          .each = free ? 0U : 1U,
          .has = has.workgroups,
          .fit = free ? kNoLimit : has.workgroups};
}

// A warp's registers are in one partition, and the multiprocessor spreads warps over them evenly.
ResourceUse registers_of(const KernelUse& use, std::uint32_t warps, const Multiprocessor& has) {
  ResourceUse r{.resource = SlotResource::registers, .has = has.registers, .fit = kNoLimit};
  if (!use.registers) {
    r.known = false;
    return r;
  }
  const std::uint64_t a_warp =
      round_up(std::uint64_t{*use.registers} * use.subgroup_size, has.register_unit);
  r.each = a_warp * warps;
  if (a_warp > 0) {
    const std::uint64_t resident = has.registers / has.partitions / a_warp * has.partitions;
    // The registers of a workgroup are asked for as if it filled all partitions alike.
    const bool one_fits = a_warp * round_up(warps, has.partitions) <= has.registers;
    r.fit = one_fits ? static_cast<std::uint32_t>(resident / warps) : 0U;
  }
  return r;
}

ResourceUse shared_of(const KernelUse& use, const Multiprocessor& has) {
  ResourceUse s{.resource = SlotResource::shared_memory, .has = has.shared_bytes, .fit = kNoLimit};
  s.each = round_up(use.shared_bytes + has.shared_reserved, has.shared_unit);
  if (s.each > 0) {
    s.fit = static_cast<std::uint32_t>(has.shared_bytes / s.each);
  }
  return s;
}

}  // namespace

double Residency::share() const {
  return warps_most == 0 ? 0.0 : static_cast<double>(warps) / warps_most;
}

const ResourceUse& Residency::limiter() const {
  return *std::ranges::find(resources, true, &ResourceUse::limits);
}

Residency residency_of(const KernelUse& use, const Multiprocessor& has) {
  Residency r;
  r.warps_each = static_cast<std::uint32_t>(ceil_div(use.invocations, use.subgroup_size));
  r.warps_most = has.warps;
  r.resources = {warps_of(r.warps_each, has), slots_of(r.warps_each, has),
                 registers_of(use, r.warps_each, has), shared_of(use, has)};
  r.workgroups = std::ranges::min(r.resources, {}, &ResourceUse::fit).fit;
  for (ResourceUse& resource : r.resources) {
    resource.limits = resource.fit == r.workgroups;
  }
  r.warps = r.workgroups * r.warps_each;
  return r;
}

const TileOccupancy* Occupancy::of(std::uint32_t tile) const {
  const auto found = std::ranges::find(tiles, tile, &TileOccupancy::tile);
  return found == tiles.end() ? nullptr : &*found;
}

void model(Occupancy& occupancy) {
  const auto registers = occupancy.now().use.registers;
  for (TileOccupancy& tile : occupancy.tiles) {
    tile.residency.reset();
    if (!tile.compiled) {
      tile.use.registers = registers;
    }
    if (occupancy.multiprocessor && tile.impossible.empty()) {
      tile.residency = residency_of(tile.use, *occupancy.multiprocessor);
      for (PaddingCost& padding : tile.paddings) {
        KernelUse without = tile.use;
        without.shared_bytes -= std::min(without.shared_bytes, padding.bytes);
        padding.workgroups = residency_of(without, *occupancy.multiprocessor).workgroups;
      }
    }
  }
}

std::optional<std::uint32_t> observed_workgroups(const Result& result) {
  const std::uint32_t most = result.timeline ? max_resident(*result.timeline) : 0;
  return most > 0 ? std::optional(most) : std::nullopt;
}

std::optional<LaunchWaves> launch_waves(std::uint64_t groups, const Residency& residency,
                                        std::uint32_t multiprocessors) {
  const std::uint64_t places = std::uint64_t{multiprocessors} * residency.workgroups;
  if (places == 0 || groups == 0) {
    return std::nullopt;
  }
  const std::uint64_t count = ceil_div(groups, places);
  return LaunchWaves{groups, places, count, groups - (count - 1) * places};
}

}  // namespace core

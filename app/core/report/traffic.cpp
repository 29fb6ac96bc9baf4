#include "core/report/traffic.h"

namespace core {

Traffic traffic_of(const Trace& trace, const TileMap& tiles, double flops) {
  const glm::uvec3 group{trace.workgroup[0], trace.workgroup[1], trace.workgroup[2]};
  const Box launch{glm::uvec3(0), tiles.extent};
  Traffic traffic;
  traffic.flops =
      flops * static_cast<double>(tiles.items(group).count()) / static_cast<double>(launch.count());
  for (const TracedAccess& access : trace.accesses) {
    const TracedSite& site = trace.sites[access.site];
    const bool shared = trace.variables[site.variable].memory == MemoryKind::shared;
    (shared ? traffic.shared_bytes : traffic.global_bytes) +=
        site.stored_bytes != 0 ? site.stored_bytes : site.scalar_bytes;
  }
  return traffic;
}

}  // namespace core

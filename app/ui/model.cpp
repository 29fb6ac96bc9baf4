#include "ui/model.h"

namespace ui {

const core::Finding* chosen_finding(const core::View& view, const core::Result& result) {
  const auto& races = result.races;
  const bool there = races && view.finding >= 0 &&
                     view.finding < static_cast<std::int64_t>(races->findings.size());
  return there ? &races->findings[static_cast<std::size_t>(view.finding)] : nullptr;
}

std::int64_t tile_of_finding(const core::Finding& finding, const core::Result& result) {
  const glm::uvec3 groups = result.tiles.groups();
  const auto& [x, y, z] = finding.workgroup;
  if (finding.kind != core::FindingKind::race || x >= groups.x || y >= groups.y || z >= groups.z) {
    return -1;
  }
  return (std::int64_t{z} * groups.y + y) * groups.x + x;
}

}  // namespace ui

#include "ui/views.h"

#include <algorithm>
#include <array>

namespace ui {
namespace {

bool always(const core::Result&) {
  return true;
}

// The four ways of dealing with sizes that tiles do not divide are transposition's.
bool has_extents(const core::Result& result) {
  return result.variant.workload == "transpose";
}

bool is_matmul(const core::Result& result) {
  return result.variant.workload == "matmul";
}

bool has_bodies(const core::Result& result) {
  return result.bodies != nullptr;
}

bool has_particles(const core::Result& result) {
  return result.particles != nullptr;
}

bool has_barriers(const core::Result& result) {
  return result.facts && !result.facts->barriers.empty();
}

}  // namespace

std::span<const CentreView> centre_views() {
  static constexpr std::array views{
      CentreView{"bodies", has_bodies, draw_bodies},
      CentreView{"bodies", has_particles, draw_lattice},
      CentreView{"grid", always, draw_grid},
      CentreView{"tile", always, draw_tile},
      CentreView{"timeline", always, draw_timeline},
      CentreView{"occupancy", always, draw_occupancy},
      CentreView{"advice", always, draw_advice},
      CentreView{"banks", always, draw_banks},
      CentreView{"roofline", always, draw_roofline},
      CentreView{"compare", always, draw_compare},
      CentreView{"extents", has_extents, draw_extents},
      CentreView{"barriers", has_barriers, draw_barriers},
      CentreView{"stream", is_matmul, draw_stream},
  };
  return views;
}

std::vector<std::string> views_of(const core::Result& result) {
  std::vector<std::string> names;
  for (const CentreView& view : centre_views()) {
    if (view.there(result)) {
      names.emplace_back(view.name);
    }
  }
  return names;
}

std::string current_view(const core::View& view, const core::Result& result) {
  const auto names = views_of(result);
  return std::ranges::find(names, view.name) != names.end() ? view.name : names.front();
}

}  // namespace ui

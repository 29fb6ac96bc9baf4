#include "ui/views.h"

#include <algorithm>
#include <array>

namespace ui {
namespace {

bool always(const core::Result&) {
  return true;
}

bool is_matmul(const core::Result& result) {
  return result.variant.workload == "matmul";
}

bool has_bodies(const core::Result& result) {
  return result.bodies != nullptr;
}

}  // namespace

std::span<const CentreView> centre_views() {
  static constexpr std::array views{
      CentreView{"bodies", has_bodies, draw_bodies},
      CentreView{"grid", always, draw_grid},
      CentreView{"tile", always, draw_tile},
      CentreView{"timeline", always, draw_timeline},
      CentreView{"occupancy", always, draw_occupancy},
      CentreView{"banks", always, draw_banks},
      CentreView{"roofline", always, draw_roofline},
      CentreView{"compare", always, draw_compare},
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

#include "ui/model.h"

#include <algorithm>

namespace ui {

std::vector<std::string> views_of(const core::Result& result) {
  if (result.bodies) {
    return {"bodies", "grid", "tile"};
  }
  return {"grid", "tile"};
}

std::string current_view(const core::View& view, const core::Result& result) {
  const auto names = views_of(result);
  return std::ranges::find(names, view.name) != names.end() ? view.name : names.front();
}

}  // namespace ui

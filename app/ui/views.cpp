#include "ui/views.h"

#include <algorithm>
#include <array>

#include "ui/panels/findings_state.h"
#include "ui/panels/panel_sizes.h"

namespace ui {

bool always(const core::Result&) {
  return true;
}

std::span<const CentreView> centre_views() {
  static const std::array views{bodies_row(),   lattice_row(),   grid_row(),    tile_row(),
                                timeline_row(), occupancy_row(), advice_row(),  banks_row(),
                                roofline_row(), compare_row(),   extents_row(), barriers_row(),
                                values_row(),   stream_row()};
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

const CentreView& shown_view(const core::View& view, const core::Result& result) {
  const std::string name = current_view(view, result);
  return *std::ranges::find_if(
      centre_views(), [&](const CentreView& row) { return row.name == name && row.there(result); });
}

std::vector<std::string> all_views() {
  std::vector<std::string> names;
  for (const CentreView& view : centre_views()) {
    if (std::ranges::find(names, view.name) == names.end()) {
      names.emplace_back(view.name);
    }
  }
  return names;
}

void open_states(ViewStates& states) {
  states.of<FindingsState>();
  states.of<PanelSizes>();
  for (const CentreView& view : centre_views()) {
    if (view.open != nullptr) {
      view.open(states);
    }
  }
}

std::vector<core::ViewField> view_fields() {
  ViewStates states;
  open_states(states);
  return states.fields();
}

core::Steps needs_of(const core::View& view) {
  ViewStates states;
  open_states(states);
  states.load(view.settings);
  core::Steps needs;
  for (const CentreView& row : centre_views()) {
    if (row.needs != nullptr && row.name == view.name) {
      needs = row.needs(states);
    }
  }
  return needs;
}

}  // namespace ui

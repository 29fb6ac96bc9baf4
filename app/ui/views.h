// What the centre can show: one row a view. A view is added by its draw function and a row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/panels/panels.h"

namespace ui {

struct CentreView {
  const char* name;
  bool (*there)(const core::Result& result);  ///< the result is of a kind that has this view
  void (*draw)(const Frame& frame, const Canvas& canvas, const Rect& area);
};

/// In the order of the switch; the first that is there is a workload's own.
[[nodiscard]] std::span<const CentreView> centre_views();

/// Where the names of the views stand in the corner of the view, or the menu of them where they
/// don't fit: whatever else stands at the top makes way. Empty when there is no choice.
[[nodiscard]] Rect switch_area(const Frame& frame, const Canvas& canvas, const Rect& view);

}  // namespace ui

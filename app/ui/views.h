// What the centre can show: one row a view. A view is added by its draw function and a row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/panels.h"

namespace ui {

struct CentreView {
  const char* name;
  bool (*there)(const core::Result& result);  ///< the result is of a kind that has this view
  void (*draw)(const Frame& frame, const Canvas& canvas, const Rect& area);
};

/// In the order of the switch; the first that is there is a workload's own.
[[nodiscard]] std::span<const CentreView> centre_views();

/// Where their names stand, in the corner of what the centre has; empty where there is no choice.
[[nodiscard]] Rect switch_rect(const Frame& frame, const Canvas& canvas, const Rect& area);

}  // namespace ui

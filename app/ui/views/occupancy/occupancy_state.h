// What the occupancy view remembers.
#pragma once

#include <string>

#include "ui/view_state.h"

namespace ui {

struct OccupancyState final : ViewState {
  /// On a device that can't tell: the GPU that the kernel is thought to run on, one of
  /// modelled_gpus(); empty: the device itself.
  std::string as_on;

  [[nodiscard]] std::vector<StateField> fields() override;
};

}  // namespace ui

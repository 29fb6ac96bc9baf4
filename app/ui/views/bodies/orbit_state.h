// The camera that turns around a space: of the bodies and of the lattice.
#pragma once

#include "ui/view_state.h"
#include "ui/views.h"

namespace ui {

struct OrbitState final : ViewState {
  float yaw = 0.6F;       ///< radians
  float pitch = 0.5F;     ///< radians above the plane
  float distance = 3.0F;  ///< in radii of the start's bounding sphere

  void turn(float about, float up);
  void approach(float factor);
  [[nodiscard]] std::vector<StateField> fields() override;
};

/// What the keys do to it.
[[nodiscard]] Moves orbit_moves();

}  // namespace ui

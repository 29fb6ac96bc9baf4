#include "ui/views/bodies/orbit_state.h"

#include <algorithm>

namespace ui {
namespace {

constexpr float kKeyTurn = 0.12F;  // radians a key press

OrbitState& state_of(ActionContext& c) {
  return c.state.of<OrbitState>();
}

}  // namespace

void OrbitState::turn(float about, float up) {
  yaw += about;
  pitch = std::clamp(pitch + up, -1.55F, 1.55F);
}

void OrbitState::approach(float factor) {
  distance = std::clamp(distance / factor, 0.2F, 50.0F);
}

std::vector<StateField> OrbitState::fields() {
  return {
      field("yaw", yaw, -1e3, 1e3)
          .with_meaning("Bodies view: angle of the camera around the vertical axis, in radians"),
      field("pitch", pitch, -1.6, 1.6)
          .with_meaning("Bodies view: angle of the camera above the horizon, in radians"),
      field("distance", distance, 0.01, 1e4)
          .with_meaning("Bodies view: distance of the camera from the centre, "
                        "relative to the size of the scene")};
}

Moves orbit_moves() {
  return {.pan = [](ActionContext& c,
                    glm::vec2 by) { state_of(c).turn(kKeyTurn * by.x, kKeyTurn * by.y); },
          .zoom = [](ActionContext& c, float factor) { state_of(c).approach(factor); },
          .fit =
              [](ActionContext& c) {
                state_of(c).yaw = 0.6F;
                state_of(c).pitch = 0.5F;
                state_of(c).distance = 3.0F;
              }};
}

}  // namespace ui

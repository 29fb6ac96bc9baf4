// Bodies as a picture: each a soft disc, added up and toned. Pure and deterministic, on the CPU:
// the interface's device may be one that is busy or has no 3D to spare.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "ui/canvas/textures.h"
#include "ui/canvas/theme.h"

namespace ui {

/// An orbit around the origin; z is up.
struct OrbitCamera {
  float yaw = 0.0F;       ///< radians, from the x axis
  float pitch = 0.0F;     ///< radians above the xy plane
  float distance = 3.0F;  ///< length units
  std::uint32_t width = 1;
  std::uint32_t height = 1;  ///< pixels

  [[nodiscard]] glm::mat4 view() const;
  /// Pixels that a length of one has at a depth of one.
  [[nodiscard]] float focal() const;
  /// Pixel of a point; nothing when it lies behind the camera.
  [[nodiscard]] std::optional<glm::vec2> pixel(glm::vec3 point) const;
  bool operator==(const OrbitCamera&) const = default;
};

/// One body.
struct Spot {
  glm::vec3 position{0.0F};
  float tint = 0.0F;   ///< on the colour scale, 0 to 1
  float light = 1.0F;  ///< how much of it; less is fainter
};

struct SplatStyle {
  Colour background = 0;
  bool dark = true;
  float body_radius = 0.01F;  ///< length units
};

/// The part of viridis that can be told from the background.
[[nodiscard]] glm::vec2 visible_viridis(bool dark);

/// A round number that few speeds exceed: the upper end of the colour scale.
[[nodiscard]] float fastest_speed(const std::vector<glm::vec4>& velocities);

/// Spots that are nowhere, or have no tint, are left out.
[[nodiscard]] Image splat(std::span<const Spot> spots, const OrbitCamera& camera,
                          const SplatStyle& style);

}  // namespace ui

// Fields as textures.
#pragma once

#include <vector>

#include <glm/vec4.hpp>

#include "core/base/field.h"
#include "ui/canvas/textures.h"

namespace ui {

/// A texel each, in viridis from the field's low to its high; transparent where nothing was
/// written.
[[nodiscard]] Image paint_field(const core::Field& field);
/// Viridis itself, from left to right.
[[nodiscard]] Image paint_colour_bar();
/// Differences: white at 0, blue below, orange above, as far as the field's high.
[[nodiscard]] Image paint_difference(const core::Field& field);
/// That scale, from left to right.
[[nodiscard]] Image paint_difference_bar();
/// One texel a tile: the mean speed of the bodies that a workgroup moves; `across` tiles a row.
[[nodiscard]] core::Field speeds_of_tiles(const std::vector<glm::vec4>& velocities,
                                          std::uint32_t bodies_a_tile, std::uint32_t across);

}  // namespace ui

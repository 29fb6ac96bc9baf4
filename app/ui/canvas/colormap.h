// The colour scales: of quantities, and of differences.
#pragma once

#include "ui/canvas/theme.h"

namespace ui {

/// Viridis (Smith and van der Walt 2015) at t in [0, 1]; t is clamped, NaN is grey.
[[nodiscard]] Colour viridis(float t);
/// From blue (-1) over white to orange (1), Okabe and Ito's; t is clamped, NaN is grey.
[[nodiscard]] Colour blue_white_orange(float t);

}  // namespace ui

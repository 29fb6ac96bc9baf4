// The colour scale of quantities.
#pragma once

#include "ui/canvas/theme.h"

namespace ui {

/// Viridis (Smith and van der Walt 2015) at t in [0, 1]; t is clamped, NaN is grey.
[[nodiscard]] Colour viridis(float t);

}  // namespace ui

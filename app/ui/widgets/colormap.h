// Colour scales: viridis for quantities, blue–white–orange for differences.
#pragma once

#include "ui/widgets/theme.h"

namespace ui {

/// Viridis (Smith and van der Walt 2015) at t in [0, 1]; t is clamped, NaN is grey.
[[nodiscard]] Colour viridis(float t);
/// Blue at −1, white at 0, orange at 1; t is clamped, NaN is grey.
[[nodiscard]] Colour difference(float t);

}  // namespace ui

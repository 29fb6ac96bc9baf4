// The values that two kernels beside each other are launched with, and how their outputs compare.
#pragma once

#include "core/work/result.h"
#include "ui/canvas/canvas.h"

namespace ui {

/// "M 64, N 64, W 64, tile 16", the longest wording first.
[[nodiscard]] Wordings values_text(const core::Result& result);
/// How the values of `second` differ from those of `first`: "tile 8 (A: 16)". "same values as
/// A" if none does.
[[nodiscard]] Wordings other_values_text(const core::Result& first, const core::Result& second);
/// "same outputs as A", "outputs differ from A: …"; empty if they are not compared.
[[nodiscard]] std::string outputs_text(const core::Result& first, const core::Result& second);

}  // namespace ui

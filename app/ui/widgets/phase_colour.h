// What a phase between barriers is coloured by, beside the source's lines and in the strip of a
// tile's life alike.
#pragma once

#include "core/work/kernel_facts.h"
#include "ui/canvas/theme.h"

namespace ui {

/// By what it does: from global into shared memory, within shared memory, neither.
[[nodiscard]] Colour phase_colour(const Palette& colours, const core::KernelPhase& phase);

}  // namespace ui

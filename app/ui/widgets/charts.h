// Small charts: samples as a strip over launches and as a histogram.
#pragma once

#include <vector>

#include "core/report/timing.h"
#include "ui/canvas/canvas.h"

namespace ui {

/// Samples from the oldest to the newest, with the median as a line and the p5–p95 band behind
/// them.
void draw_strip_chart(const Canvas& canvas, const Rect& area, const std::vector<double>& samples_ms,
                      const core::Spread& spread);
/// How often which time occurred.
void draw_histogram(const Canvas& canvas, const Rect& area, const std::vector<double>& samples_ms,
                    const core::Spread& spread);

}  // namespace ui

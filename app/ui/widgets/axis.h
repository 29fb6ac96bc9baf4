// Scales: where a value is along a line of pixels, and the axis that tells it. Whatever has a scale
// has it from here: the roofline, timelines, bars, charts.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "ui/canvas/canvas.h"

namespace ui {

/// Values along a line of pixels, linear or logarithmic. Where `from` is right of or below `to`,
/// values grow to the left or up.
struct ValueAxis {
  double low = 0.0, high = 1.0;  ///< values at `from` and `to`; above 0 when logarithmic
  float from = 0.0F, to = 1.0F;  ///< pixels
  bool logarithmic = false;

  [[nodiscard]] float pixel(double value) const;
  [[nodiscard]] double value(float pixel) const;
  /// Inside of both ends.
  [[nodiscard]] float inside(double value) const {
    return std::clamp(pixel(value), std::min(from, to), std::max(from, to));
  }
  /// Round values, so that each has `apart` pixels; logarithmic: 1, 10, 100 …, with 2 and 5 in
  /// between over fewer than two decades.
  [[nodiscard]] std::vector<double> ticks(float apart) const;
};

/// 1, 2 or 5 times a power of ten, all of them from `low` to `high`, at most `most` and at least
/// one.
[[nodiscard]] std::vector<double> round_values(double low, double high, std::size_t most);
/// 1, 10, 100 …; with 2 and 5 in between over fewer than two decades.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);

/// How an axis is drawn.
struct AxisLook {
  bool grid = false;      ///< lines through the plot, else short ticks
  std::string name = {};  ///< in the line of the numbers, at its end, where there is room
  std::function<std::string(double)> text = {};  ///< of a tick; null: the number
};

/// Below the plot: ticks and numbers, as many as have room beside each other. Its height is
/// axis_height().
void draw_axis_below(const Canvas& canvas, const Rect& plot, const ValueAxis& axis,
                     const AxisLook& look = {});
/// Left of the plot; the name stands in its top left corner.
void draw_axis_left(const Canvas& canvas, const Rect& plot, const ValueAxis& axis,
                    const AxisLook& look = {});
[[nodiscard]] float axis_height(const Canvas& canvas);

}  // namespace ui

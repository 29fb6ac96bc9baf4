// Geometry of the roofline: logarithmic axes, their ticks, and labels that keep apart. Pure
// arithmetic.
#pragma once

#include <string>
#include <vector>

#include "ui/widgets/rect.h"

namespace ui {

/// Both axes are logarithmic. `x` is flop per byte, `y` 10⁹ flop per second.
struct RooflineAxes {
  Rect plot;
  double x_low = 0.1, x_high = 1000.0;  ///< at the sides of the plot
  double y_low = 1.0, y_high = 1e5;

  [[nodiscard]] glm::vec2 pixel(double x, double y) const;
};

/// Places of labels of `height` along one side of a plot, each as near to its wish as it can be
/// without lying over another one. `wishes` are centres in ascending order, and so are the answers;
/// all of them must fit between low and high.
[[nodiscard]] std::vector<float> keep_apart(std::vector<float> wishes, float height, float low,
                                            float high);

}  // namespace ui

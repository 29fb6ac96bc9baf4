// The parts of the roofline view, which draw_roofline() in roofline_view.cpp puts together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/ceilings.h"
#include "ui/panels/panels.h"
#include "ui/widgets/axis.h"
#include "ui/widgets/legend.h"

namespace ui {

/// A measured kernel in the plot.
struct RooflinePoint {
  std::optional<std::size_t> rung;  ///< place in the ladder; none: the kernel as it is edited
  std::string title;
  double gflops = 0.0;
  double intensity = 0.0;  ///< flop per byte that the answer needs to be moved at least
  bool chosen = false;
  core::Precision precision = core::Precision::fp32;  ///< of what it multiplies
};

/// What the parts of one frame of the roofline share.
struct Roofline {
  const Frame& frame;
  const Canvas& canvas;
  const core::Ceilings& ceilings;
  std::vector<RooflinePoint> points;
  Rect plot = {};
  ValueAxis x = {}, y = {};  ///< flop per byte; 10⁹ flop per second; both logarithmic
  float labels = 0.0F;       ///< width that is left for them at the right, pixels
  int columns = 1;           ///< of labels: two where they would crowd one

  [[nodiscard]] const core::Result& result() const { return frame.model.result; }
  [[nodiscard]] glm::vec2 pixel(double intensity, double gflops) const {
    return {x.pixel(intensity), y.pixel(gflops)};
  }
  [[nodiscard]] const RooflinePoint* chosen() const;
  /// Flop per byte that the traced workgroup asked of global, of shared memory; 0: not known, none.
  [[nodiscard]] double asked_of_global() const;
  [[nodiscard]] double asked_of_shared() const;
};

/// Grid, axes, ceilings, points and their labels; what the mouse points at tells its numbers.
void draw_roofline_plot(const Roofline& roofline);

/// Places of labels of `height` along one side of a plot, each as near to its wish as it can be
/// without lying over another one. `wishes` are centres in ascending order, and so are the answers;
/// all of them must fit between low and high.
[[nodiscard]] std::vector<float> keep_apart(std::vector<float> wishes, float height, float low,
                                            float high);

}  // namespace ui

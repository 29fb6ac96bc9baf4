#include "ui/views/roofline/roofline_plot.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

double share(double value, double low, double high) {
  return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
}

}  // namespace

glm::vec2 RooflineAxes::pixel(double x, double y) const {
  return {plot.low.x + static_cast<float>(share(x, x_low, x_high)) * plot.width(),
          plot.high.y - static_cast<float>(share(y, y_low, y_high)) * plot.height()};
}

std::vector<float> keep_apart(std::vector<float> wishes, float height, float low, float high) {
  float least = low + 0.5F * height;
  for (float& place : wishes) {  // down, away from the one above
    place = std::max(place, least);
    least = place + height;
  }
  float most = high - 0.5F * height;
  for (auto place = wishes.rbegin(); place != wishes.rend(); ++place) {  // and back up at the end
    *place = std::min(*place, most);
    most = *place - height;
  }
  return wishes;
}

}  // namespace ui

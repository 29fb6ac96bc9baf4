#include "ui/canvas/colormap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ui {

Colour viridis(float t) {
  constexpr std::array kStops{rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355F8D),
                              rgb(0x2A788E), rgb(0x21918C), rgb(0x22A884), rgb(0x44BF70),
                              rgb(0x7AD151), rgb(0xBDDF26), rgb(0xFDE725)};
  if (std::isnan(t)) {
    return rgb(0x808080);
  }
  const float place = std::clamp(t, 0.0F, 1.0F) * static_cast<float>(kStops.size() - 1);
  const std::size_t first = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  return mix(kStops[first], kStops[first + 1], place - static_cast<float>(first));
}

Colour blue_white_orange(float t) {
  if (std::isnan(t)) {
    return rgb(0x808080);
  }
  return mix(rgb(0xFFFFFF), t < 0.0F ? rgb(0x0072B2) : rgb(0xE69F00), std::min(std::abs(t), 1.0F));
}

}  // namespace ui

#include "ui/widgets/colormap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace ui {
namespace {

constexpr Colour kNotANumber = rgb(0x808080);

constexpr std::array kViridis{rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355F8D),
                              rgb(0x2A788E), rgb(0x21918C), rgb(0x22A884), rgb(0x44BF70),
                              rgb(0x7AD151), rgb(0xBDDF26), rgb(0xFDE725)};
constexpr std::array kDifference{rgb(0x0072B2), rgb(0x7FB8D8), rgb(0xF7F7F7), rgb(0xF0BE6B),
                                 rgb(0xD98200)};

Colour lookup(std::span<const Colour> stops, float t) {
  if (std::isnan(t)) {
    return kNotANumber;
  }
  const float place = std::clamp(t, 0.0F, 1.0F) * static_cast<float>(stops.size() - 1);
  const std::size_t first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  return mix(stops[first], stops[first + 1], place - static_cast<float>(first));
}

}  // namespace

Colour viridis(float t) {
  return lookup(kViridis, t);
}
Colour difference(float t) {
  return lookup(kDifference, 0.5F * (t + 1.0F));
}

}  // namespace ui

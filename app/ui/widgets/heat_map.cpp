#include "ui/widgets/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/base/ceil_div.h"
#include "core/base/field.h"
#include "ui/canvas/colormap.h"

namespace ui {
namespace {

constexpr std::size_t kShades = 256;

const std::array<Colour, kShades>& shades() {
  static const auto table = [] {
    std::array<Colour, kShades> colours{};
    for (std::size_t i = 0; i < kShades; ++i) {
      colours[i] = viridis(static_cast<float>(i) / static_cast<float>(kShades - 1));
    }
    return colours;
  }();
  return table;
}

}  // namespace

Image paint_field(const core::Field& field) {
  Image image{field.texel_columns, field.texel_rows, {}};
  image.rgba.resize(field.texels.size());
  const float range = field.high - field.low;
  const float scale = range > 0.0F ? static_cast<float>(kShades - 1) / range : 0.0F;
  std::ranges::transform(field.texels, image.rgba.begin(), [&](float value) {
    if (core::is_unwritten(value)) {
      return Colour{0};
    }
    if (!std::isfinite(value)) {
      return viridis(std::numeric_limits<float>::quiet_NaN());
    }
    const float place = range > 0.0F ? (value - field.low) * scale : 128.0F;
    return shades()[std::min(static_cast<std::size_t>(place + 0.5F), kShades - 1)];
  });
  return image;
}

Image paint_colour_bar() {
  return {static_cast<std::uint32_t>(kShades), 1, {shades().begin(), shades().end()}};
}

Image paint_difference(const core::Field& field) {
  Image image{field.texel_columns, field.texel_rows, {}};
  image.rgba.resize(field.texels.size());
  std::ranges::transform(field.texels, image.rgba.begin(), [&](float value) {
    return blue_white_orange(field.high > 0.0F || std::isinf(value) ? value / field.high : value);
  });
  return image;
}

Image paint_difference_bar() {
  Image image{static_cast<std::uint32_t>(kShades), 1, {}};
  for (std::size_t i = 0; i < kShades; ++i) {
    image.rgba.push_back(
        blue_white_orange(2.0F * static_cast<float>(i) / static_cast<float>(kShades - 1) - 1.0F));
  }
  return image;
}

core::Field speeds_of_tiles(const std::vector<glm::vec4>& velocities, std::uint32_t bodies_a_tile,
                            std::uint32_t across) {
  const std::size_t tiles = core::ceil_div(velocities.size(), bodies_a_tile);
  std::vector<float> means(tiles, 0.0F);
  for (std::size_t t = 0; t < tiles; ++t) {
    const std::size_t first = t * bodies_a_tile;
    const std::size_t last = std::min(first + bodies_a_tile, velocities.size());
    for (std::size_t i = first; i < last; ++i) {
      means[t] += glm::length(glm::vec3(velocities[i]));
    }
    means[t] /= static_cast<float>(last - first);
  }
  const auto [low, high] = std::ranges::minmax(means);
  const auto rows = static_cast<std::uint32_t>(core::ceil_div(tiles, across));
  means.resize(std::size_t{rows} * across, low);
  return {.name = "mean speed of the bodies of a tile",
          .unit = "length/time",
          .rows = rows,
          .columns = across,
          .texel_rows = rows,
          .texel_columns = across,
          .texels = std::move(means),
          .low = low,
          .high = high};
}

}  // namespace ui

#include "ui/views/bodies/bodies_splat.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "ui/canvas/colormap.h"

namespace ui {
namespace {

constexpr float kFieldOfView = 0.64F;  // radians, vertical
constexpr float kNear = 0.02F;
constexpr float kSmallest = 1.1F;  // pixels: a smaller disc would flicker between them
constexpr float kLargest = 40.0F;

// Per pixel: how much light, and that times where on the colour scale it lies.
struct Light {
  float amount = 0.0F;
  float tint = 0.0F;
};

class Exposure {
 public:
  Exposure(std::uint32_t width, std::uint32_t height)
      : width_(static_cast<int>(width)),
        height_(static_cast<int>(height)),
        pixels_(std::size_t{width} * height) {}

  void add_disc(glm::vec2 centre, float radius, float strength, float tint) {
    const int x0 = std::max(0, static_cast<int>(std::ceil(centre.x - radius - 0.5F)));
    const int x1 = std::min(width_ - 1, static_cast<int>(std::floor(centre.x + radius - 0.5F)));
    const int y0 = std::max(0, static_cast<int>(std::ceil(centre.y - radius - 0.5F)));
    const int y1 = std::min(height_ - 1, static_cast<int>(std::floor(centre.y + radius - 0.5F)));
    const float inverse = 1.0F / (radius * radius);
    for (int y = y0; y <= y1; ++y) {
      const float dy = static_cast<float>(y) + 0.5F - centre.y;
      Light* line = pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_;
      for (int x = x0; x <= x1; ++x) {
        const float dx = static_cast<float>(x) + 0.5F - centre.x;
        const float falloff = std::max(0.0F, 1.0F - (dx * dx + dy * dy) * inverse);
        const float amount = strength * falloff * falloff;
        line[x].amount += amount;
        line[x].tint += amount * tint;
      }
    }
  }

  [[nodiscard]] Image develop(const SplatStyle& style) const {
    constexpr std::size_t shades = 256;
    std::array<Colour, shades> table{};
    const glm::vec2 range = visible_viridis(style.dark);
    for (std::size_t i = 0; i < shades; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(shades - 1);
      table[i] = viridis(range.x + (range.y - range.x) * t);
    }
    Image image{static_cast<std::uint32_t>(width_), static_cast<std::uint32_t>(height_), {}, true};
    image.rgba.resize(pixels_.size(), style.background);
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const Light& light = pixels_[i];
      if (light.amount > 1e-4F) {
        const float t = std::clamp(light.tint / light.amount, 0.0F, 1.0F);
        const auto shade = static_cast<std::size_t>(t * static_cast<float>(shades - 1));
        image.rgba[i] = mix(style.background, table[shade], 1.0F - std::exp(-light.amount));
      }
    }
    return image;
  }

 private:
  int width_;
  int height_;
  std::vector<Light> pixels_;
};

}  // namespace

glm::mat4 OrbitCamera::view() const {
  const glm::vec3 direction{std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw),
                            std::sin(pitch)};
  return glm::lookAt(direction * distance, glm::vec3(0.0F), glm::vec3(0.0F, 0.0F, 1.0F));
}

float OrbitCamera::focal() const {
  return 0.5F * static_cast<float>(height) / std::tan(0.5F * kFieldOfView);
}

std::optional<glm::vec2> OrbitCamera::pixel(glm::vec3 point) const {
  const glm::vec4 eye = view() * glm::vec4(point, 1.0F);
  if (eye.z > -kNear * distance) {
    return std::nullopt;
  }
  const glm::vec2 middle = 0.5F * glm::vec2(width, height);
  return middle + glm::vec2(eye.x, -eye.y) * (focal() / -eye.z);
}

glm::vec2 visible_viridis(bool dark) {
  return dark ? glm::vec2(0.28F, 1.0F) : glm::vec2(0.0F, 0.86F);
}

float fastest_speed(const std::vector<glm::vec4>& velocities) {
  std::vector<float> speeds;
  const std::size_t stride = velocities.size() / 4096 + 1;
  for (std::size_t i = 0; i < velocities.size(); i += stride) {
    speeds.push_back(glm::length(glm::vec3(velocities[i])));
  }
  if (speeds.empty()) {
    return 1.0F;
  }
  const auto place = speeds.begin() + static_cast<std::ptrdiff_t>((speeds.size() - 1) * 97 / 100);
  std::ranges::nth_element(speeds, place);
  if (!(*place > 0.0F) || !std::isfinite(*place)) {
    return 1.0F;
  }
  const float unit = std::pow(10.0F, std::floor(std::log10(*place)));
  return std::ceil(*place / unit * 2.0F) * 0.5F * unit;
}

Image splat(std::span<const Spot> spots, const OrbitCamera& camera, const SplatStyle& style) {
  Exposure exposure(camera.width, camera.height);
  const glm::mat4 view = camera.view();
  const float focal = camera.focal();
  const glm::vec2 middle = 0.5F * glm::vec2(camera.width, camera.height);
  for (const Spot& spot : spots) {
    const glm::vec4 eye = view * glm::vec4(spot.position, 1.0F);
    const float depth = -eye.z;
    if (!(depth > kNear * camera.distance) || std::isnan(spot.tint)) {
      continue;
    }
    const glm::vec2 at = middle + glm::vec2(eye.x, -eye.y) * (focal / depth);
    const float size = style.body_radius * focal / depth;
    const float radius = std::clamp(size, kSmallest, kLargest);
    // A disc that had to grow to be seen spreads the same light.
    const float strength = 1.5F * spot.light * std::min(1.0F, size * size / (radius * radius));
    exposure.add_disc(at, radius, strength, std::clamp(spot.tint, 0.0F, 1.0F));
  }
  return exposure.develop(style);
}

}  // namespace ui

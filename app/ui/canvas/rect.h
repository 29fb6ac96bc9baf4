// Rectangles in pixels, x to the right and y down.
#pragma once

#include <algorithm>

#include <glm/vec2.hpp>

namespace ui {

struct Rect {
  glm::vec2 low{0.0F};   ///< top left, inside
  glm::vec2 high{0.0F};  ///< bottom right, outside

  [[nodiscard]] float width() const { return high.x - low.x; }
  [[nodiscard]] float height() const { return high.y - low.y; }
  [[nodiscard]] glm::vec2 size() const { return high - low; }
  [[nodiscard]] glm::vec2 centre() const { return 0.5F * (low + high); }
  [[nodiscard]] bool empty() const { return high.x <= low.x || high.y <= low.y; }
  [[nodiscard]] bool contains(glm::vec2 p) const {
    return p.x >= low.x && p.y >= low.y && p.x < high.x && p.y < high.y;
  }
  [[nodiscard]] bool contains(const Rect& r) const {
    return r.low.x >= low.x && r.low.y >= low.y && r.high.x <= high.x && r.high.y <= high.y;
  }
  [[nodiscard]] Rect inset(float x, float y) const {
    return {{low.x + x, low.y + y}, {high.x - x, high.y - y}};
  }
  /// Grown about its middle to so many pixels a side, where it is smaller.
  [[nodiscard]] Rect at_least(float side) const {
    const float x = std::max(0.0F, 0.5F * (side - width()));
    const float y = std::max(0.0F, 0.5F * (side - height()));
    return inset(-x, -y);
  }
  [[nodiscard]] Rect clipped(const Rect& r) const {
    return {{std::max(low.x, r.low.x), std::max(low.y, r.low.y)},
            {std::min(high.x, r.high.x), std::min(high.y, r.high.y)}};
  }
  [[nodiscard]] bool overlaps(const Rect& r) const { return !clipped(r).empty(); }

  /// Takes a strip off one side and returns it.
  Rect cut_top(float size) {
    const Rect strip{low, {high.x, std::min(low.y + size, high.y)}};
    low.y = strip.high.y;
    return strip;
  }
  Rect cut_bottom(float size) {
    const Rect strip{{low.x, std::max(high.y - size, low.y)}, high};
    high.y = strip.low.y;
    return strip;
  }
  Rect cut_left(float size) {
    const Rect strip{low, {std::min(low.x + size, high.x), high.y}};
    low.x = strip.high.x;
    return strip;
  }
  Rect cut_right(float size) {
    const Rect strip{{std::max(high.x - size, low.x), low.y}, high};
    high.x = strip.low.x;
    return strip;
  }
  bool operator==(const Rect&) const = default;
};

}  // namespace ui

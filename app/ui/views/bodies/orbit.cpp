#include "ui/views/bodies/orbit.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/format.h"

namespace ui {
namespace {

constexpr float kMostPixels = 1.5e6F;  // of a painting; larger views show it enlarged
constexpr float kTurn = 0.008F;        // radians a pixel

void take_mouse(const Frame& frame, const Hit& mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  OrbitState& orbit = frame.state.of<OrbitState>();
  if (mouse.held) {
    const float turn = kTurn / frame.theme.scale;
    orbit.turn(-turn * io.MouseDelta.x, turn * io.MouseDelta.y);
  }
  if (mouse.hovered && io.MouseWheel != 0.0F) {
    orbit.approach(std::pow(1.0F / 0.85F, io.MouseWheel));
  }
}

// The camera and the colours of the view.
void complete(BodiesShot& shot, const Frame& frame, const Rect& area) {
  const OrbitState& orbit = frame.state.of<OrbitState>();
  const float shrink = std::min(1.0F, std::sqrt(kMostPixels / (area.width() * area.height())));
  shot.problem = frame.model.result.problem;
  shot.workload = frame.model.result.work;
  shot.yaw = orbit.yaw;
  shot.pitch = orbit.pitch;
  shot.distance = orbit.distance;
  shot.width = static_cast<std::uint32_t>(std::max(1.0F, area.width() * shrink));
  shot.height = static_cast<std::uint32_t>(std::max(1.0F, area.height() * shrink));
  shot.dark = frame.theme.dark;
  shot.background = frame.theme.colours.background;
}

}  // namespace

std::optional<glm::vec2> Projection::operator()(glm::vec3 point) const {
  const auto pixel = camera.pixel(point);
  const glm::vec2 scale = area.size() / glm::vec2(camera.width, camera.height);
  return pixel ? std::optional(area.low + *pixel * scale) : std::nullopt;
}

std::shared_ptr<const BodiesPainting> draw_painting(const Frame& frame, const Canvas& canvas,
                                                    const Rect& area, BodiesShot shot) {
  take_mouse(frame, hit("bodies", area));
  complete(shot, frame, area);
  BodiesPainter& painter = frame.state.of<BodiesPainter>();
  auto painting = painter.paint(shot, frame.settle);
  if (painting) {
    const auto texture = frame.textures.image("bodies", painter.painting.version(),
                                              [&painting] { return painting->image; });
    canvas.image(texture, area);
  }
  return painting;
}

LegendItem tints_of(const Frame& frame, const BodiesPainting& painting, const char* name,
                    const char* unit) {
  return legend_scale(
      {name, tick_text(static_cast<double>(painting.low)),
       tick_text(static_cast<double>(painting.high)), unit, visible_viridis(frame.theme.dark)},
      9);
}

}  // namespace ui

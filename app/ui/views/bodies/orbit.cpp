#include "ui/views/bodies/orbit.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/format.h"
#include "ui/widgets/heat_map.h"

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
  auto painting = frame.state.of<BodiesPainter>().paint(shot, frame.settle);
  if (painting) {
    const auto texture =
        frame.textures.image("bodies", painting->version, [&painting] { return painting->image; });
    canvas.image(texture, area);
  }
  return painting;
}

void draw_tints(const Frame& frame, const Canvas& canvas, Rect& strip, std::string_view name,
                const BodiesPainting& painting, std::string_view unit) {
  const Theme& theme = frame.theme;
  const auto put = [&](std::string_view text, ImFont* font, Colour colour) {
    canvas.text_in(strip, text, font, colour);
    strip.cut_left(canvas.measure(text, font).x + theme.px(6));
  };
  put(name, theme.fonts.text, theme.colours.text);
  put(tick_text(static_cast<double>(painting.low)), theme.fonts.mono, theme.colours.text);
  const Rect bar = strip.cut_left(theme.px(90));
  const glm::vec2 range = visible_viridis(theme.dark);
  canvas.image(frame.textures.image("colour bar", 1, paint_colour_bar),
               bar.inset(0.0F, 0.5F * (bar.height() - theme.px(10))), {range.x, 0.5F},
               {range.y, 0.5F});
  strip.cut_left(theme.px(6));
  put(tick_text(static_cast<double>(painting.high)), theme.fonts.mono, theme.colours.text);
  if (!unit.empty()) {
    put(unit, theme.fonts.text, theme.colours.dim);
  }
}

void draw_orbit_hint(const Canvas& canvas, const Rect& strip) {
  const Theme& theme = canvas.theme();
  constexpr std::string_view kHint = "drag to turn, wheel to come closer";
  if (strip.width() > canvas.measure(kHint, theme.fonts.text).x + theme.px(30)) {
    canvas.text_in(strip, kHint, theme.fonts.text, theme.colours.dim, Align::right);
  }
}

}  // namespace ui

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "ui/format.h"
#include "ui/heat_map.h"
#include "ui/panels.h"

namespace ui {
namespace {

constexpr float kMostPixels = 1.5e6F;  // of a painting; larger views show it enlarged
constexpr float kTurn = 0.008F;        // radians a pixel

void take_mouse(const Frame& frame, const Hit& mouse) {
  const ImGuiIO& io = ImGui::GetIO();
  core::View& view = frame.state.view;
  if (mouse.held) {
    view.yaw -= kTurn / frame.theme.scale * io.MouseDelta.x;
    view.pitch =
        std::clamp(view.pitch + kTurn / frame.theme.scale * io.MouseDelta.y, -1.55F, 1.55F);
  }
  if (mouse.hovered && io.MouseWheel != 0.0F) {
    view.distance = std::clamp(view.distance * std::pow(0.85F, io.MouseWheel), 0.2F, 50.0F);
  }
}

BodiesShot shot_for(const Frame& frame, const Rect& area) {
  const core::Result& result = frame.model.result;
  const core::View& view = frame.state.view;
  const float shrink = std::min(1.0F, std::sqrt(kMostPixels / (area.width() * area.height())));
  return {.bodies = result.bodies,
          .problem = result.problem,
          .workload = result.experiment.workload(),
          .yaw = view.yaw,
          .pitch = view.pitch,
          .distance = view.distance,
          .width = static_cast<std::uint32_t>(std::max(1.0F, area.width() * shrink)),
          .height = static_cast<std::uint32_t>(std::max(1.0F, area.height() * shrink)),
          .dark = frame.theme.dark,
          .background = frame.theme.colours.background};
}

// Places points of space on the panel, through the camera that the painting was made with.
struct Projection {
  OrbitCamera camera;
  Rect area;
  [[nodiscard]] std::optional<glm::vec2> operator()(glm::vec3 point) const {
    const auto pixel = camera.pixel(point);
    const glm::vec2 scale = area.size() / glm::vec2(camera.width, camera.height);
    return pixel ? std::optional(area.low + *pixel * scale) : std::nullopt;
  }
};

// A power of ten, or twice or five times one, near a third of the sphere.
float ring_radius(float sphere) {
  const float third = sphere / 2.5F;
  const float unit = std::pow(10.0F, std::floor(std::log10(third)));
  const float multiple = third / unit;
  return unit * (multiple >= 5.0F ? 5.0F : multiple >= 2.0F ? 2.0F : 1.0F);
}

void draw_ring(const Canvas& canvas, const Projection& project, float radius, Colour colour) {
  constexpr int kSides = 96;
  std::vector<glm::vec2> run;
  for (int i = 0; i <= kSides; ++i) {
    const float angle = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / kSides;
    const auto p = project(radius * glm::vec3(std::cos(angle), std::sin(angle), 0.0F));
    if (p) {
      run.push_back(*p);
    } else if (!run.empty()) {
      canvas.polyline(run, colour, 1.0F);
      run.clear();
    }
  }
  if (run.size() > 1) {
    canvas.polyline(run, colour, 1.0F);
  }
}

// Rings in the plane z = 0 and the axes: how large things are and which way is up.
// Labels keep clear of `facts`.
void draw_space(const Canvas& canvas, const Projection& project, float sphere, const Rect& facts) {
  const Theme& theme = canvas.theme();
  const Colour colour = fade(theme.colours.dim, 0.35F);
  Rect inside = project.area.inset(theme.px(24), theme.px(24));
  inside.high.y -= 2.0F * canvas.line_height(theme.fonts.text);  // the legend's
  const auto free = [&](glm::vec2 at) {
    const Rect label{at, at + 2.0F * canvas.line_height(theme.fonts.text)};
    return inside.contains(at) && !facts.overlaps(label);
  };
  const float ring = ring_radius(sphere);
  const float last = ring * std::ceil(sphere / ring);
  for (float radius = ring; radius < last + 0.5F * ring; radius += ring) {
    draw_ring(canvas, project, radius, colour);
    const auto at = project({radius, 0.0F, 0.0F});
    if (at && free(*at)) {
      canvas.text(*at + theme.px(3), fmt::format("{:g}", radius), theme.fonts.mono,
                  theme.colours.dim);
    }
  }
  const float reach = last + 0.4F * ring;
  const std::array<std::pair<const char*, glm::vec3>, 3> axes{
      {{"x", {reach, 0, 0}}, {"y", {0, reach, 0}}, {"z", {0, 0, 0.5F * reach}}}};
  for (const auto& [name, tip] : axes) {
    const auto from = project({0, 0, 0});
    const auto to = project(tip);
    if (from && to) {
      canvas.list().AddLine(im(*from), im(*to), colour, 1.0F);
      if (free(*to)) {
        canvas.text(*to + theme.px(4), name, theme.fonts.text, theme.colours.dim);
      }
    }
  }
}

void draw_drift_chart(const Canvas& canvas, const Rect& area, const std::vector<float>& drift) {
  const Theme& theme = canvas.theme();
  float most = 1e-6F;
  for (const float value : drift) {
    most = std::max(most, std::abs(value));
  }
  const float middle = area.centre().y;
  canvas.line({area.low.x, middle}, {area.high.x, middle}, theme.colours.line);
  std::vector<glm::vec2> points;
  const std::size_t stride = drift.size() / 512 + 1;
  for (std::size_t i = 0; i < drift.size(); i += stride) {
    const float x =
        static_cast<float>(i) / static_cast<float>(std::max<std::size_t>(drift.size() - 1, 1));
    points.push_back(
        {area.low.x + x * area.width(), middle - drift[i] / most * 0.5F * area.height()});
  }
  canvas.polyline(points, theme.colours.accent, theme.px(1.5F));
}

std::string percent(double fraction) {
  return fmt::format("{:+.4f} %", fraction * 100.0);
}

// In the corner; below the names of the views where they would meet.
Rect place_facts(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = canvas.theme();
  const float pad = theme.px(16);
  const float width = std::min(theme.px(240), area.width() - 2.0F * pad);
  const bool narrow = title_line(frame, canvas, area).high.x < area.low.x + pad + width;
  const float top = area.low.y + (narrow ? theme.px(48) : theme.px(12));
  const float height = 7.0F * canvas.line_height(theme.fonts.text) + theme.px(50);
  const float bottom = std::min(top + height, area.high.y - theme.px(44));
  return {{area.low.x + pad, top}, {area.low.x + pad + width, bottom}};
}

void draw_facts(const Frame& frame, const Canvas& canvas, Rect rest) {
  const core::Bodies& bodies = *frame.model.result.bodies;
  const Theme& theme = frame.theme;
  const float line = canvas.line_height(theme.fonts.text);
  if (rest.height() < 5.0F * line) {
    return;
  }
  row(canvas, rest, "bodies", count_text(bodies.positions.size()));
  row(canvas, rest, "step", count_text(bodies.step));
  row(canvas, rest, "time", fmt::format("{:.3f}", bodies.time));
  row(canvas, rest, "energy", fmt::format("{:.6f}", bodies.energy));
  const double change = bodies.first_energy != 0.0
                            ? (bodies.energy - bodies.first_energy) / std::abs(bodies.first_energy)
                            : 0.0;
  row(canvas, rest, "energy drift", percent(change));
  if (bodies.drift.size() > 1 && rest.height() > theme.px(50) + line) {
    rest.cut_top(theme.px(6));
    draw_drift_chart(canvas, rest.cut_top(theme.px(44)), bodies.drift);
    canvas.text_in(
        rest.cut_top(line),
        fmt::format(
            "drift since the start, ±{} %",
            short_scientific(100.0 * static_cast<double>(std::abs(*std::ranges::max_element(
                                         bodies.drift, {}, [](float d) { return std::abs(d); }))))),
        theme.fonts.text, theme.colours.dim);
  }
}

void draw_legend(const Frame& frame, const Canvas& canvas, const Rect& area, float fastest) {
  const Theme& theme = frame.theme;
  const float line = canvas.line_height(theme.fonts.text);
  Rect strip{{area.low.x + theme.px(16), area.high.y - line - theme.px(10)},
             {area.high.x - theme.px(16), area.high.y - theme.px(10)}};
  const auto put = [&](const std::string& text, ImFont* font, Colour colour) {
    canvas.text_in(strip, text, font, colour);
    strip.cut_left(canvas.measure(text, font).x + theme.px(6));
  };
  put("speed", theme.fonts.text, theme.colours.text);
  put("0", theme.fonts.mono, theme.colours.text);
  const Rect bar = strip.cut_left(theme.px(90));
  const glm::vec2 range = visible_viridis(theme.dark);
  canvas.image(frame.textures.image("colour bar", 1, paint_colour_bar),
               bar.inset(0.0F, 0.5F * (bar.height() - theme.px(10))), {range.x, 0.5F},
               {range.y, 0.5F});
  strip.cut_left(theme.px(6));
  put(tick_text(static_cast<double>(fastest)), theme.fonts.mono, theme.colours.text);
  put("length/time", theme.fonts.text, theme.colours.dim);
  const std::string hint = "drag to turn, wheel to come closer";
  if (strip.width() > canvas.measure(hint, theme.fonts.text).x + theme.px(30)) {
    canvas.text_in(strip, hint, theme.fonts.text, theme.colours.dim, Align::right);
  }
}

}  // namespace

void draw_bodies(const Frame& frame, const Canvas& canvas, const Rect& area) {
  if (!frame.model.result.bodies || frame.model.result.bodies->positions.empty()) {
    nothing_yet(canvas, area.inset(frame.theme.px(24), frame.theme.px(24)),
                "The bodies appear here after the first step.");
    return;
  }
  take_mouse(frame, hit("bodies", area));
  const auto painting = frame.cache.bodies.paint(shot_for(frame, area), frame.settle);
  if (!painting) {
    return;
  }
  const auto texture =
      frame.textures.image("bodies", painting->version, [&painting] { return painting->image; });
  canvas.image(texture, area);
  const Rect facts = place_facts(frame, canvas, area);
  draw_space(canvas, {painting->camera, area}, painting->radius, facts);
  draw_facts(frame, canvas, facts);
  draw_legend(frame, canvas, area, painting->fastest);
}

}  // namespace ui

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "ui/panels/panels.h"
#include "ui/views.h"
#include "ui/views/bodies/orbit.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

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

void draw_bodies(const Frame& frame, const Canvas& canvas, const Rect& area) {
  if (!frame.model.result.bodies || frame.model.result.bodies->positions.empty()) {
    nothing_yet(canvas, area.inset(frame.theme.px(24), frame.theme.px(24)),
                "The bodies appear here after the first step.");
    return;
  }
  BodiesShot shot;
  shot.bodies = frame.model.result.bodies;
  const auto painting = draw_painting(frame, canvas, area, std::move(shot));
  if (!painting) {
    return;
  }
  const Rect facts = place_facts(frame, canvas, area);
  draw_space(canvas, {painting->camera, area}, painting->radius, facts);
  draw_facts(frame, canvas, facts);
  const float line = canvas.line_height(frame.theme.fonts.text);
  Rect strip{{area.low.x + frame.theme.px(16), area.high.y - line - frame.theme.px(10)},
             {area.high.x - frame.theme.px(16), area.high.y - frame.theme.px(10)}};
  draw_tints(frame, canvas, strip, "speed", *painting, "length/time");
  draw_orbit_hint(canvas, strip);
}

bool has_bodies(const core::Result& result) {
  return result.bodies != nullptr;
}

}  // namespace

CentreView bodies_row() {
  return {.name = "bodies",
          .there = has_bodies,
          .draw = draw_bodies,
          .overview = true,
          .open = [](ViewStates& states) { states.of<OrbitState>(); },
          .moves = orbit_moves()};
}

}  // namespace ui

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/panels/panels.h"
#include "ui/views.h"
#include "ui/views/bodies/orbit.h"
#include "ui/widgets/axis.h"

namespace ui {
namespace {

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
  Rect inside = project.area.inset(theme.gap.huge, theme.gap.huge);
  inside.high.y -= 2.0F * canvas.line_height();  // the legend's
  const auto free = [&](glm::vec2 at) {
    const Rect label{at, at + 2.0F * canvas.line_height()};
    return inside.contains(at) && !facts.overlaps(label);
  };
  // Three of them, or a few more.
  const auto ring = static_cast<float>(round_values(0.0, static_cast<double>(sphere), 4).at(1));
  const float last = ring * std::ceil(sphere / ring);
  for (float radius = ring; radius < last + 0.5F * ring; radius += ring) {
    draw_ring(canvas, project, radius, colour);
    const auto at = project({radius, 0.0F, 0.0F});
    if (at && free(*at)) {
      canvas.text(*at + theme.gap.thin, fmt::format("{:g}", radius), theme.fonts.mono,
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
        canvas.text(*to + theme.gap.small, name, theme.fonts.text, theme.colours.dim);
      }
    }
  }
}

float largest(const std::vector<float>& drift) {
  return std::abs(*std::ranges::max_element(drift, {}, [](float d) { return std::abs(d); }));
}

void draw_drift_chart(const Canvas& canvas, const Rect& area, const std::vector<float>& drift) {
  const auto most = static_cast<double>(std::max(largest(drift), 1e-6F));
  const ValueAxis x{0.0, static_cast<double>(drift.size() - 1), area.low.x, area.high.x};
  const ValueAxis y{-most, most, area.high.y, area.low.y};
  canvas.line({area.low.x, y.pixel(0.0)}, {area.high.x, y.pixel(0.0)}, canvas.theme().colours.line);
  std::vector<glm::vec2> points;
  const std::size_t stride = drift.size() / 512 + 1;
  for (std::size_t i = 0; i < drift.size(); i += stride) {
    points.emplace_back(x.pixel(static_cast<double>(i)), y.pixel(static_cast<double>(drift[i])));
  }
  canvas.polyline(points, canvas.theme().colours.accent, canvas.theme().gap.thin);
}

constexpr float kFactsWide = 12.0F;  // lines of text
constexpr float kMostOfView = 0.45F;

// As a table they would lie over the bodies: two lines above these say the same, but for the curve.
bool are_short(const Canvas& canvas, const Rect& area) {
  return kFactsWide * canvas.line_height() > kMostOfView * area.width();
}

// In the corner; below the names of the views where they would meet.
Rect place_facts(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const float line = canvas.line_height();
  const float pad = frame.theme.gap.large;
  const Rect title = title_line(frame, canvas, area);
  const bool two_lines = are_short(canvas, area);
  const float most = area.width() - 2.0F * pad;
  const float width = two_lines ? most : std::min(kFactsWide * line, most);
  const bool narrow = title.width() < width;
  const float top = narrow ? title.high.y + frame.theme.gap.medium : title.low.y;
  const float height = (two_lines ? 2.0F : 9.5F) * line;
  return {{area.low.x + pad, top},
          {area.low.x + pad + width, std::min(top + height, area.high.y - 2.5F * line)}};
}

// The first step weighs them as they stand before it.
bool is_weighed(const core::Bodies& bodies) {
  return !bodies.drift.empty();
}

std::string drift_of(const core::Bodies& bodies) {
  const double change = bodies.first_energy != 0.0
                            ? (bodies.energy - bodies.first_energy) / std::abs(bodies.first_energy)
                            : 0.0;
  return fmt::format("{:+.4f} %", 100.0 * change);
}

void draw_facts_short(const Canvas& canvas, const Rect& area, const core::Bodies& bodies) {
  Stack stack{canvas, area};
  stack.say(fmt::format("{} bodies, step {}, time {:.3f}", count_text(bodies.positions.size()),
                        count_text(bodies.step), bodies.time),
            pen::dim);
  if (is_weighed(bodies) && stack.has(1.0F)) {
    stack.say(fmt::format("energy {:.6f}, drift {}", bodies.energy, drift_of(bodies)), pen::dim);
  }
}

void draw_facts(const Canvas& canvas, const Rect& area, const core::Bodies& bodies) {
  Stack stack{canvas, area};
  if (!stack.has(5.0F)) {
    return;
  }
  stack.row("bodies", count_text(bodies.positions.size()));
  stack.row("step", count_text(bodies.step));
  stack.row("time", fmt::format("{:.3f}", bodies.time));
  stack.row("energy", is_weighed(bodies) ? fmt::format("{:.6f}", bodies.energy) : "not yet");
  if (is_weighed(bodies)) {
    stack.row("energy drift", drift_of(bodies));
  }
  if (bodies.drift.size() > 1 && stack.has(3.5F)) {
    stack.gap(canvas.theme().gap.small);
    draw_drift_chart(canvas, stack.lines(2.2F), bodies.drift);
    const auto most = static_cast<double>(largest(bodies.drift));
    stack.say(fmt::format("drift since the start, ±{} %", short_scientific(100.0 * most)),
              pen::dim);
  }
}

std::string nothing(const Frame& frame) {
  const bool any = !frame.model.result.bodies->positions.empty();
  return any ? "" : "The bodies appear here after the first step.";
}

void draw_bodies(const Frame& frame, const Canvas& canvas, const Rect& area) {
  BodiesShot shot;
  shot.bodies = frame.model.result.bodies;
  const auto painting = draw_painting(frame, canvas, area, std::move(shot));
  if (!painting) {
    return;
  }
  const Rect facts = place_facts(frame, canvas, area);
  draw_space(canvas, {painting->camera, area}, painting->radius, facts);
  const auto draw = are_short(canvas, area) ? draw_facts_short : draw_facts;
  draw(canvas, facts, *frame.model.result.bodies);
  Rect legend = area.inset(frame.theme.gap.large, frame.theme.gap.medium);
  draw_legend(canvas, frame.textures, legend.cut_bottom(canvas.line_height()),
              {tints_of(frame, *painting, "speed", "length/time")}, "drag to turn, wheel to zoom");
}

bool has_bodies(const core::Result& result) {
  return result.bodies != nullptr;
}

}  // namespace

CentreView bodies_row() {
  return {.name = "bodies",
          .answers = "What do the bodies do?",
          .manual = {.chapter = "Bodies"},
          .there = has_bodies,
          .draw = draw_bodies,
          .nothing = nothing,
          .overview = true,
          .open = [](ViewStates& states) { states.of<OrbitState>(); },
          .moves = orbit_moves(),
          .film = steps_film()};
}

}  // namespace ui

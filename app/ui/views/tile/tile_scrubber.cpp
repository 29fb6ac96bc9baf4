// The phases as they were lived through, and the way along them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/views/tile/tile_view.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

constexpr float kNamed = 78.0F;  // pixels at scale 1 that a segment with a name takes
constexpr float kMostNamed = 150.0F;

Colour phase_colour(const Theme& theme, const LivedPhase& phase) {
  return phase.shared   ? theme.colours.shared
         : phase.global ? theme.colours.global
                        : theme.colours.idle;
}

std::string turn_text(const LivedPhase& phase) {
  return phase.turns > 1 ? fmt::format(", turn {} of {}", phase.turn + 1, phase.turns)
                         : std::string();
}

// Where we are, in words; shorter forms where room is short.
void draw_place(const TileScene& scene, const Rect& row) {
  const Moment& m = scene.moment;
  const LivedPhase& phase = scene.story.phases()[m.phase];
  const std::size_t count = scene.story.phases().size();
  const std::string where = fmt::format("phase {} of {}: {}", m.phase + 1, count, phase.name);
  const std::string when = m.moment == 0 ? fmt::format("all {} moments", m.moments)
                                         : fmt::format("moment {} of {}", m.moment, m.moments);
  const std::string speed = fmt::format("{:g} moments/s", scene.frame.state.of<StepState>().speed);
  const Theme& theme = scene.theme();
  Rect rest = row;
  const auto put = [&](const std::string& text, Colour colour) {
    const float width = scene.canvas.measure(text, theme.fonts.text).x + 1.0F;
    if (width > rest.width()) {
      return false;
    }
    scene.canvas.text_in(rest.cut_left(width), text, theme.fonts.text, colour);
    rest.cut_left(theme.px(14));
    return true;
  };
  if (!put(where + turn_text(phase), theme.colours.text) && !put(where, theme.colours.text)) {
    put(fmt::format("{} of {}", m.phase + 1, count), theme.colours.text);
  }
  put(when, m.moment == 0 ? theme.colours.dim : theme.colours.text);
  if (scene.canvas.measure(speed, theme.fonts.text).x < rest.width()) {
    scene.canvas.text_in(rest, speed, theme.fonts.text, theme.colours.dim, Align::right);
  }
}

// Pixels of a segment that has room for any phase's name.
float named_width(const TileScene& scene) {
  const Theme& theme = scene.theme();
  float width = theme.px(kNamed);
  for (const LivedPhase& phase : scene.story.phases()) {
    width = std::max(width, scene.canvas.measure(phase.name, theme.fonts.text).x + theme.px(20));
  }
  return width;
}

// The phases around the current one that have room for a name.
std::pair<std::size_t, std::size_t> window_of(const TileScene& scene, float width) {
  const std::size_t count = scene.story.phases().size();
  const auto fit = static_cast<std::size_t>(std::max(1.0F, std::floor(width / named_width(scene))));
  if (count <= fit) {
    return {0, count};
  }
  const std::size_t before = fit / 2;
  const std::size_t first =
      std::min(scene.moment.phase - std::min(scene.moment.phase, before), count - fit);
  return {first, first + fit};
}

// Which part of a segment lies behind us.
float passed(const TileScene& scene, std::size_t phase) {
  const Moment& m = scene.moment;
  if (phase != m.phase) {
    return phase < m.phase ? 1.0F : 0.0F;
  }
  return m.moment == 0 || m.moments == 0
             ? 1.0F
             : static_cast<float>(m.moment) / static_cast<float>(m.moments);
}

void draw_segment(const TileScene& scene, const Rect& box, std::size_t index) {
  const Theme& theme = scene.theme();
  const LivedPhase& phase = scene.story.phases()[index];
  const Colour colour = phase_colour(theme, phase);
  const bool current = index == scene.moment.phase;
  scene.canvas.fill(box, fade(colour, current ? 0.34F : 0.14F));
  if (current) {
    const float x = box.low.x + passed(scene, index) * box.width();
    scene.canvas.fill({box.low, {x, box.high.y}}, fade(colour, 0.5F));
    scene.canvas.frame(box, theme.colours.text, theme.px(1.5F));
    if (scene.moment.moment > 0) {
      scene.canvas.fill(
          {{x - theme.px(2), box.low.y - theme.px(3)}, {x + theme.px(1), box.high.y + theme.px(3)}},
          theme.colours.text);
    }
  }
  const Rect words = box.inset(theme.px(5), 0.0F);
  scene.canvas.text_in(words, phase.name, theme.fonts.text,
                       current ? theme.colours.text : theme.colours.dim, Align::centre);
  if (phase.opened_by > 0) {  // the barrier that opens it
    scene.canvas.fill({{box.low.x - theme.px(5), box.low.y}, {box.low.x - theme.px(2), box.high.y}},
                      theme.colours.barrier);
  }
}

void go_to(const TileScene& scene, std::size_t phase, float fraction, bool whole) {
  TileState& view = scene.state();
  view.phase = static_cast<std::uint32_t>(phase) + 1;
  const std::uint32_t count = scene.story.moments(phase);
  view.moment =
      whole || count == 0
          ? 0
          : std::clamp(static_cast<std::uint32_t>(fraction * static_cast<float>(count)) + 1, 1U,
                       count);
}

// Named segments: all phases, or those around the current one.
void draw_named(const TileScene& scene, const Rect& row) {
  const auto [first, last] = window_of(scene, row.width());
  const Theme& theme = scene.theme();
  const float width = std::min(row.width() / static_cast<float>(last - first),
                               theme.px(kMostNamed) * (last - first > 2 ? 1.0F : 2.0F));
  for (std::size_t p = first; p < last; ++p) {
    const float x = row.low.x + static_cast<float>(p - first) * width;
    const Rect box{{std::floor(x), row.low.y}, {std::floor(x + width) - theme.px(7), row.high.y}};
    draw_segment(scene, box, p);
    const Hit mouse = hit(fmt::format("segment {}", p - first).c_str(), box);
    if (mouse.held || mouse.clicked) {
      const float fraction = (ImGui::GetIO().MousePos.x - box.low.x) / box.width();
      // A click on another phase shows all of it; in the current one it goes to a moment.
      const bool whole = p != scene.moment.phase && mouse.clicked;
      if (p == scene.moment.phase || mouse.clicked) {
        go_to(scene, p, std::clamp(fraction, 0.0F, 0.999F), whole);
      }
    }
  }
}

// All phases in a thin strip: loop turns stand out as a rhythm.
void draw_overview(const TileScene& scene, const Rect& row) {
  const Theme& theme = scene.theme();
  const auto& phases = scene.story.phases();
  const auto count = static_cast<float>(phases.size());
  const float step = row.width() / count;
  const Rect strip{{row.low.x, row.centre().y - theme.px(2)},
                   {row.high.x, row.centre().y + theme.px(2)}};
  scene.canvas.fill(strip, theme.colours.line);
  for (std::size_t p = 0; p < phases.size() && step >= 3.0F; ++p) {
    const float x = row.low.x + step * static_cast<float>(p);
    const bool load = phases[p].name == "load";
    scene.canvas.fill({{std::floor(x), strip.low.y}, {std::floor(x + step) - 1.0F, strip.high.y}},
                      fade(phase_colour(theme, phases[p]), load ? 0.45F : 0.9F));
  }
  const auto [first, last] = window_of(scene, row.width());
  scene.canvas.frame({{row.low.x + step * static_cast<float>(first), row.low.y},
                      {row.low.x + step * static_cast<float>(last), row.high.y}},
                     theme.colours.dim, 1.0F, theme.px(2));
  const float at = row.low.x + step * (static_cast<float>(scene.moment.phase) + 0.5F);
  scene.canvas.fill({{at - theme.px(2), row.low.y}, {at + theme.px(2), row.high.y}},
                    theme.colours.text);
  const Hit mouse = hit("all phases", row);
  if (mouse.held || mouse.clicked) {
    const float fraction = (ImGui::GetIO().MousePos.x - row.low.x) / row.width();
    const auto phase = static_cast<std::size_t>(std::clamp(fraction, 0.0F, 0.9999F) * count);
    go_to(scene, phase, 0.0F, true);
  }
}

}  // namespace

void draw_scrubber(const TileScene& scene) {
  const Theme& theme = scene.theme();
  const float line = scene.canvas.line_height(theme.fonts.text);
  Rect rest = scene.scrubber;
  scene.canvas.line(rest.low, {rest.high.x, rest.low.y}, theme.colours.line);
  rest = rest.inset(theme.px(16), theme.px(5));
  Rect row = rest.cut_top(line + theme.px(4));
  draw_step_buttons(scene.frame, scene.canvas, row);
  row.cut_left(theme.px(10));
  draw_place(scene, row);
  rest.cut_top(theme.px(4));
  draw_named(scene, rest.cut_top(line));
  rest.cut_top(theme.px(4));
  const auto [first, last] = window_of(scene, rest.width());
  if (last - first < scene.story.phases().size()) {
    draw_overview(scene, rest.cut_top(theme.px(10)));
  }
}

}  // namespace ui

// The phases as they were lived through, and the way along them.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/views/tile/tile_view.h"
#include "ui/widgets/phase_colour.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

constexpr float kNamed = 3.4F;  // lines of text that a segment with a name takes
constexpr float kMostNamed = 7.0F;

// Which of the phases that the same barrier opens: those of a loop, and the one behind it.
std::string opened_text(const TileScene& scene, const LivedPhase& phase) {
  return phase.turns > 1 ? fmt::format(", after barrier {} ({} of {})",
                                       scene.frame.kernel().barriers_before + phase.opened_by,
                                       phase.turn + 1, phase.turns)
                         : std::string();
}

// Where we are, in words; shorter forms where room is short.
void draw_place(const TileScene& scene, Strip row) {
  const Moment& m = scene.moment;
  const LivedPhase& phase = scene.story.phases()[m.phase];
  const std::size_t count = scene.story.phases().size();
  const std::string where = fmt::format("phase {} of {}: {}", m.phase + 1, count, phase.name);
  const Wordings words{where + opened_text(scene, phase), where,
                       fmt::format("{} of {}", m.phase + 1, count)};
  row.left(scene.canvas.fitting(words, row.rest.width()));
  row.left_if(m.moment == 0
                  ? (m.moments == 1 ? "its only moment" : fmt::format("all {} moments", m.moments))
                  : fmt::format("moment {} of {}", m.moment, m.moments),
              m.moment == 0 ? pen::dim : pen::text);
  row.hint(fmt::format("{:g} moments/s", scene.frame.state.of<StepState>().speed));
}

// As much as its name needs.
float least_width(const TileScene& scene, std::size_t phase) {
  return std::max(kNamed * scene.canvas.line_height(),
                  scene.canvas.width(scene.story.phases()[phase].name) + scene.theme().gap.huge);
}

// The phases that are named.
struct Window {
  std::size_t first = 0, last = 0;
  float least = 0.0F;  // pixels that they need
  [[nodiscard]] std::size_t size() const { return last - first; }
};

// Those around the current one that have room for their names: a neighbour on each side, then the
// next ones.
Window window_of(const TileScene& scene, float width) {
  const std::size_t count = scene.story.phases().size();
  const std::size_t now = scene.moment.phase;
  Window window{now, now + 1, least_width(scene, now)};
  bool grown = true;
  while (std::exchange(grown, false)) {
    const auto take = [&](std::size_t phase) {
      const float wider = window.least + least_width(scene, phase);
      if (wider <= width) {
        window = {std::min(window.first, phase), std::max(window.last, phase + 1), wider};
        grown = true;
      }
    };
    if (window.last < count) {
      take(window.last);
    }
    if (window.first > 0) {
      take(window.first - 1);
    }
  }
  return window;
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
  const Gaps& gap = theme.gap;
  const LivedPhase& phase = scene.story.phases()[index];
  const Colour colour = phase_colour(theme.colours, phase.facts);
  const bool current = index == scene.moment.phase;
  scene.canvas.fill(box, fade(colour, current ? 0.34F : 0.14F));
  if (current) {
    const float x = box.low.x + passed(scene, index) * box.width();
    scene.canvas.fill({box.low, {x, box.high.y}}, fade(colour, 0.5F));
    scene.canvas.frame(box, theme.colours.text, gap.thin);
    if (scene.moment.moment > 0) {
      scene.canvas.fill(Rect{{x, box.low.y}, {x, box.high.y}}.inset(-gap.thin, -gap.small),
                        theme.colours.text);
    }
  }
  scene.canvas.write(box.inset(gap.small, 0.0F), phase.name, current ? pen::text : pen::dim,
                     Align::centre);
  if (phase.opened_by > 0) {  // the barrier that opens it
    const glm::vec2 beside{gap.small, 0.0F};
    scene.canvas.fill({box.low - beside, {box.low.x - 0.25F * gap.small, box.high.y}},
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

// Named segments: all phases, or those around the current one; what is left over is shared out.
void draw_named(const TileScene& scene, const Rect& row) {
  const Window window = window_of(scene, row.width());
  const float most = kMostNamed * scene.canvas.line_height() * (window.size() > 2 ? 1.0F : 2.0F);
  const float spare = (row.width() - window.least) / static_cast<float>(window.size());
  float x = row.low.x;
  for (std::size_t p = window.first; p < window.last; ++p) {
    const float least = least_width(scene, p);
    const float width = std::min(std::max(std::min(least + spare, most), least), row.width());
    const Rect box{{std::floor(x), row.low.y},
                   {std::floor(x + width) - scene.theme().gap.medium, row.high.y}};
    x += width;
    draw_segment(scene, box, p);
    const Hit mouse = hit(fmt::format("segment {}", p - window.first).c_str(), box);
    const bool current = p == scene.moment.phase;
    // A click on another phase shows all of it; in the current one it goes to a moment.
    if (mouse.clicked || (mouse.held && current)) {
      const float fraction = (ImGui::GetIO().MousePos.x - box.low.x) / box.width();
      go_to(scene, p, std::clamp(fraction, 0.0F, 0.999F), !current);
    }
  }
}

// All phases in a thin strip: loop turns stand out as a rhythm.
void draw_overview(const TileScene& scene, const Rect& row) {
  const Theme& theme = scene.theme();
  const auto& phases = scene.story.phases();
  const auto count = static_cast<float>(phases.size());
  const float step = row.width() / count;
  const float thin = theme.gap.thin;
  const Rect strip = row.inset(0.0F, 0.5F * row.height() - thin);
  scene.canvas.fill(strip, theme.colours.line);
  for (std::size_t p = 0; p < phases.size() && step >= 3.0F; ++p) {
    const float x = row.low.x + step * static_cast<float>(p);
    scene.canvas.fill({{std::floor(x), strip.low.y}, {std::floor(x + step) - 1.0F, strip.high.y}},
                      fade(phase_colour(theme.colours, phases[p].facts), 0.9F));
  }
  const Window window = window_of(scene, row.width());
  scene.canvas.frame({{row.low.x + step * static_cast<float>(window.first), row.low.y},
                      {row.low.x + step * static_cast<float>(window.last), row.high.y}},
                     theme.colours.dim, 1.0F, thin);
  const float at = row.low.x + step * (static_cast<float>(scene.moment.phase) + 0.5F);
  scene.canvas.fill({{at - thin, row.low.y}, {at + thin, row.high.y}}, theme.colours.text);
  const Hit mouse = hit("all phases", row);
  if (mouse.held || mouse.clicked) {
    const float fraction = (ImGui::GetIO().MousePos.x - row.low.x) / row.width();
    const auto phase = static_cast<std::size_t>(std::clamp(fraction, 0.0F, 0.9999F) * count);
    go_to(scene, phase, 0.0F, true);
  }
}

}  // namespace

void draw_scrubber(const TileScene& scene) {
  const Gaps& gap = scene.theme().gap;
  scene.canvas.line(scene.scrubber.low, {scene.scrubber.high.x, scene.scrubber.low.y},
                    scene.theme().colours.line);
  Stack rest{scene.canvas, scene.scrubber.inset(gap.large, gap.small)};
  Strip row = rest.strip();
  draw_step_buttons(scene.frame, scene.canvas, row.rest);
  row.rest.cut_left(gap.medium);
  draw_place(scene, row);
  rest.gap(gap.medium);
  draw_named(scene, rest.lines());
  rest.gap(gap.small);
  if (window_of(scene, rest.rest.width()).size() < scene.story.phases().size()) {
    draw_overview(scene, rest.lines(0.5F));
  }
}

}  // namespace ui

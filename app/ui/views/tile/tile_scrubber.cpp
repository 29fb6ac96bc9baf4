// The phases as they were lived through, and the way along them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/views/tile/tile_view.h"
#include "ui/widgets/phase_colour.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

constexpr float kNamed = 4.0F;  // lines of text that a segment with a name takes
constexpr float kMostNamed = 7.0F;

std::string turn_text(const LivedPhase& phase) {
  return phase.turns > 1 ? fmt::format(", turn {} of {}", phase.turn + 1, phase.turns)
                         : std::string();
}

// Where we are, in words; shorter forms where room is short.
void draw_place(const TileScene& scene, Strip row) {
  const Moment& m = scene.moment;
  const LivedPhase& phase = scene.story.phases()[m.phase];
  const std::size_t count = scene.story.phases().size();
  const std::string where = fmt::format("phase {} of {}: {}", m.phase + 1, count, phase.name);
  const Wordings words{where + turn_text(phase), where,
                       fmt::format("{} of {}", m.phase + 1, count)};
  row.left(scene.canvas.fitting(words, row.rest.width()));
  row.left_if(m.moment == 0 ? fmt::format("all {} moments", m.moments)
                            : fmt::format("moment {} of {}", m.moment, m.moments),
              m.moment == 0 ? pen::dim : pen::text);
  row.hint(fmt::format("{:g} moments/s", scene.frame.state.of<StepState>().speed));
}

// The phases around the current one that have room for a name, whichever it is.
std::pair<std::size_t, std::size_t> window_of(const TileScene& scene, float width) {
  float named = kNamed * scene.canvas.line_height();
  for (const LivedPhase& phase : scene.story.phases()) {
    named = std::max(named, scene.canvas.width(phase.name) + scene.theme().gap.huge);
  }
  const std::size_t count = scene.story.phases().size();
  const auto fit = static_cast<std::size_t>(std::max(1.0F, std::floor(width / named)));
  if (count <= fit) {
    return {0, count};
  }
  const std::size_t before = std::min(scene.moment.phase, fit / 2);
  const std::size_t first = std::min(scene.moment.phase - before, count - fit);
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

// Named segments: all phases, or those around the current one.
void draw_named(const TileScene& scene, const Rect& row) {
  const auto [first, last] = window_of(scene, row.width());
  const float most = kMostNamed * scene.canvas.line_height() * (last - first > 2 ? 1.0F : 2.0F);
  const float width = std::min(row.width() / static_cast<float>(last - first), most);
  for (std::size_t p = first; p < last; ++p) {
    const float x = row.low.x + static_cast<float>(p - first) * width;
    const Rect box{{std::floor(x), row.low.y},
                   {std::floor(x + width) - scene.theme().gap.medium, row.high.y}};
    draw_segment(scene, box, p);
    const Hit mouse = hit(fmt::format("segment {}", p - first).c_str(), box);
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
  const auto [first, last] = window_of(scene, row.width());
  scene.canvas.frame({{row.low.x + step * static_cast<float>(first), row.low.y},
                      {row.low.x + step * static_cast<float>(last), row.high.y}},
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
  const auto [first, last] = window_of(scene, rest.rest.width());
  if (last - first < scene.story.phases().size()) {
    draw_overview(scene, rest.lines(0.5F));
  }
}

}  // namespace ui

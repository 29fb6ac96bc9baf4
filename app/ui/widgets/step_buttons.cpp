#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

// A button drawn from triangles and bars, so that no font needs its sign.
enum class Sign { back_phase, back, play, pause, on, on_phase };

void triangle(const Canvas& canvas, glm::vec2 at, float size, bool left, Colour colour) {
  const float d = left ? -size : size;
  canvas.list().AddTriangleFilled({at.x - 0.5F * d, at.y - size * 0.6F},
                                  {at.x - 0.5F * d, at.y + size * 0.6F}, {at.x + 0.5F * d, at.y},
                                  colour);
}

void draw_sign(const Canvas& canvas, const Rect& box, Sign sign, Colour colour) {
  const Theme& theme = canvas.theme();
  const float s = theme.px(11);
  const float w = theme.px(3);
  const glm::vec2 c = box.centre();
  const auto bar = [&](float x) {
    canvas.fill({{x, c.y - 0.6F * s}, {x + w, c.y + 0.6F * s}}, colour);
  };
  switch (sign) {
    case Sign::back_phase:
      bar(c.x - 0.5F * s - w);
      return triangle(canvas, c, s, true, colour);
    case Sign::back:
      return triangle(canvas, c, s, true, colour);
    case Sign::pause:
      bar(c.x - 1.5F * w);
      return bar(c.x + 0.5F * w);
    case Sign::play:
    case Sign::on:
      return triangle(canvas, c, sign == Sign::play ? 1.25F * s : s, false, colour);
    case Sign::on_phase:
      triangle(canvas, c, s, false, colour);
      return bar(c.x + 0.5F * s);
  }
}

bool button(const Canvas& canvas, Rect& rest, const char* id, Sign sign) {
  const Theme& theme = canvas.theme();
  const Rect box = rest.cut_left(theme.px(28));
  const Hit mouse = hit(id, box);
  if (mouse.hovered) {
    canvas.fill(box.inset(1.0F, 1.0F), theme.colours.hover, theme.px(4));
  }
  draw_sign(canvas, box, sign,
            sign == Sign::play || sign == Sign::pause ? theme.colours.accent : theme.colours.text);
  return mouse.clicked;
}

}  // namespace

bool StepState::due(double now) {
  if (!playing || now < next_moment) {
    return false;
  }
  next_moment = now + 1.0 / static_cast<double>(speed);
  return true;
}

void draw_step_buttons(const Frame& frame, const Canvas& canvas, Rect& row) {
  StepState& state = frame.state.of<StepState>();
  if (button(canvas, row, "phase back", Sign::back_phase)) {
    --state.leaps;
  }
  if (button(canvas, row, "moment back", Sign::back)) {
    --state.steps;
  }
  if (button(canvas, row, "play", state.playing ? Sign::pause : Sign::play)) {
    state.playing = !state.playing;
  }
  if (button(canvas, row, "moment on", Sign::on)) {
    ++state.steps;
  }
  if (button(canvas, row, "phase on", Sign::on_phase)) {
    ++state.leaps;
  }
}

}  // namespace ui

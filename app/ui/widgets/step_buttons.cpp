#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

// Drawn from triangles and bars, so that no font needs the signs: which way triangles point, how
// many there are, and on which side of them a bar stands; no way: two bars.
struct Sign {
  int way = 0, bar = 0, triangles = 1;
};

void draw_sign(const Canvas& canvas, const Rect& box, const Sign& sign, Colour colour) {
  const float size = 0.5F * canvas.line_height();
  const float half = 0.6F * size;
  const float thick = 0.25F * size;
  const glm::vec2 c = box.centre();
  const auto bar = [&](float x) {
    canvas.fill({{x, c.y - half}, {x + thick, c.y + half}}, colour);
  };
  if (sign.way == 0) {
    bar(c.x - 1.5F * thick);
    return bar(c.x + 0.5F * thick);
  }
  const float wide = size / static_cast<float>(sign.triangles);
  const float tip = 0.5F * wide * static_cast<float>(sign.way);
  for (int i = 0; i < sign.triangles; ++i) {
    const float x = c.x - 0.5F * size + (static_cast<float>(i) + 0.5F) * wide;
    canvas.list().AddTriangleFilled({x - tip, c.y - half}, {x - tip, c.y + half}, {x + tip, c.y},
                                    colour);
  }
  if (sign.bar != 0) {
    bar(sign.bar < 0 ? c.x - 0.5F * size - thick : c.x + 0.5F * size);
  }
}

bool button(const Canvas& canvas, Rect& rest, const char* id, const Sign& sign, const Pen& pen) {
  const Rect box = rest.cut_left(1.35F * canvas.line_height());
  const Hit mouse = hit(id, box);
  if (mouse.hovered) {
    canvas.fill(box.inset(1.0F, 1.0F), canvas.theme().colours.hover, canvas.theme().gap.small);
  }
  draw_sign(canvas, box, sign, canvas.colour(pen));
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
  state.leaps -= button(canvas, row, "phase back", {-1, -1, 2}, pen::text) ? 1 : 0;
  state.steps -= button(canvas, row, "moment back", {-1, -1}, pen::text) ? 1 : 0;
  const Sign play{state.playing ? 0 : 1};
  state.playing ^= button(canvas, row, "play", play, pen::accent);
  state.steps += button(canvas, row, "next moment", {1, 1}, pen::text) ? 1 : 0;
  state.leaps += button(canvas, row, "next phase", {1, 1, 2}, pen::text) ? 1 : 0;
}

}  // namespace ui

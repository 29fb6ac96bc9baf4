// The centre: the chosen view, and the names of the others to switch to.
#include <algorithm>

#include "ui/playback.h"
#include "ui/views.h"

namespace ui {
namespace {

constexpr float kLeastWidth = 300.0F;  // of the centre, at scale 1; less has no room for a choice

// The views as a row of words in the corner; nothing when there is no choice.
void draw_switch(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const auto names = views_of(frame.model.result);
  const Theme& theme = frame.theme;
  const Rect all = switch_rect(frame, canvas, area);
  if (all.empty()) {
    return;
  }
  float right = all.high.x;
  const std::string shown = current_view(frame.state.view, frame.model.result);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const float width = canvas.measure(*name, theme.fonts.text).x + theme.px(16);
    const Rect box{{right - width, all.low.y}, {right, all.high.y}};
    const Hit mouse = hit(("view " + *name).c_str(), box);
    const bool on = *name == shown;
    canvas.text_in(box, *name, theme.fonts.text,
                   on || mouse.hovered ? theme.colours.text : theme.colours.dim, Align::centre);
    if (on) {
      canvas.fill({{box.low.x, box.high.y - theme.px(2)}, box.high}, theme.colours.accent);
    }
    if (mouse.clicked) {
      frame.state.view.name = *name;
    }
    right -= width;
  }
}

}  // namespace

Rect switch_rect(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const auto names = views_of(frame.model.result);
  const Theme& theme = frame.theme;
  if (names.size() < 2 || area.width() < theme.px(kLeastWidth)) {
    return {};
  }
  float width = 0.0F;
  for (const std::string& name : names) {
    width += canvas.measure(name, theme.fonts.text).x + theme.px(16);
  }
  const float height = canvas.line_height(theme.fonts.text) + theme.px(6);
  const glm::vec2 corner{area.high.x - theme.px(12), area.low.y + theme.px(10)};
  return {{corner.x - width, corner.y}, {corner.x, corner.y + height}};
}

void draw_view(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "view", area);
  panel.canvas().fill(area, frame.theme.colours.background);
  // The switch takes the mouse first, and is drawn last.
  ImDrawList& list = panel.canvas().list();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  draw_switch(frame, panel.canvas(), area);
  list.ChannelsSetCurrent(0);
  const std::string shown = current_view(frame.state.view, frame.model.result);
  frame.state.lit_lines.clear();
  play_launch(frame);
  const auto view = std::ranges::find(centre_views(), shown, &CentreView::name);
  view->draw(frame, panel.canvas(), area);
  list.ChannelsMerge();
}

}  // namespace ui

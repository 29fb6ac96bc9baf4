#include "ui/presenter/presenter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/beside/beside.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/open/open_state.h"
#include "ui/panels/panel_sizes.h"

namespace ui {
namespace {

constexpr float kText = 24.0F;   // pixels of the smallest text, in a window of kLow
constexpr float kPlain = 16.0F;  // the same at scale 1
constexpr glm::vec2 kLow{1280.0F, 720.0F};
constexpr float kSpotlight = 0.22F;  // its radius, of the window's height
constexpr float kDark = 0.72F;       // how dark the rest is
constexpr float kMostScale = 8.0F;

constexpr KeyPress named(Key key, bool shift = false) {
  return {key, 0, shift};
}

Presenter& presenter_of(ActionContext& c) {
  return c.state.of<Presenter>();
}

void present(ActionContext& c, int) {
  Presenter& p = presenter_of(c);
  p.on = p.full_screen = !p.on;
  p.spotlight = p.pen = p.drawing = false;
  p.lines.clear();
  c.state.of<LessonState>().notes = false;
  c.state.source_about.clear();  // its lines have other places
  c.state.findings_over = false;
}

// A line from the pen's tip, in pixels.
void draw_line(ImDrawList& list, const std::vector<glm::vec2>& line, glm::vec2 window,
               Colour colour, float width) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    list.AddLine(im(line[i - 1] * window), im(line[i] * window), colour, width);
    list.AddCircleFilled(im(line[i] * window), 0.5F * width, colour);
  }
}

void take_pen(Presenter& p, const Rect& window) {
  const glm::vec2 at = vec(ImGui::GetIO().MousePos) / window.size();
  if (!ImGui::IsMouseDown(0)) {
    p.drawing = false;
    return;
  }
  if (!p.drawing) {
    p.drawing = true;
    p.lines.emplace_back();
  }
  auto& line = p.lines.back();
  if (line.empty() || line.back() != at) {
    line.push_back(at);
  }
}

// All but a disc: a ring that is as thick as the window is long.
void draw_spotlight(ImDrawList& list, const Rect& window, glm::vec2 at) {
  const float radius = kSpotlight * window.height();
  const float thick = 2.0F * (window.width() + window.height());
  list.AddCircle(im(at), radius + 0.5F * thick, fade(rgb(0x000000), kDark), 96, thick);
}

void draw_pointer(ImDrawList& list, const Theme& theme, glm::vec2 at) {
  const float size = 2.2F * theme.px(kPlain);
  const auto point = [&](float x, float y) { return im(at + size * glm::vec2(x, y)); };
  const std::array<ImVec2, 7> arrow{point(0.0F, 0.0F),   point(0.0F, 1.0F),   point(0.23F, 0.79F),
                                    point(0.39F, 1.14F), point(0.54F, 1.07F), point(0.38F, 0.72F),
                                    point(0.7F, 0.7F)};
  const Colour edge = rgb(0x000000);
  list.AddTriangleFilled(arrow[0], arrow[1], arrow[6], rgb(0xFFFFFF));
  list.AddQuadFilled(arrow[2], arrow[3], arrow[4], arrow[5], rgb(0xFFFFFF));
  list.AddPolyline(arrow.data(), static_cast<int>(arrow.size()), edge, true, theme.gap.thin);
}

}  // namespace

float presenter_scale(glm::vec2 size) {
  const glm::vec2 share = size / kLow;
  return std::clamp(kText / kPlain * std::min(share.x, share.y), 0.5F, kMostScale);
}

float window_scale(const State& state, glm::vec2 size) {
  const Presenter* presenter = state.views.known<Presenter>();
  return presenter != nullptr && presenter->on && size.x > 0.0F
             ? std::max(presenter_scale(size), state.view.scale)
             : state.view.scale;
}

Layout layout_of(State& state, glm::vec2 size, float scale) {
  const PanelShares& shares = state.of<PanelSizes>().shares;
  const bool presents =
      state.of<Presenter>().on && state.view.chrome && !state.of<LessonState>().lesson;
  return presents ? arrange_presented(size, scale, !state.of<Beside>().kernel.empty(), shares)
                  : arrange(size, scale, state.view.chrome, shares);
}

void add_presenter_keys(ActionTable& table) {
  table.group("Presenter");
  table.key(named(Key::f5), "presenter mode on or off: large text, full screen, clicker keys",
            present);
  table.key(named(Key::f6), "blank the screen or show it again",
            [](ActionContext& c, int) { presenter_of(c).blank = !presenter_of(c).blank; });
  table.key(named(Key::f7), "show or hide the notes for the teacher", [](ActionContext& c, int) {
    bool& notes = c.state.of<LessonState>().notes;
    notes = !notes;
  });
  table.key(named(Key::f8),
            "spotlight around the pointer on or off; while a folder is open: next finding, also of "
            "other kernels",
            [](ActionContext& c, int) {
              if (presenter_of(c).on || !next_finding_of_tree(c)) {
                presenter_of(c).spotlight = !presenter_of(c).spotlight;
              }
            });
  table.keys({{named(Key::f9), 1}, {named(Key::f9, true), 0}},
             "draw on the picture, or erase the drawing", [](ActionContext& c, int by) {
               Presenter& p = presenter_of(c);
               if (by == 0) {
                 p.lines.clear();
               } else {
                 p.pen = !p.pen;
               }
             });
  table.key(named(Key::f11), "full screen on or off", [](ActionContext& c, int) {
    presenter_of(c).full_screen = !presenter_of(c).full_screen;
  });
}

bool take_presenter_key(ActionContext& c, const KeyPress& press) {
  Presenter& p = presenter_of(c);
  const bool dot = press == letter('.') || press == letter('b');
  if (p.blank) {
    p.blank = false;
    return true;
  }
  if (!p.on) {
    return false;
  }
  if (dot) {  // what a clicker's blank button types
    p.blank = true;
    return true;
  }
  const bool forth = press == named(Key::page_down) || press == named(Key::right);
  const bool back = press == named(Key::page_up) || press == named(Key::left);
  LessonState& lesson = c.state.of<LessonState>();
  const SceneList& scenes = c.state.of<SceneList>();
  if ((forth || back) && !lesson.lesson && !scenes.scenes.empty()) {
    const std::size_t last = scenes.scenes.size() - 1;
    c.requests.open_scene =
        forth ? std::min(scenes.at + 1, last) : scenes.at - (scenes.at > 0 ? 1 : 0);
    p.lines.clear();
    return true;
  }
  if ((forth || back) && !lesson.lessons.empty()) {
    lesson.steps = forth ? 1 : -1;
    lesson.clicked = true;
    p.lines.clear();
    return true;
  }
  const bool over = c.state.help || c.state.popup_open || c.state.findings_over;  // closes first
  if (press == named(Key::escape) && !over) {
    present(c, 0);
    return true;
  }
  return false;
}

void draw_presenter(const Frame& frame, const Rect& window) {
  Presenter& p = frame.state.of<Presenter>();
  if (p.pen || p.blank) {
    const Panel panel(frame, "presenter", window, Panel::Layer::overlay);
    static_cast<void>(hit("presenter", window));
    if (p.blank) {
      panel.canvas().fill(window, rgb(0x000000));
    }
  }
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  if (p.blank) {
    list.AddRectFilled(im(window.low), im(window.high), rgb(0x000000));
    return;
  }
  if (p.pen) {
    take_pen(p, window);
  }
  for (const auto& line : p.lines) {
    draw_line(list, line, window.size(), frame.theme.colours.race,
              std::max(3.0F, 0.005F * window.height()));
  }
  const glm::vec2 at = vec(ImGui::GetIO().MousePos);
  if (!window.contains(at)) {
    return;
  }
  if (p.spotlight) {
    draw_spotlight(list, window, at);
  }
  if (p.on) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
    draw_pointer(list, frame.theme, at);
  }
}

}  // namespace ui

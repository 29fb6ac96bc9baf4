// The list of all keys, made from the table of actions.
#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

#include "ui/panels/panels.h"

namespace ui {
namespace {

struct Group {
  std::string_view name;
  std::vector<const Action*> actions;
};

std::vector<Group> groups() {
  std::vector<Group> all;
  for (const Action& action : actions()) {
    if (all.empty() || all.back().name != action.group) {
      all.push_back({action.group, {}});
    }
    all.back().actions.push_back(&action);
  }
  return all;
}

std::string keys_text(const Action& action) {
  if (action.keys.size() > 3) {
    return to_string(action.keys.front().press) + "–" + to_string(action.keys.back().press);
  }
  std::string text;
  for (const auto& [press, by] : action.keys) {
    text += (text.empty() ? "" : "  ") + to_string(press);
  }
  return text;
}

struct Measures {
  float line, key, description, gap;
  [[nodiscard]] float column() const { return key + gap + description; }
};

Measures measure(const Canvas& canvas) {
  const Theme& theme = canvas.theme();
  Measures m{canvas.line_height(theme.fonts.text) + theme.px(2), 0.0F, 0.0F, theme.px(14)};
  for (const Action& action : actions()) {
    m.key = std::max(m.key, canvas.measure(keys_text(action), theme.fonts.mono).x);
    m.description =
        std::max(m.description, canvas.measure(action.description, theme.fonts.text).x + 1.0F);
  }
  return m;
}

float height_of(const Group& group, const Measures& m) {
  return m.line * (static_cast<float>(group.actions.size()) + 2.0F);
}

// Groups in columns of at most `room` height where that is possible.
std::vector<std::vector<Group>> columns(float room, std::size_t most, const Measures& m) {
  std::vector<std::vector<Group>> all(1);
  float used = 0.0F;
  for (const Group& group : groups()) {
    const float height = height_of(group, m);
    if (used > 0.0F && used + height > room && all.size() < most) {
      all.emplace_back();
      used = 0.0F;
    }
    all.back().push_back(group);
    used += height;
  }
  return all;
}

void draw_group(const Canvas& canvas, Rect& rest, const Group& group, const Measures& m) {
  const Theme& theme = canvas.theme();
  Rect head = rest.cut_top(m.line);
  canvas.text_in(head, group.name, theme.fonts.text, theme.colours.text);
  for (const Action* action : group.actions) {
    Rect line = rest.cut_top(m.line);
    canvas.text_in(line.cut_left(m.key), keys_text(*action), theme.fonts.mono,
                   theme.colours.accent);
    line.cut_left(m.gap);
    canvas.text_in(line, action->description, theme.fonts.text, theme.colours.dim);
  }
  rest.cut_top(m.line);
}

float tallest(const std::vector<std::vector<Group>>& all, const Measures& m) {
  float height = 0.0F;
  for (const auto& column : all) {
    float sum = 0.0F;
    for (const Group& group : column) {
      sum += height_of(group, m);
    }
    height = std::max(height, sum);
  }
  return height - m.line;
}

void draw_columns(const Frame& frame, const Rect& box, const std::vector<std::vector<Group>>& all,
                  const Measures& m, float height) {
  ImGui::SetCursorScreenPos(im(box.low));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  if (compat::begin_child("keys", im(box.size()), 0)) {
    const Canvas canvas(*ImGui::GetWindowDrawList(), frame.theme, frame.trace, 2, true);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    float x = box.low.x;
    for (const auto& column : all) {
      Rect rest{{x, top.y}, {std::min(x + m.column(), box.high.x), top.y + height + m.line}};
      for (const Group& group : column) {
        draw_group(canvas, rest, group, m);
      }
      x += m.column() + frame.theme.px(36);
    }
    ImGui::SetCursorScreenPos({top.x, top.y + height});
    ImGui::Dummy({1.0F, 1.0F});
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_help(const Frame& frame, const Rect& window) {
  const Theme& theme = frame.theme;
  const Panel panel(frame, "help", window, Panel::Layer::overlay);
  const Canvas canvas(panel.canvas().list(), theme, frame.trace, 2);
  canvas.fill(window, fade(theme.colours.background, 0.7F));
  const Measures m = measure(canvas);
  const float pad = theme.px(24);
  const float between = theme.px(36);
  const float title = canvas.line_height(theme.fonts.title) + theme.px(12);
  const glm::vec2 room = window.size() - glm::vec2(4.0F * pad) - glm::vec2(0.0F, title);
  const auto most = static_cast<std::size_t>(
      std::max(1.0F, std::floor((room.x + between) / (m.column() + between))));
  const auto all = columns(std::min(room.y, theme.px(480)), most, m);
  const auto count = static_cast<float>(all.size());
  const float height = tallest(all, m);
  const glm::vec2 size{
      std::min(count * m.column() + (count - 1.0F) * between + theme.px(10), room.x),
      std::min(height + theme.px(8), room.y)};
  const glm::vec2 outer = size + glm::vec2(2.0F * pad, 2.0F * pad + title);
  const Rect box{glm::floor(window.centre() - 0.5F * outer),
                 glm::floor(window.centre() + 0.5F * outer)};
  canvas.fill(box, theme.colours.raised, theme.px(6));
  canvas.frame(box, theme.colours.line, 1.0F, theme.px(6));
  Rect inside = box.inset(pad, pad);
  canvas.text_in(inside.cut_top(title - theme.px(12)), "Keys", theme.fonts.title,
                 theme.colours.text);
  inside.cut_top(theme.px(12));
  draw_columns(frame, inside, all, m, height);
  // A click beside the list closes it.
  if (ImGui::IsMouseClicked(0) && !box.contains(vec(ImGui::GetIO().MousePos))) {
    frame.state.help = false;
  }
}

}  // namespace ui

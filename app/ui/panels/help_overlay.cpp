// The list of all keys, made from the table of actions.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/panels/panels.h"
#include "ui/views.h"

namespace ui {
namespace {

constexpr std::size_t kHighest = 23;  // lines of a column, where there is room for another

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

struct Columns {
  float keys = 0.0F, width = 0.0F, height = 0.0F;  ///< of one; pixels
  std::vector<std::vector<const Action*>> all;     ///< null: a group begins
};

// Groups one after the other, in columns of so many lines.
std::vector<std::vector<const Action*>> share_out(std::size_t lines) {
  std::vector<std::vector<const Action*>> all(1);
  std::string_view group;
  for (const Action& action : actions()) {
    if (action.group != group) {
      group = action.group;
      const auto more =
          static_cast<std::size_t>(std::ranges::count(actions(), group, &Action::group) + 2);
      if (all.back().size() + more > lines && !all.back().empty()) {
        all.emplace_back();
      } else if (!all.back().empty()) {
        all.back().push_back(nullptr);
      }
      all.back().push_back(nullptr);
    }
    all.back().push_back(&action);
  }
  return all;
}

// In as many columns as there is room for beside each other, and no higher than that takes.
Columns columns_in(const Canvas& canvas, float room) {
  Columns c;
  float words = 0.0F;
  for (const Action& action : actions()) {
    c.keys = std::max(c.keys, canvas.width(keys_text(action), pen::mono) + 1.0F);
    words = std::max(words, canvas.width(action.description) + 1.0F);
  }
  const Gaps& gap = canvas.theme().gap;
  c.keys += gap.large;
  c.width = c.keys + words + gap.large;
  const auto most = static_cast<std::size_t>(std::max(1.0F, std::floor(room / c.width)));
  std::size_t lines = kHighest;
  do {
    c.all = share_out(lines++);
  } while (c.all.size() > most);
  for (const auto& column : c.all) {
    c.height = std::max(c.height, static_cast<float>(column.size()) * canvas.line_height());
  }
  return c;
}

void draw_column(Stack stack, const std::vector<const Action*>& rows, float keys) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Strip line = stack.strip();
    if (rows[i] != nullptr) {
      stack.canvas.write(line.rest.cut_left(keys), keys_text(*rows[i]),
                         pen::mono.in(&Palette::accent));
      line.write(rows[i]->description, pen::dim);
    } else if (rows[i + 1] != nullptr) {
      line.write(rows[i + 1]->group);
    }
  }
}

// What the keys stand over, in words: the manual.
void draw_title(const Frame& frame, Strip line) {
  ManualState& manual = frame.state.of<ManualState>();
  const ManualPage& about = shown_view(frame.state.view, frame.model.result).manual;
  if (line.press("The whole manual")) {
    manual.asked = ManualPage();
  }
  if (line.press(fmt::format("The manual: “{}”", about.chapter))) {
    manual.asked = about;
  }
  line.write("Keys", pen::title);
}

}  // namespace

void draw_help(const Frame& frame, const Rect& window) {
  const Panel panel(frame, "help", window, Panel::Layer::overlay);
  const Canvas canvas(panel.canvas().list(), frame.theme, frame.trace, 2);
  canvas.fill(window, fade(frame.theme.colours.background, 0.7F));
  const float pad = frame.theme.gap.huge;
  const float title = canvas.line_height(pen::title) + frame.theme.gap.medium;
  const glm::vec2 around{2.0F * pad, 2.0F * pad + title};
  const glm::vec2 room = window.size() - around - 2.0F * pad;
  const Columns columns = columns_in(canvas, room.x);
  const glm::vec2 wanted{columns.width * static_cast<float>(columns.all.size()), columns.height};
  const glm::vec2 outer = glm::min(wanted, room) + around;
  const Rect box{glm::floor(window.centre() - 0.5F * outer),
                 glm::floor(window.centre() + 0.5F * outer)};
  draw_box(canvas, box, frame.theme.colours.line);
  Rect inside = box.inset(pad, pad);
  draw_title(frame, {canvas, inside.cut_top(title)});
  {
    Scrolled list(frame, canvas, "keys", inside);
    Rect rest{list.top(), {inside.high.x, list.top().y + columns.height}};
    for (const auto& rows : columns.all) {
      draw_column({list.canvas(), rest.cut_left(columns.width)}, rows, columns.keys);
    }
    list.ends_at({list.top().x, list.top().y + columns.height});
  }
  // A click beside the list closes it.
  if (ImGui::IsMouseClicked(0) && !box.contains(vec(ImGui::GetIO().MousePos))) {
    frame.state.help = false;
  }
}

}  // namespace ui

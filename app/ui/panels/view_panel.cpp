// The centre: the chosen view, and the names of the others to switch to.
#include <algorithm>

#include <fmt/format.h>

#include "ui/beside/beside.h"
#include "ui/open/open_state.h"
#include "ui/panels/top_bar.h"
#include "ui/views.h"
#include "ui/views/timeline/playback.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kWordsMost = 0.6F;  // of the view's width; more leaves no room for titles
constexpr float kLeastView = 9.0F;  // margins; a narrower one has no switch

Bar bar_of(const Frame& frame, const Canvas& canvas) {
  return {frame, canvas, canvas.line_height() + frame.theme.gap.medium};
}

std::vector<Choice> view_choices(const Frame& frame) {
  const std::string shown = current_view(frame.state.view, frame.model.result);
  std::vector<Choice> choices;
  for (const std::string& name : views_of(frame.model.result)) {
    choices.push_back({name, "", name == shown, [&frame, name] { frame.state.view.name = name; }});
  }
  return choices;
}

// The kernel that stands beside, or none.
std::vector<Choice> beside_choices(const Frame& frame) {
  std::string& kernel = frame.state.of<Beside>().kernel;
  const auto name = [&frame](const std::string& id) {
    return beside_name(frame.state.wanted, frame.model.catalogue, id);
  };
  std::vector<Choice> choices{{"alone", "", kernel.empty(), [&kernel] { kernel.clear(); }}};
  auto all = besides(frame.actions());
  if (!kernel.empty() && std::ranges::find(all, kernel) == all.end()) {
    all.push_back(kernel);
  }
  for (const std::string& id : all) {
    choices.push_back({name(id), id == frame.state.wanted.variant ? "without what was changed" : id,
                       id == kernel, [&kernel, id] { kernel = id; }});
  }
  choices.push_back({"another …", "Ctrl+O, then Shift+Enter", false,
                     [&frame] { frame.state.of<OpenState>().show(); }});
  return choices;
}

constexpr const char* kBeside = "A|B";

// Of the button, and the gap behind it; 0 where there is no room beside menus as wide as `others`,
// and where nothing but the view is wanted.
float beside_width(const Frame& frame, const Bar& bar, const Rect& view, float others) {
  const float width = bar.menu_width(kBeside) + frame.theme.gap.large;
  const bool fits = others + width + 2.0F * frame.theme.gap.large <= view.width();
  return !frame.second && fits && frame.state.view.chrome ? width : 0.0F;
}

// Views show one launch at a time, of those on a grid of their own: "launch 2 of 3: Softmax".
std::vector<Choice> launch_choices(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const auto grids = result.grids();
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < grids.size() && grids.size() > 1; ++i) {
    choices.push_back(
        {fmt::format("launch {} of {}: {}", i + 1, grids.size(), result.launches[grids[i]].title),
         "", grids[i] == result.grid(),
         [&frame, launch = grids[i]] { frame.actions().show_launch(launch); }});
  }
  return choices;
}

float word_width(const Canvas& canvas, const std::string& name) {
  return canvas.width(name) + canvas.theme().gap.large;
}

// Of all names as words; 0 where they don't fit, and a menu has them.
float words_width(const Canvas& canvas, const std::vector<Choice>& views, const Rect& view) {
  float width = 0.0F;
  for (const Choice& choice : views) {
    width += word_width(canvas, choice.text);
  }
  return width <= kWordsMost * view.width() ? width : 0.0F;
}

void draw_choices_menu(const Bar& bar, const char* id, const Rect& area,
                       const std::vector<Choice>& choices) {
  draw_menu(bar, id, area, std::ranges::find(choices, true, &Choice::on)->text, choices);
}

void draw_switch(const Frame& frame, const Canvas& canvas, const Rect& view) {
  Rect area = switch_area(frame, canvas, view);
  if (area.empty()) {
    return;
  }
  const Bar bar = bar_of(frame, canvas);
  const auto views = view_choices(frame);
  const auto launches = launch_choices(frame);
  const float words = words_width(canvas, views, view);
  const float others =
      (words > 0.0F ? words : widest_menu(bar, views)) +
      (launches.empty() ? 0.0F : widest_menu(bar, launches) + frame.theme.gap.large);
  if (area.width() > others + 1.0F) {
    const Rect button = area.cut_left(bar.menu_width(kBeside));
    draw_menu(bar, "beside", button, kBeside, beside_choices(frame));
    if (button.contains(vec(ImGui::GetIO().MousePos)) && !frame.state.popup_open) {
      tell("another kernel, or this one's original, beside it (" + to_string(letter(U'T')) + ")");
    }
    area.cut_left(frame.theme.gap.large);
  }
  if (!launches.empty()) {
    draw_choices_menu(bar, "launches", area.cut_left(widest_menu(bar, launches)), launches);
    area.cut_left(frame.theme.gap.large);
  }
  if (words == 0.0F) {
    return draw_choices_menu(bar, "views", area, views);
  }
  for (const Choice& choice : views) {
    if (tab(canvas, area.cut_left(word_width(canvas, choice.text)), "view " + choice.text,
            choice.text, choice.on)) {
      choice.choose();
    }
  }
}

}  // namespace

Rect switch_area(const Frame& frame, const Canvas& canvas, const Rect& view) {
  const Gaps& gap = frame.theme.gap;
  const auto views = view_choices(frame);
  const float right = view.high.x - gap.large;
  const float top = view.low.y + gap.medium;
  if (views.size() < 2 || view.width() < kLeastView * gap.large) {
    return {{right, top}, {right, top}};
  }
  const Bar bar = bar_of(frame, canvas);
  const float words = words_width(canvas, views, view);
  const auto launches = launch_choices(frame);
  const float others = (words > 0.0F ? words : widest_menu(bar, views)) +
                       (launches.empty() ? 0.0F : widest_menu(bar, launches) + gap.large);
  const float width = others + beside_width(frame, bar, view, others);
  return {{right - width, top}, {right, top + bar.height}};
}

Rect title_line(const Frame& frame, const Canvas& canvas, const Rect& view) {
  const Rect names = switch_area(frame, canvas, view);
  return {{view.low.x + frame.theme.gap.large, names.low.y},
          {names.low.x - frame.theme.gap.large, names.low.y + bar_of(frame, canvas).height}};
}

void draw_view(const Frame& frame, const Rect& area, const char* id) {
  const Panel panel(frame, id, area);
  panel.canvas().fill(area, frame.theme.colours.background);
  // The switch takes the mouse first, and is drawn last.
  ImDrawList& list = panel.canvas().list();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  draw_switch(frame, panel.canvas(), area);
  list.ChannelsSetCurrent(0);
  frame.state.lit_lines.clear();
  play_launch(frame);
  const CentreView& view = shown_view(frame.state.view, frame.model.result);
  const std::string nothing = view.nothing != nullptr ? view.nothing(frame) : std::string();
  if (nothing.empty()) {
    view.draw(frame, panel.canvas(), area);
  } else {
    Stack stack =
        draw_view_head(frame, panel.canvas(), area, {.title = {view.name}, .pen = pen::dim});
    stack.wrap(nothing, pen::dim);
  }
  list.ChannelsMerge();
  if (frame.second) {
    panel.canvas().line(area.low, {area.low.x, area.high.y}, frame.theme.colours.line);
  }
}

}  // namespace ui

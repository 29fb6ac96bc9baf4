// The centre: the chosen view, and the names of the others to switch to.
#include <algorithm>

#include <fmt/format.h>

#include "ui/panels/top_bar.h"
#include "ui/views.h"
#include "ui/views/timeline/playback.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kMargin = 12.0F;      // at scale 1
constexpr float kWordsMost = 0.6F;    // of the view's width; more leaves no room for titles
constexpr float kLeastView = 150.0F;  // at scale 1; a narrower one has no switch
constexpr const char* kMenu = "views";
constexpr const char* kLaunches = "launches";

float word_width(const Canvas& canvas, const std::string& name) {
  return canvas.measure(name, canvas.theme().fonts.text).x + canvas.theme().px(16);
}

float words_width(const Canvas& canvas, const std::vector<std::string>& names) {
  float width = 0.0F;
  for (const std::string& name : names) {
    width += word_width(canvas, name);
  }
  return width;
}

bool fits_as_words(const Canvas& canvas, const std::vector<std::string>& names, float room) {
  return words_width(canvas, names) <= kWordsMost * room;
}

Bar bar_of(const Frame& frame, const Canvas& canvas) {
  return {frame, canvas, canvas.line_height(frame.theme.fonts.text) + frame.theme.px(6)};
}

// The views as a row of words.
void draw_words(const Frame& frame, const Canvas& canvas, Rect area,
                const std::vector<std::string>& names, const std::string& shown) {
  const Theme& theme = frame.theme;
  for (const std::string& name : names) {
    const Rect box = area.cut_left(word_width(canvas, name));
    const Hit mouse = hit(("view " + name).c_str(), box);
    const bool on = name == shown;
    canvas.text_in(box, name, theme.fonts.text,
                   on || mouse.hovered ? theme.colours.text : theme.colours.dim, Align::centre);
    if (on) {
      canvas.fill({{box.low.x, box.high.y - theme.px(2)}, box.high}, theme.colours.accent);
    }
    if (mouse.clicked) {
      frame.state.view.name = name;
    }
  }
}

// Where they don't fit: the name of the one that is shown, and a menu of all.
void draw_names_menu(const Frame& frame, const Canvas& canvas, const Rect& area,
                     const std::vector<std::string>& names, const std::string& shown) {
  std::vector<Choice> choices;
  for (const std::string& name : names) {
    choices.push_back({name, "", name == shown, [&frame, name] { frame.state.view.name = name; }});
  }
  draw_menu(bar_of(frame, canvas), kMenu, area, shown, choices);
}

// "2 of 3: Softmax", of a run of several launches, each on a grid of its own.
std::string launch_text(const core::Result& result, std::size_t place) {
  const auto grids = result.grids();
  return fmt::format("{} of {}: {}", place + 1, grids.size(), result.launches[grids[place]].title);
}

float launch_width(const Bar& bar, const core::Result& result) {
  float width = 0.0F;
  const std::size_t count = result.grids().size();
  for (std::size_t i = 0; count > 1 && i < count; ++i) {  // it stays where it is, whatever is shown
    width = std::max(width, bar.menu_width("launch " + launch_text(result, i)));
  }
  return width;
}

// Views show one launch at a time; this chooses which.
void draw_launches(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const auto grids = result.grids();
  std::vector<Choice> choices;
  std::string shown;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const bool on = grids[i] == result.grid();
    shown = on ? "launch " + launch_text(result, i) : shown;
    choices.push_back({launch_text(result, i), "", on,
                       [&frame, launch = grids[i]] { frame.actions().show_launch(launch); }});
  }
  draw_menu(bar_of(frame, canvas), kLaunches, area, shown, choices);
}

void draw_switch(const Frame& frame, const Canvas& canvas, const Rect& view) {
  Rect area = switch_area(frame, canvas, view);
  if (area.empty()) {
    return;
  }
  if (const float width = launch_width(bar_of(frame, canvas), frame.model.result); width > 0.0F) {
    draw_launches(frame, canvas, area.cut_left(width));
    area.cut_left(frame.theme.px(kMargin));
  }
  const auto names = views_of(frame.model.result);
  const std::string shown = current_view(frame.state.view, frame.model.result);
  if (fits_as_words(canvas, names, view.width())) {
    draw_words(frame, canvas, area, names, shown);
  } else {
    draw_names_menu(frame, canvas, area, names, shown);
  }
}

}  // namespace

Rect switch_area(const Frame& frame, const Canvas& canvas, const Rect& view) {
  const Theme& theme = frame.theme;
  const auto names = views_of(frame.model.result);
  const float right = view.high.x - theme.px(kMargin);
  const float top = view.low.y + theme.px(10);
  if (names.size() < 2 || view.width() < theme.px(kLeastView)) {
    return {{right, top}, {right, top}};
  }
  const Bar bar = bar_of(frame, canvas);
  float width = words_width(canvas, names);
  if (!fits_as_words(canvas, names, view.width())) {
    width = 0.0F;
    for (const std::string& name : names) {  // it stays where it is, whatever is shown
      width = std::max(width, bar.menu_width(name));
    }
  }
  const float launches = launch_width(bar, frame.model.result);
  width += launches > 0.0F ? launches + theme.px(kMargin) : 0.0F;
  return {{right - width, top}, {right, top + bar.height}};
}

Rect title_line(const Frame& frame, const Canvas& canvas, const Rect& view) {
  const Rect names = switch_area(frame, canvas, view);
  const Bar bar = bar_of(frame, canvas);
  return {{view.low.x + frame.theme.px(16), names.low.y},
          {names.low.x - frame.theme.px(12), names.low.y + bar.height}};
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
}

}  // namespace ui

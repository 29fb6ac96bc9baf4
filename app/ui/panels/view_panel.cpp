// The centre: the chosen view, and the names of the others to switch to.
#include <algorithm>

#include <fmt/format.h>

#include "ui/panels/top_bar.h"
#include "ui/views.h"
#include "ui/views/timeline/playback.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kWordsMost = 0.6F;  // of the view's width; more leaves no room for titles
constexpr float kLowest = 13.0F;    // lines of text; a lower view has no line for names alone
constexpr float kLeastView = 9.0F;  // margins; a narrower one has no switch

Bar bar_of(const Frame& frame, const Canvas& canvas) {
  return {frame, canvas, canvas.line_height() + frame.theme.gap.medium};
}

std::vector<Choice> view_choices(const Frame& frame) {
  const std::string shown = current_view(frame.state.view, frame.model.result);
  std::vector<Choice> choices;
  for (const std::string& name : views_of(frame.model.result)) {
    const auto row = std::ranges::find_if(
        centre_views(), [&name](const CentreView& candidate) { return candidate.name == name; });
    choices.push_back(
        {name, row->answers, name == shown, [&frame, name] { frame.state.view.name = name; }});
  }
  return choices;
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

float all_words(const Canvas& canvas, const std::vector<Choice>& views) {
  float width = 0.0F;
  for (const Choice& choice : views) {
    width += word_width(canvas, choice.text);
  }
  return width;
}

// Where the names of the views stand: beside a title, in a line of their own above it, or, where
// even that is too narrow, in a menu.
enum class Names { beside, above, menu };

Names names_in(const Canvas& canvas, const std::vector<Choice>& views, const Rect& view) {
  const float width = all_words(canvas, views);
  const float room = view.width() - 2.0F * canvas.theme().gap.medium;
  return width <= kWordsMost * view.width()                                ? Names::beside
         : width <= room && view.height() > kLowest * canvas.line_height() ? Names::above
                                                                           : Names::menu;
}

std::string menu_words(const std::string& view) {
  return "view: " + view;
}

float views_menu_width(const Bar& bar, const std::vector<Choice>& views) {
  float width = 0.0F;
  for (const Choice& choice : views) {
    width = std::max(width, bar.menu_width(menu_words(choice.text)));
  }
  return width;
}

void draw_words(const Frame& frame, const Canvas& canvas, Rect area,
                const std::vector<Choice>& views) {
  for (const Choice& choice : views) {
    if (tab(canvas, area.cut_left(word_width(canvas, choice.text)), "view " + choice.text,
            choice.text, choice.on)) {
      choice.choose();
    }
    if (ImGui::IsItemHovered() && !frame.state.popup_open) {
      tell(choice.note);
    }
  }
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
  if (const auto launches = launch_choices(frame); !launches.empty()) {
    draw_choices_menu(bar, "launches", area.cut_left(widest_menu(bar, launches)), launches);
    area.cut_left(frame.theme.gap.large);
  }
  const auto views = view_choices(frame);
  switch (names_in(canvas, views, view)) {
    case Names::beside:
      return draw_words(frame, canvas, area, views);
    case Names::menu:
      return draw_menu(bar, "views", area,
                       menu_words(current_view(frame.state.view, frame.model.result)), views);
    case Names::above:
      break;
  }
}

// Cut off from the view, where its names stand above it.
void draw_names_above(const Frame& frame, const Canvas& canvas, Rect& view) {
  const auto views = view_choices(frame);
  if (views.size() < 2 || names_in(canvas, views, view) != Names::above) {
    return;
  }
  const Gaps& gap = frame.theme.gap;
  const Rect line = view.cut_top(canvas.line_height() + gap.medium);
  canvas.fill(line, frame.theme.colours.surface);
  canvas.line({line.low.x, line.high.y - 1.0F}, {line.high.x, line.high.y - 1.0F},
              frame.theme.colours.line);
  draw_words(frame, canvas, line.inset(gap.medium, 0.0F), views);
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
  const auto launches = launch_choices(frame);
  const Names names = names_in(canvas, views, view);
  const float width = (names == Names::beside ? all_words(canvas, views)
                       : names == Names::menu ? views_menu_width(bar, views)
                                              : 0.0F) +
                      (launches.empty() ? 0.0F : widest_menu(bar, launches) + gap.large);
  return {{right - width, top}, {right, top + bar.height}};
}

Rect title_line(const Frame& frame, const Canvas& canvas, const Rect& view) {
  const Rect names = switch_area(frame, canvas, view);
  return {{view.low.x + frame.theme.gap.large, names.low.y},
          {names.low.x - frame.theme.gap.large, names.low.y + bar_of(frame, canvas).height}};
}

void draw_view(const Frame& frame, const Rect& all) {
  const Panel panel(frame, "view", all);
  panel.canvas().fill(all, frame.theme.colours.background);
  Rect area = all;
  // The switch takes the mouse first, and is drawn last.
  ImDrawList& list = panel.canvas().list();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  draw_names_above(frame, panel.canvas(), area);
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

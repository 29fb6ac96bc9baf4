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
    choices.push_back({name(id), id == frame.state.wanted.variant ? "without the changes" : id,
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

// Of the menus, or words, that stand in the corner of the view.
float others_width(const Canvas& canvas, const Bar& bar, const std::vector<Choice>& views,
                   const std::vector<Choice>& launches, const Rect& view) {
  const Names names = names_in(canvas, views, view);
  return (names == Names::beside ? all_words(canvas, views)
          : names == Names::menu ? views_menu_width(bar, views)
                                 : 0.0F) +
         (launches.empty() ? 0.0F : widest_menu(bar, launches) + canvas.theme().gap.large);
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
  const auto views = view_choices(frame);
  const auto launches = launch_choices(frame);
  const float others = others_width(canvas, bar, views, launches, view);
  if (area.width() > others + 1.0F) {
    const Rect button = area.cut_left(bar.menu_width(kBeside));
    draw_menu(bar, "beside", button, kBeside, beside_choices(frame));
    if (button.contains(vec(ImGui::GetIO().MousePos)) && !frame.state.popup_open) {
      tell("compare with another kernel, or with the original of an edited kernel (" +
           to_string(letter(U'T')) + ")");
    }
    area.cut_left(frame.theme.gap.large);
  }
  if (!launches.empty()) {
    draw_choices_menu(bar, "launches", area.cut_left(widest_menu(bar, launches)), launches);
    area.cut_left(frame.theme.gap.large);
  }
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

// In place of every view: the error of a kernel that does not run, or what is being done with it.
void draw_not_set_up(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const core::Variant& variant = result.variant;
  const std::string name = variant.title.empty() ? variant.name : variant.title;
  const Palette& c = frame.theme.colours;
  if (!result.error) {
    static_cast<void>(
        draw_view_head(frame, canvas, area, {.title = {name + ": compiling …"}, .pen = pen::dim}));
    return;
  }
  Stack stack = draw_view_head(
      frame, canvas, area,
      {.title = {name + " does not run", name}, .pen = pen::text.in(mix(c.race, c.text, 0.45F))});
  stack.wrap(result.error->line > 0
                 ? fmt::format("line {}: {}", result.error->line, result.error->message)
                 : result.error->message);
  stack.gap(frame.theme.gap.medium);
  stack.wrap("Change the source or the file; it is compiled again at once.", pen::dim);
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
  const float others = others_width(canvas, bar, views, launches, view);
  const float width = others + beside_width(frame, bar, view, others);
  return {{right - width, top}, {right, top + bar.height}};
}

Rect title_line(const Frame& frame, const Canvas& canvas, const Rect& view) {
  const Rect names = switch_area(frame, canvas, view);
  return {{view.low.x + frame.theme.gap.large, names.low.y},
          {names.low.x - frame.theme.gap.large, names.low.y + bar_of(frame, canvas).height}};
}

void draw_view(const Frame& frame, const Rect& all, const char* id) {
  const Panel panel(frame, id, all);
  panel.canvas().fill(all, frame.theme.colours.background);
  Rect area = all;
  // The switch takes the mouse first, and is drawn last.
  ImDrawList& list = panel.canvas().list();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  contain(frame, "the names of the views", {}, [&] {
    draw_names_above(frame, panel.canvas(), area);
    draw_switch(frame, panel.canvas(), area);
  });
  list.ChannelsSetCurrent(0);
  frame.state.lit_lines.clear();
  const CentreView& view = shown_view(frame.state.view, frame.model.result);
  contain(frame, fmt::format("the view \"{}\"", view.name), area, [&] {
    if (frame.model.result.text_only) {
      return draw_not_set_up(frame, panel.canvas(), area);
    }
    play_launch(frame);
    const std::string nothing = view.nothing != nullptr ? view.nothing(frame) : std::string();
    if (nothing.empty()) {
      return view.draw(frame, panel.canvas(), area);
    }
    Stack stack =
        draw_view_head(frame, panel.canvas(), area, {.title = {view.name}, .pen = pen::dim});
    stack.wrap(nothing, pen::dim);
  });
  list.ChannelsMerge();
  if (frame.second) {
    panel.canvas().line(area.low, {area.low.x, area.high.y}, frame.theme.colours.line);
  }
}

}  // namespace ui

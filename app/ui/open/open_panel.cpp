#include "ui/open/open_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/lines.h"
#include "ui/beside/beside.h"
#include "ui/editor/text_keys.h"
#include "ui/editor/text_line.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

constexpr float kWidest = 46.0F;  // lines of text
constexpr float kHighest = 26.0F;

// As typed: a path that is no row is opened too, or refused with the reason.
void open_row(const Frame& frame, OpenState& open, const std::vector<OpenRow>& rows, bool beside) {
  const std::string& typed = open.line.text();
  const bool listed = open.chosen < rows.size();
  if (listed && rows[open.chosen].fold) {
    const std::string& folder = rows[open.chosen].target;
    if (open.folded.erase(folder) == 0) {
      open.folded.insert(folder);
    }
    return;
  }
  if (listed && rows[open.chosen].enter) {
    open.line = TextBuffer(rows[open.chosen].target);
    open.line.move(TextBuffer::Step::all, 1, false);
    open.chosen = 0;
    return;
  }
  const std::string target = listed ? rows[open.chosen].target : typed;
  if (target.empty()) {
    return;
  }
  if (beside && !target.starts_with('-')) {
    frame.state.of<Beside>().kernel = target;
    open.shown = false;
  } else {
    frame.requests.open = target;
  }
}

void take_key(const Frame& frame, OpenState& open, const KeyPress& key) {
  if (!open.question.empty()) {
    const bool yes = key == letter('y');
    if (yes || key == letter('n') || key.key == Key::escape) {
      open.answer = yes;
    }
    return;
  }
  const auto rows = open_rows(open, frame.model.catalogue);
  const std::size_t last = rows.empty() ? 0 : rows.size() - 1;
  switch (key.key) {
    case Key::escape:
      open.shown = false;
      return;
    case Key::enter:
      return open_row(frame, open, rows, key.shift);
    case Key::up:
      open.chosen -= std::min<std::size_t>(open.chosen, 1);
      return;
    case Key::down:
      open.chosen = std::min(open.chosen + 1, last);
      return;
    case Key::page_up:
      open.chosen -= std::min<std::size_t>(open.chosen, 10);
      return;
    case Key::page_down:
      open.chosen = std::min(open.chosen + 10, last);
      return;
    default:
      break;
  }
  const std::string before = open.line.text();
  if (key.key == Key::tab) {
    open.line = TextBuffer(completed(open));
    open.line.move(TextBuffer::Step::all, 1, false);
  } else if (key == ctrl(U'o')) {
    open.shown = false;
  } else {
    static_cast<void>(take_text_key(open.line, key));
  }
  if (open.line.text() != before) {
    open.chosen = 0;
    open.refused.clear();
  }
}

void draw_line(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  const TextBuffer& line = frame.state.of<OpenState>().line;
  canvas.fill(area, theme.colours.background, theme.gap.small);
  canvas.frame(area, theme.colours.accent, 1.0F, theme.gap.small);
  const Rect inside = area.inset(theme.gap.medium, theme.gap.small);
  draw_text_line(canvas, inside, line, "a part of the name, or a path: ~/  ./  /");
}

void draw_rows(const Frame& frame, const Canvas& canvas, const Rect& area,
               const std::vector<OpenRow>& rows) {
  OpenState& open = frame.state.of<OpenState>();
  const Colour found = mix(frame.theme.colours.race, frame.theme.colours.text, 0.45F);
  Table table;
  table.columns = {{.align = Align::left, .pen = pen::text, .importance = 1, .least = 12.0F},
                   {.align = Align::right, .pen = pen::dim, .importance = 0, .most = 0.5F}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows.push_back(
        {{TableCell(rows[i].label),
          rows[i].found ? TableCell(rows[i].note, pen::dim.in(found)) : TableCell(rows[i].note)},
         false,
         i == open.chosen});
  }
  const TableDrawn drawn = draw_table(canvas, area, "open", table);
  if (drawn.clicked) {
    open.chosen = *drawn.clicked;
    open_row(frame, open, rows, ImGui::GetIO().KeyShift);
  }
}

// Why nothing is listed, or what is left out.
std::string about_list(const OpenState& open, const std::vector<OpenRow>& rows) {
  if (!open.refused.empty()) {
    return open.refused;
  }
  const bool listed = open.listing.folder == wanted_folder(open.line.text(), open.here);
  if (listed && !open.listing.error.empty() && rows.empty()) {
    return open.listing.error;
  }
  if (rows.empty()) {
    return listed ? "No kernel or file has this name." : "Reading the folder …";
  }
  return {};
}

// Draws the question whether the commands of a project may run.
void draw_question(const Canvas& canvas, Stack& rest, OpenState& open) {
  rest.gap(canvas.theme().gap.medium);
  for (const std::string& line : core::lines_of(open.question)) {
    rest.wrap(line, pen::text);
  }
  rest.gap(canvas.theme().gap.medium);
  Strip line{canvas, rest.lines(1.6F)};
  if (line.press("Do not run them (N)")) {
    open.answer = false;
  }
  if (line.press("Run them (Y)")) {
    open.answer = true;
  }
}

}  // namespace

void take_open_keys(const Frame& frame) {
  OpenState& open = frame.state.of<OpenState>();
  const std::string& kernel = frame.state.wanted.variant;
  const std::size_t slash = core::names_a_file(kernel) ? kernel.rfind('/') : std::string::npos;
  open.here = slash == std::string::npos ? "./" : kernel.substr(0, slash + 1);
  for (const KeyPress& key : std::exchange(open.pressed, {})) {
    if (open.shown) {
      take_key(frame, open, key);
    }
  }
  if (const std::string folder = wanted_folder(open.line.text(), open.here);
      open.shown && folder != open.listing.folder) {
    frame.requests.list_folder = folder;
  }
}

void draw_open(const Frame& frame, const Rect& window) {
  OpenState& open = frame.state.of<OpenState>();
  if (!open.shown) {
    return;
  }
  const Panel panel(frame, "open", window, Panel::Layer::overlay);
  const Theme& theme = frame.theme;
  const Canvas canvas(panel.canvas().list(), theme, frame.trace, 2);
  canvas.fill(window, fade(theme.colours.background, 0.7F));
  const float line = canvas.line_height();
  const glm::vec2 size{std::min(kWidest * line, window.width() - 2.0F * theme.gap.large),
                       std::min(kHighest * line, window.height() - 2.0F * theme.gap.large)};
  const glm::vec2 low{
      std::floor(window.centre().x - 0.5F * size.x),
      std::floor(window.low.y + std::min(0.5F * (window.height() - size.y), 4.0F * line))};
  const Rect box{low, low + size};
  draw_box(canvas, box, theme.colours.line);
  Stack rest{canvas, box.inset(theme.gap.large, theme.gap.large)};
  Strip head{canvas, rest.lines(1.0F, pen::title)};
  head.left("Open", pen::title);
  head.right_if(
      open.tree.folder.empty() ? "or drop a file or a folder on the window" : open.tree.folder,
      pen::dim);
  rest.gap(theme.gap.small);
  if (!open.question.empty()) {
    return draw_question(canvas, rest, open);
  }
  draw_line(frame, canvas, rest.lines(1.7F));
  rest.gap(theme.gap.medium);
  Stack foot{canvas, rest.rest.cut_bottom(line)};
  foot.fitting({"Enter: open    Shift+Enter: compare    Tab: complete    ↑ ↓: choose    Esc: close",
                "Enter: open    Tab: complete    Esc: close", "Enter: open"},
               pen::dim);
  rest.rest.cut_bottom(theme.gap.small);
  const auto rows = open_rows(open, frame.model.catalogue);
  open.chosen = std::min(open.chosen, rows.empty() ? 0 : rows.size() - 1);
  if (const std::string about = about_list(open, rows); !about.empty()) {
    rest.wrap(about, open.refused.empty()
                         ? pen::dim
                         : pen::text.in(mix(theme.colours.race, theme.colours.text, 0.45F)));
    rest.gap(theme.gap.small);
  }
  draw_rows(frame, canvas, rest.rest, rows);
  if (ImGui::IsMouseClicked(0) && !box.contains(vec(ImGui::GetIO().MousePos))) {
    open.shown = false;
  }
}

Rect draw_scene_strip(const Frame& frame, const Rect& view) {
  const SceneList& list = frame.state.of<SceneList>();
  if (list.scenes.empty() || list.at >= list.scenes.size()) {
    return view;
  }
  const Theme& theme = frame.theme;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), theme, nullptr);
  Rect rest = view;
  const Rect strip = rest.cut_bottom(ruler.line_height() + 2.0F * theme.gap.medium);
  const Panel panel(frame, "scenes", strip);
  const Canvas& canvas = panel.canvas();
  canvas.fill(strip, theme.colours.surface);
  canvas.line(strip.low, {strip.high.x, strip.low.y}, theme.colours.line);
  Strip line{canvas, strip.inset(theme.gap.large, theme.gap.medium)};
  const float side = line.rest.height();
  if (arrow_button(canvas, line.rest.cut_left(side), "scene before", true) && list.at > 0) {
    frame.requests.open_scene = list.at - 1;
  }
  line.left(fmt::format("{} of {}", list.at + 1, list.scenes.size()), pen::mono);
  if (arrow_button(canvas, line.rest.cut_left(side), "scene after", false) &&
      list.at + 1 < list.scenes.size()) {
    frame.requests.open_scene = list.at + 1;
  }
  line.rest.cut_left(theme.gap.medium);
  const SceneEntry& scene = list.scenes[list.at];
  line.right_if(to_string({Key::page_down, 0, false, true}) + ": next scene", pen::dim);
  line.write(scene.title);
  return rest;
}

}  // namespace ui

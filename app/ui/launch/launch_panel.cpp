#include "ui/launch/launch_panel.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/editor/text_keys.h"
#include "ui/editor/text_line.h"
#include "ui/edits.h"
#include "ui/launch/launch_flags.h"

namespace ui {
namespace {

constexpr float kField = 2.9F;  // lines of text: a name, its value, and what parts it from the next
constexpr float kWidest = 24.0F;  // lines of text, over the view

// Of the kernel that is wanted; none while another one is still shown.
std::vector<LaunchField> fields_to_type_at(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const bool same = result.experiment.variant == frame.state.wanted.variant;
  return same ? launch_fields(result) : std::vector<LaunchField>();
}

// The kernel that is wanted is on its way, and may have fields.
bool comes(const Frame& frame) {
  const core::Result& result = frame.model.result;
  return frame.state.wanted.workload().empty() && !result.error && !result.refused() &&
         (result.experiment.variant != frame.state.wanted.variant || result.variant.name.empty());
}

void type_at(const Frame& frame, const std::vector<LaunchField>& fields, std::size_t index) {
  LaunchPanel& panel = frame.state.of<LaunchPanel>();
  panel.typing = index;
  panel.begun = wanted_value(fields[index], frame.state.wanted);
  panel.line = TextBuffer(panel.begun);
  panel.line.select_all();
  panel.refused.clear();
}

// True: what was typed there is taken. What nobody typed never is: a run that came meanwhile may
// have another value there.
bool commit(const Frame& frame, const std::vector<LaunchField>& fields) {
  LaunchPanel& panel = frame.state.of<LaunchPanel>();
  const LaunchField& field = fields[*panel.typing];
  if (!panel.changed()) {
    return true;
  }
  core::Experiment next = frame.state.wanted;
  const auto set = set_field(field, panel.line.text(), next);
  panel.refused = set ? "" : set.error().message;
  if (set) {
    frame.actions().want(next);
  }
  return set.has_value();
}

void leave(LaunchPanel& panel) {
  panel.typing.reset();
  panel.over = false;
}

void take_key(const Frame& frame, const KeyPress& key) {
  LaunchPanel& panel = frame.state.of<LaunchPanel>();
  const auto fields = fields_to_type_at(frame);
  if (key.key == Key::escape || *panel.typing >= fields.size()) {
    return leave(panel);
  }
  if (key.key != Key::enter && key.key != Key::tab) {
    static_cast<void>(take_text_key(panel.line, key));
    panel.refused.clear();
    return;
  }
  if (!commit(frame, fields)) {
    return;
  }
  if (key.key == Key::enter) {
    leave(panel);
  } else {
    type_at(frame, fields,
            cycled(static_cast<std::ptrdiff_t>(*panel.typing), key.shift ? -1 : 1, fields.size()));
  }
}

void give_up_waiting_at_escape(LaunchPanel& panel) {
  if (std::ranges::find(panel.pressed, Key::escape, &KeyPress::key) != panel.pressed.end()) {
    panel.asked = false;
    panel.pressed.clear();
  }
}

void draw_field(const Frame& frame, Stack& rest, const std::vector<LaunchField>& fields,
                std::size_t index) {
  const Canvas& canvas = rest.canvas;
  const Theme& theme = frame.theme;
  const Palette& c = theme.colours;
  LaunchPanel& panel = frame.state.of<LaunchPanel>();
  const LaunchField& field = fields[index];
  Rect room = rest.rest.cut_top(kField * canvas.line_height());
  canvas.write(room.cut_top(canvas.line_height()), field.shown, pen::dim);
  const Rect box = room.cut_top(1.5F * canvas.line_height());
  const Hit mouse = hit(fmt::format("launch {}", index).c_str(), box);
  if (panel.typing == index && ImGui::IsMouseClicked(0) && !mouse.hovered) {
    if (commit(frame, fields)) {
      leave(panel);
    }
  } else if (mouse.clicked && panel.typing != index && !fields_to_type_at(frame).empty()) {
    type_at(frame, fields, index);
  }
  const bool typing = panel.typing == index;
  const std::string wanted = wanted_value(field, frame.state.wanted);
  const bool waits = !typing && wanted != field.value;
  canvas.fill(box, mouse.hovered && !typing ? c.hover : c.raised, theme.gap.small);
  canvas.frame(box,
               typing && !panel.refused.empty() ? c.race
               : typing || waits                ? c.accent
                                                : c.line,
               1.0F, theme.gap.small);
  const float around = std::floor(0.5F * (box.height() - canvas.line_height(pen::mono)));
  const Rect inside = box.inset(theme.px(6), around);
  if (typing) {
    draw_text_line(canvas, inside, panel.line);
  } else {
    canvas.write(inside, canvas.shorten(wanted, theme.fonts.mono, inside.width()),
                 waits ? pen::mono.in(c.accent) : pen::mono);
  }
  if (typing && !panel.refused.empty()) {
    tell(panel.refused);
  } else if (mouse.hovered && waits) {
    tell("not applied: " + field.value + " runs");
  } else if (mouse.hovered && !typing) {
    tell(wanted);
  }
}

// The one that is typed at is in sight; the wheel leafs.
void follow(const Rect& room, LaunchPanel& panel, std::size_t shown, std::size_t count) {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel != 0.0F && room.contains(vec(ImGui::GetIO().MousePos))) {
    panel.first =
        wheel > 0.0F ? panel.first - std::min<std::size_t>(panel.first, 1) : panel.first + 1;
  }
  if (panel.typing) {
    panel.first = std::clamp(panel.first, *panel.typing + 1 - std::min(shown, *panel.typing + 1),
                             *panel.typing);
  }
  panel.first = std::min(panel.first, count - std::min(shown, count));
}

}  // namespace

void LaunchPanel::forget_kernel() {
  leave(*this);
  asked = false;
  pressed.clear();
}

void take_launch_keys(const Frame& frame) {
  LaunchPanel& panel = frame.state.of<LaunchPanel>();
  const auto fields = fields_to_type_at(frame);
  if (panel.asked && (!fields.empty() || !comes(frame))) {
    panel.asked = false;
    if (!fields.empty()) {
      panel.over = true;
      type_at(frame, fields, 0);
    }
  }
  if (panel.asked) {
    give_up_waiting_at_escape(panel);
    return;
  }
  if (panel.typing && *panel.typing >= fields.size()) {
    leave(panel);
  } else if (panel.typing && !panel.changed() &&
             panel.begun != wanted_value(fields[*panel.typing], frame.state.wanted)) {
    type_at(frame, fields, *panel.typing);
  }
  for (const KeyPress& key : std::exchange(panel.pressed, {})) {
    if (panel.typing) {
      take_key(frame, key);
    }
  }
}

void draw_launch(const Frame& frame, Stack& rest) {
  const auto fields = launch_fields(frame.model.result);
  const float line = rest.canvas.line_height();
  LaunchPanel& panel = frame.state.of<LaunchPanel>();
  const auto fitting = [&](float room) {
    return static_cast<std::size_t>(std::max(0.0F, room / (kField * line)));
  };
  std::size_t shown = fitting(rest.rest.height());
  const bool all = shown >= fields.size();
  if (!all) {
    shown = fitting(rest.rest.height() - line);
  }
  shown = std::min(shown, fields.size());
  follow(rest.rest, panel, shown, fields.size());
  for (std::size_t i = panel.first; i < panel.first + shown; ++i) {
    draw_field(frame, rest, fields, i);
  }
  if (!all) {
    const std::size_t below = fields.size() - panel.first - shown;
    rest.say(panel.first == 0 ? fmt::format("and {} more (wheel, Tab)", below)
                              : fmt::format("{} above, {} below", panel.first, below),
             pen::dim);
  }
}

void draw_launch_over(const Frame& frame, const Rect& view) {
  const Gaps& gap = frame.theme.gap;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), frame.theme, nullptr);
  const float line = ruler.line_height();
  const auto count = static_cast<float>(launch_fields(frame.model.result).size());
  const float wish = (2.0F + kField * count) * line + 2.0F * gap.medium;
  Rect box = view.inset(gap.medium, gap.medium);
  box.high = {std::min(box.high.x, box.low.x + kWidest * line),
              std::min(box.high.y, box.low.y + wish)};
  const Panel panel(frame, "launch over", box, Panel::Layer::overlay);
  draw_box(panel.canvas(), box, frame.theme.colours.accent);
  Stack rest{panel.canvas(), box.inset(gap.large, gap.medium)};
  rest.heading("Launched with", "Enter, Tab, Esc");
  rest.gap(gap.small);
  draw_launch(frame, rest);
}

}  // namespace ui

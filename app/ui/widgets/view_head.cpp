#include "ui/widgets/view_head.h"

#include <cctype>

namespace ui {
namespace {

bool is_figure(const std::string& words) {
  return !words.empty() && std::isdigit(static_cast<unsigned char>(words.front())) != 0;
}

}  // namespace

Stack draw_view_head(const Frame& frame, const Canvas& canvas, const Rect& area,
                     const ViewHead& head) {
  const Gaps& gap = frame.theme.gap;
  Strip line{canvas, title_line(frame, canvas, area)};
  const float margin = line.rest.low.x;
  const float below = line.rest.high.y + gap.small;
  const std::string& title = canvas.fitting(head.title, line.rest.width(), head.pen);
  // Of a name the beginning says something; of a figure or a remark it says something else.
  if (canvas.width(title, head.pen) <= line.rest.width() || !is_figure(title)) {
    line.left(title, head.pen);
  }
  const std::string note =
      head.note.empty() ? "" : canvas.fitting(head.note, line.rest.width(), head.note_pen);
  const float note_width = canvas.width(note, head.note_pen);
  if (!note.empty() && note_width <= line.rest.width()) {
    line.write(note, head.note_pen);
    explain(canvas, {line.rest.low, {line.rest.low.x + note_width, line.rest.high.y}}, note);
  }
  Stack stack{canvas, {{margin, below}, {area.high.x - gap.large, area.high.y - gap.medium}}};
  if (head.word != nullptr || !head.state.empty()) {
    Strip second = stack.strip();
    if (head.word != nullptr) {
      *head.pressed |= second.press(head.word);
    }
    if (!head.state.empty()) {
      second.fitting(head.state, head.state_pen);
      const std::string& state = canvas.fitting(head.state, second.rest.width(), head.state_pen);
      const float width = std::min(canvas.width(state, head.state_pen), second.rest.width());
      explain(canvas, {second.rest.low, {second.rest.low.x + width, second.rest.high.y}}, state);
    }
    stack.gap(gap.small);
    const Rect progress = stack.rest.cut_top(gap.thin);
    if (head.progress) {
      draw_progress_line(canvas, progress, *head.progress);
    }
    stack.gap(gap.small);
  }
  return stack;
}

Wordings measured_words(const core::Result& result, const std::string& words) {
  return result.device.emulated()
             ? Wordings{words + "; emulated: not GPU times", words + "; emulated", words}
             : Wordings{words};
}

}  // namespace ui

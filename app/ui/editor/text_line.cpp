#include "ui/editor/text_line.h"

#include <algorithm>
#include <cmath>

namespace ui {

void draw_text_line(const Canvas& canvas, const Rect& inside, const TextBuffer& line,
                    std::string_view hint) {
  const Theme& theme = canvas.theme();
  const Clip clip(canvas, inside);
  const std::string& text = line.text();
  const auto to = [&](std::size_t byte) { return canvas.width(text.substr(0, byte), pen::mono); };
  const float left =
      inside.low.x - std::max(0.0F, to(line.cursor()) - inside.width() + theme.gap.small);
  if (text.empty() && !hint.empty()) {
    canvas.write(inside.inset(theme.gap.small, 0.0F), hint, pen::dim);
  }
  const float half = 0.5F * canvas.line_height(pen::mono);
  const float y = std::round(inside.centre().y - half);
  const auto [first, last] = line.selection();
  if (first != last) {
    canvas.fill({{left + to(first), y}, {left + to(last), y + 2.0F * half}},
                fade(theme.colours.accent, 0.35F));
  }
  canvas.text({left, y}, text, theme.fonts.mono, theme.colours.text);
  const float at = left + to(line.cursor());
  canvas.fill({{at, y}, {at + theme.px(1.5F), y + 2.0F * half}}, theme.colours.accent);
}

}  // namespace ui

#include <algorithm>

#include "ui/views/grid/grid_view.h"

namespace ui {

glm::vec2 measure_card(const Canvas& canvas, const Rect& room, TileCard& card) {
  const float pad = canvas.theme().gap.medium;
  const float height = canvas.line_height();
  const float most = 0.7F * room.height() - 2.0F * pad - height;
  const auto lines = static_cast<std::size_t>(std::max(0.0F, most / height));
  card.lines.resize(std::min(card.lines.size(), lines));
  float values = 0.0F;
  for (const TileCard::Line& line : card.lines) {
    card.names = std::max(card.names, canvas.width(line.name) + 1.5F * pad);
    values = std::max(values, canvas.width(line.value, pen::mono));
  }
  const float width = std::max(canvas.width(card.title), card.names + values) + 1.0F;
  return {std::min(width, room.width() - 4.0F * pad) + 2.0F * pad,
          static_cast<float>(card.lines.size() + 1) * height + 2.0F * pad};
}

void draw_card(const Canvas& canvas, const TileCard& card) {
  const Theme& theme = canvas.theme();
  canvas.fill(card.rect, theme.colours.raised, theme.gap.small);
  canvas.frame(card.rect, theme.colours.line, 1.0F, theme.gap.small);
  Stack stack{canvas, card.rect.inset(theme.gap.medium, theme.gap.medium)};
  stack.say(card.title);
  for (const TileCard::Line& line : card.lines) {
    Strip strip = stack.strip();
    canvas.write(strip.rest.cut_left(card.names), line.name, pen::dim);
    strip.write(line.value, pen::mono);
  }
}

}  // namespace ui

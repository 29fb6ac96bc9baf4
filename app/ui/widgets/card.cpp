#include <algorithm>

#include "ui/views/grid/grid_view.h"

namespace ui {

glm::vec2 measure_card(const Canvas& canvas, const Rect& room, TileCard& card) {
  const Theme& theme = canvas.theme();
  const float pad = theme.px(8);
  const float height = canvas.line_height(theme.fonts.text);
  const float most = 0.7F * room.height() - 2.0F * pad - height;
  const auto lines = static_cast<std::size_t>(std::max(0.0F, most / height));
  card.lines.resize(std::min(card.lines.size(), lines));
  for (const TileCard::Line& line : card.lines) {
    card.names = std::max(card.names, canvas.measure(line.name, theme.fonts.text).x + theme.px(12));
  }
  float width = canvas.measure(card.title, theme.fonts.text).x;
  for (const TileCard::Line& line : card.lines) {
    width = std::max(width, card.names + canvas.measure(line.value, theme.fonts.mono).x);
  }
  width = std::min(width + 1.0F, room.width() - 4.0F * pad);
  return {width + 2.0F * pad, static_cast<float>(card.lines.size() + 1) * height + 2.0F * pad};
}

void draw_card(const Canvas& canvas, const TileCard& card) {
  const Theme& theme = canvas.theme();
  const float height = canvas.line_height(theme.fonts.text);
  canvas.fill(card.rect, theme.colours.raised, theme.px(4));
  canvas.frame(card.rect, theme.colours.line, 1.0F, theme.px(4));
  Rect rest = card.rect.inset(theme.px(8), theme.px(8));
  canvas.text_in(rest.cut_top(height), card.title, theme.fonts.text, theme.colours.text);
  for (const TileCard::Line& line : card.lines) {
    Rect strip = rest.cut_top(height);
    canvas.text_in(strip.cut_left(card.names), line.name, theme.fonts.text, theme.colours.dim);
    canvas.text_in(strip, line.value, theme.fonts.mono, theme.colours.text);
  }
}

}  // namespace ui

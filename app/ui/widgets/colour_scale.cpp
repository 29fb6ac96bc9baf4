#include "ui/widgets/colour_scale.h"

#include "ui/widgets/heat_map.h"

namespace ui {
namespace {

constexpr float kBar = 90.0F;  // at scale 1
constexpr float kGap = 6.0F;

}  // namespace

float scale_width(const Canvas& canvas, const ColourScale& scale, bool with_unit) {
  const Theme& theme = canvas.theme();
  const auto wide = [&](const std::string& text, ImFont* font) {
    return text.empty() ? 0.0F : canvas.measure(text, font).x + theme.px(kGap);
  };
  return wide(scale.name, theme.fonts.text) + wide(scale.low, theme.fonts.mono) + theme.px(kBar) +
         theme.px(kGap) + wide(scale.high, theme.fonts.mono) +
         (with_unit ? wide(scale.unit, theme.fonts.text) : 0.0F);
}

void draw_scale(const Canvas& canvas, Textures& textures, Rect strip, const ColourScale& scale,
                bool with_unit) {
  const Theme& theme = canvas.theme();
  const auto put = [&](const std::string& text, ImFont* font, Colour colour) {
    canvas.text_in(strip, text, font, colour);
    strip.cut_left(canvas.measure(text, font).x + theme.px(kGap));
  };
  put(scale.name, theme.fonts.text, theme.colours.text);
  put(scale.low, theme.fonts.mono, theme.colours.text);
  const Rect bar = strip.cut_left(theme.px(kBar));
  const float y = 0.5F * (bar.height() - theme.px(10));
  const auto texture = textures.image("colour bar", 1, paint_colour_bar);
  canvas.image(texture, bar.inset(0.0F, y), {0.002F, 0.5F}, {0.998F, 0.5F});
  strip.cut_left(theme.px(kGap));
  put(scale.high, theme.fonts.mono, theme.colours.text);
  if (with_unit) {
    put(scale.unit, theme.fonts.text, theme.colours.dim);
  }
}

}  // namespace ui

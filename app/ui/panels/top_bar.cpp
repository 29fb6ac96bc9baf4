// What runs: workload, variant, tile, sizes, device; whether its answer is right, and whether it is
// free of races.
#include "ui/panels/top_bar.h"

namespace ui {
namespace {

std::vector<Part> parts(const Bar& bar, bool ladder_shown) {
  std::vector<Part> all{workload_part(bar), variant_part(bar, ladder_shown)};
  if (auto tile = tile_part(bar)) {
    all.push_back(std::move(*tile));
  }
  all.push_back(sizes_part(bar));
  all.push_back(device_part(bar));
  all.push_back(run_part(bar));
  all.push_back(answer_part(bar));
  all.push_back(races_part(bar));
  all.push_back(help_part(bar));
  return all;
}

void place(const std::vector<Part>& all, Rect strip, float gap) {
  std::vector<BarItem> items;
  for (const Part& part : all) {
    items.push_back(part.item);
  }
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = all.size(); i-- > 0;) {
    if (forms[i] >= 0 && all[i].to_the_right) {
      const float width = items[i].widths[static_cast<std::size_t>(forms[i])];
      all[i].draw(strip.cut_right(width), forms[i]);
      strip.cut_right(gap);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forms[i] >= 0 && !all[i].to_the_right) {
      const float width = items[i].widths[static_cast<std::size_t>(forms[i])];
      all[i].draw(strip.cut_left(width), forms[i]);
      strip.cut_left(gap);
    }
  }
}

}  // namespace

void draw_top_bar(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "top bar", area);
  const Theme& theme = frame.theme;
  panel.canvas().fill(area, theme.colours.surface);
  panel.canvas().line({area.low.x, area.high.y - 1.0F}, {area.high.x, area.high.y - 1.0F},
                      theme.colours.line);
  const Bar bar{frame, panel.canvas(), theme.px(28)};
  const float margin = 0.5F * (area.height() - bar.height);
  const bool ladder_shown = area.width() / theme.scale > 800.0F;
  place(parts(bar, ladder_shown), area.inset(theme.px(12), margin), theme.px(14));
}

}  // namespace ui

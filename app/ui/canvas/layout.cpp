#include "ui/canvas/layout.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

// Lengths at scale 1.
constexpr float kTop = 46.0F;
constexpr float kLeastView = 330.0F;
constexpr float kLeastViewHeight = 200.0F;
constexpr float kLeastSource = 112.0F;
constexpr float kLowSource = 150.0F;
constexpr float kLeastTimingHeight = 300.0F;
constexpr float kLeastFindings = 190.0F;
constexpr float kLowWindow = 360.0F;  // below the bar: no room for the source below the view
constexpr float kLeastBeside = 262.0F;

float whole(float logical, float scale) {
  return std::round(logical * scale);
}

float total(std::span<const BarItem> items, std::span<const int> forms, float gap) {
  float sum = 0.0F;
  float between = 0.0F;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (forms[i] >= 0) {
      sum += between + items[i].widths[static_cast<std::size_t>(forms[i])];
      between = gap;
    }
  }
  return sum;
}

bool can_shrink(const BarItem& item, int form) {
  const bool last = form + 1 == static_cast<int>(item.widths.size());
  return form >= 0 && (!last || item.may_vanish);
}

}  // namespace

Layout arrange(glm::vec2 size, float scale, bool chrome) {
  Layout layout;
  Rect rest{{0.0F, 0.0F}, size};
  if (!chrome) {
    layout.view = rest;
    return layout;
  }
  layout.top = rest.cut_top(whole(kTop, scale));
  const float width = size.x / scale;
  const float height = rest.height() / scale;
  if (height < kLowWindow && width >= kLeastView + kLeastBeside) {
    layout.source = rest.cut_right(whole(std::clamp(0.42F * width, kLeastBeside, 620.0F), scale));
    layout.findings = layout.source.cut_top(whole(0.36F * height, scale));
    layout.view = rest;
    return layout;
  }
  const float timing = std::clamp(0.21F * width, 258.0F, 340.0F);
  const float ladder = std::clamp(0.16F * width, 196.0F, 270.0F);
  const bool column = width >= timing + kLeastView && height >= kLeastFindings;
  if (column) {
    layout.findings = rest.cut_right(whole(timing, scale));
  }
  if (column && height >= kLeastTimingHeight + kLeastFindings) {
    const float findings = std::clamp(0.42F * height, kLeastFindings, 520.0F);
    layout.timing = layout.findings;
    layout.findings = layout.timing.cut_bottom(whole(findings, scale));
  }
  if (width >= timing + ladder + kLeastView && column) {
    layout.ladder = rest.cut_left(whole(ladder, scale));
  }
  if (height >= kLeastViewHeight + kLeastSource) {
    // In a low window as many lines as the view can spare.
    const float spare = std::min(height - kLeastViewHeight, kLowSource);
    const float source = std::clamp(0.31F * height, std::max(kLeastSource, spare), 420.0F);
    layout.source = rest.cut_bottom(whole(source, scale));
  }
  layout.view = rest;
  return layout;
}

std::vector<int> fit(std::span<const BarItem> items, float available, float gap) {
  std::vector<int> forms(items.size(), 0);
  while (total(items, forms, gap) > available) {
    std::size_t victim = items.size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (can_shrink(items[i], forms[i]) &&
          (victim == items.size() || items[i].importance < items[victim].importance)) {
        victim = i;
      }
    }
    if (victim == items.size()) {
      break;
    }
    const bool last = forms[victim] + 1 == static_cast<int>(items[victim].widths.size());
    forms[victim] = last ? -1 : forms[victim] + 1;
  }
  return forms;
}

}  // namespace ui

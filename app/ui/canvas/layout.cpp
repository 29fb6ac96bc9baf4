#include "ui/canvas/layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

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
constexpr float kLowWindow = 380.0F;  // below the bar: no room for the source below the view
constexpr float kLeastBeside = 262.0F;
constexpr float kSentence = 284.0F;  // there, so that a race's sentence takes five lines
constexpr float kLeastAbove = 80.0F;
constexpr float kLeastColumn = 258.0F;
constexpr float kLeastLadder = 196.0F;
constexpr float kGrip = 3.0F;  // on both sides of the line

float whole(float logical, float scale) {
  return std::round(logical * scale);
}

// What the reader chose of a room, or `own`, where nothing was chosen; all at scale 1.
float chosen(float share, float room, float own, float least, float most) {
  const float length = share > 0.0F ? share * room : own;
  return std::clamp(length, std::min(least, own), std::max(least, most));
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

Layout arrange(glm::vec2 size, float scale, bool chrome, const PanelShares& shares) {
  Layout layout;
  Rect rest{{0.0F, 0.0F}, size};
  if (!chrome) {
    layout.view = rest;
    return layout;
  }
  layout.top = rest.cut_top(whole(kTop, scale));
  const glm::vec2 room{size.x / scale, rest.height() / scale};
  if (room.y < kLowWindow && room.x >= kLeastView + kLeastBeside) {
    const float own = std::clamp(0.42F * room.x, std::min(kSentence, room.x - kLeastView), 620.0F);
    const float width = chosen(shares.beside, room.x, own, kLeastBeside, room.x - kLeastView);
    const float above = chosen(shares.above, room.y, 0.5F * room.y, kLeastAbove,
                               std::max(kLeastAbove, room.y - kLeastSource));
    layout.source = rest.cut_right(whole(width, scale));
    layout.findings = layout.source.cut_top(whole(above, scale));
    layout.view = rest;
    return layout;
  }
  const float timing = std::clamp(0.21F * room.x, kLeastColumn, 340.0F);
  const float ladder = std::clamp(0.16F * room.x, kLeastLadder, 270.0F);
  const bool has_column = room.x >= timing + kLeastView && room.y >= kLeastFindings;
  const bool has_ladder = room.x >= timing + ladder + kLeastView && has_column;
  float column = 0.0F;
  if (has_column) {
    const float others = kLeastView + (has_ladder ? kLeastLadder : 0.0F);
    column = chosen(shares.column, room.x, timing, kLeastColumn, room.x - others);
    layout.findings = rest.cut_right(whole(column, scale));
  }
  if (has_column && room.y >= kLeastTimingHeight + kLeastFindings) {
    const float own = std::clamp(0.42F * room.y, kLeastFindings, 520.0F);
    const float height = chosen(shares.findings, room.y, own, kLeastFindings,
                                std::max(own, room.y - kLeastTimingHeight));
    layout.timing = layout.findings;
    layout.findings = layout.timing.cut_bottom(whole(height, scale));
  }
  if (has_ladder) {
    const float width =
        chosen(shares.ladder, room.x, ladder, kLeastLadder, room.x - column - kLeastView);
    layout.ladder = rest.cut_left(whole(width, scale));
  }
  if (room.y >= kLeastViewHeight + kLeastSource) {
    // In a low window as many lines as the view can spare.
    const float spare = std::min(room.y - kLeastViewHeight, kLowSource);
    const float own = std::clamp(0.31F * room.y, std::max(kLeastSource, spare), 420.0F);
    const float height =
        chosen(shares.source, room.y, own, kLeastSource, room.y - kLeastViewHeight);
    layout.source = rest.cut_bottom(whole(height, scale));
  }
  layout.view = rest;
  return layout;
}

Layout arrange_presented(glm::vec2 size, float scale, bool below, const PanelShares& shares) {
  Layout layout;
  Rect rest{{0.0F, 0.0F}, size};
  layout.top = rest.cut_top(whole(kTop, scale));
  const glm::vec2 room{size.x / scale, rest.height() / scale};
  if (below && room.y >= kLeastViewHeight + kLeastSource) {
    const float own = std::clamp(0.31F * room.y, kLeastSource, 420.0F);
    const float height =
        chosen(shares.source, room.y, own, kLeastSource, room.y - kLeastViewHeight);
    layout.source = rest.cut_bottom(whole(height, scale));
  } else if (!below && room.x >= kLeastView + kLeastBeside) {
    const float own = std::clamp(0.42F * room.x, kLeastBeside, 620.0F);
    const float width = chosen(shares.beside, room.x, own, kLeastBeside, room.x - kLeastView);
    layout.source = rest.cut_right(whole(width, scale));
  }
  layout.view = rest;
  return layout;
}

std::vector<Splitter> splitters(const Layout& layout, glm::vec2 size, float scale) {
  std::vector<Splitter> all;
  const float top = layout.top.high.y;
  const float reach = whole(kGrip, scale);
  const auto upright = [&](float x, const Rect& along, float PanelShares::* share, bool right) {
    all.push_back({.grip = {{x - reach, along.low.y}, {x + reach, along.high.y}},
                   .upright = true,
                   .share = share,
                   .from = right ? size.x : 0.0F,
                   .length = right ? -size.x : size.x});
  };
  const auto level = [&](float y, const Rect& along, float PanelShares::* share, bool below) {
    all.push_back({.grip = {{along.low.x, y - reach}, {along.high.x, y + reach}},
                   .upright = false,
                   .share = share,
                   .from = below ? size.y : top,
                   .length = (below ? -1.0F : 1.0F) * (size.y - top)});
  };
  const bool beside = !layout.source.empty() && layout.source.low.x >= layout.view.high.x;
  if (beside) {
    upright(layout.source.low.x, layout.view, &PanelShares::beside, true);
    if (!layout.findings.empty()) {
      level(layout.source.low.y, layout.source, &PanelShares::above, false);
    }
    return all;
  }
  if (!layout.ladder.empty()) {
    upright(layout.ladder.high.x, layout.ladder, &PanelShares::ladder, false);
  }
  if (!layout.findings.empty()) {
    const Rect column{{layout.findings.low.x, top}, layout.findings.high};
    upright(column.low.x, column, &PanelShares::column, true);
  }
  if (!layout.timing.empty()) {
    level(layout.findings.low.y, layout.findings, &PanelShares::findings, true);
  }
  if (!layout.source.empty()) {
    level(layout.source.low.y, layout.source, &PanelShares::source, true);
  }
  return all;
}

namespace {

// Their places, what matters most first.
std::vector<std::size_t> by_importance(std::span<const BarItem> items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return items[i].importance; });
  return order;
}

// What was dropped before something larger was has room after all, in its shortest form: what
// matters most first.
void bring_back(std::span<const BarItem> items, std::vector<int>& forms, float available,
                float gap) {
  for (const std::size_t i : by_importance(items)) {
    if (forms[i] >= 0 || items[i].widths.empty() || items[i].widths.back() <= 0.0F) {
      continue;
    }
    forms[i] = static_cast<int>(items[i].widths.size()) - 1;
    if (total(items, forms, gap) > available) {
      forms[i] = -1;
    }
  }
}

// What was shortened, and then something larger still had to give way, takes what is left over:
// what matters most first.
void widen(std::span<const BarItem> items, std::vector<int>& forms, float available, float gap) {
  for (const std::size_t i : by_importance(items)) {
    while (forms[i] > 0) {
      --forms[i];
      if (total(items, forms, gap) > available) {
        ++forms[i];
        break;
      }
    }
  }
}

}  // namespace

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
  bring_back(items, forms, available, gap);
  widen(items, forms, available, gap);
  return forms;
}

}  // namespace ui

#include "ui/panels/rungs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/edits.h"

namespace ui {

std::string rung_title(const core::Rung& rung) {
  const std::string& title = rung.title.empty() ? rung.name : rung.title;
  return rung.tile > 0 ? fmt::format("{} {}", title, rung.tile) : title;
}

std::string rung_details(const core::Rung& rung) {
  if (rung.error) {
    return rung.error->message;
  }
  if (!rung.measured) {
    return "not measured yet";
  }
  const core::Spread& s = rung.spread;
  return fmt::format("median {}, p5–p95 {} – {}, {} launches after {} of warm-up",
                     time_text(s.median), time_text(s.p5), time_text(s.p95), s.count, rung.warm_up);
}

std::string rung_absence(const core::Rung& rung) {
  return rung.refused ? "refused" : rung.error ? "not here" : "…";
}

bool is_chosen(const Frame& frame, const core::Rung& rung) {
  const core::Experiment& wanted = frame.state.wanted;
  if (rung.variant != wanted.variant) {
    return false;
  }
  const auto same =
      std::ranges::count(frame.model.result.ladder, rung.variant, &core::Rung::variant);
  return same == 1 || rung.tile == 0 || rung.tile == tile_of(wanted, frame.model.catalogue);
}

void choose(const Frame& frame, const core::Rung& rung) {
  const auto variant = frame.model.catalogue.find(rung.variant);
  if (variant) {
    core::Experiment next = with_variant(frame.state.wanted, *variant);
    next.tile = rung.tile > 0 ? rung.tile : next.tile;
    frame.actions().want(next);
  }
}

std::string ladder_state(const core::Result& result) {
  const auto& ladder = result.ladder;
  if (result.comparing) {
    const auto now = std::ranges::find(ladder, true, &core::Rung::due);
    return now == ladder.end() ? "measuring"
                               : fmt::format("measuring {} of {}, {}", now - ladder.begin() + 1,
                                             ladder.size(), rung_title(*now));
  }
  const auto missing = std::ranges::count_if(
      ladder, [](const core::Rung& rung) { return !rung.measured && !rung.error; });
  if (missing > 0) {
    return fmt::format("{} of {} measured", static_cast<std::ptrdiff_t>(ladder.size()) - missing,
                       ladder.size());
  }
  double warm_up = 0.0;
  for (const core::Rung& rung : ladder) {
    const bool least = rung.measured && (warm_up == 0.0 || rung.warm_up_ms < warm_up);
    warm_up = least ? rung.warm_up_ms : warm_up;
  }
  return warm_up >= 50.0 ? fmt::format("measured, after {:.3g} s of warm-up each", warm_up * 1e-3)
                         : "measured in passing, with hardly any warm-up";
}

void draw_rung_bars(const Frame& frame, const Canvas& canvas, const Rect& area, BarChart chart,
                    const std::function<void(const core::Rung&, BarRow&)>& fill) {
  const auto& ladder = frame.model.result.ladder;
  chart.first_row = frame.state.of<RungRows>().first;
  for (const core::Rung& rung : ladder) {
    BarRow row{.name = rung_title(rung), .chosen = is_chosen(frame, rung), .faint = rung.due};
    if (rung.measured) {
      fill(rung, row);
    } else {
      row.instead = rung_absence(rung);
      row.instead += rung.error ? ": " + rung.error->message : "";
      row.warned = rung.refused;
    }
    chart.rows.push_back(std::move(row));
  }
  const BarHit mouse = draw_bars(canvas, area, chart);
  frame.state.of<RungRows>().first = chart.first_row;
  if (mouse.hovered) {
    ImGui::SetTooltip("%s", rung_details(ladder[*mouse.hovered]).c_str());
  }
  if (mouse.clicked) {
    choose(frame, ladder[*mouse.clicked]);
  }
}

}  // namespace ui

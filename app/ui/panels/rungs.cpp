#include "ui/panels/rungs.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/edits.h"

namespace ui {

namespace {

// By column; the bar's is the ladder's own order.
constexpr std::array<std::string_view, 4> kOrders{"name", "ladder", "time", "speed-up"};

// A second click turns the order round.
void sort_by(RungRows& rows, std::size_t column) {
  rows.falling = rows.order == kOrders[column] && !rows.falling;
  rows.order = kOrders[column];
  rows.first = 0;
}

}  // namespace

std::vector<StateField> RungRows::fields() {
  return {field("compare_order", order, {"ladder", "name", "time", "speed-up"})
              .with_meaning("Compare view: sort the variants by this column"),
          field("compare_falling", falling).with_meaning("Compare view: sort in descending order")};
}

std::vector<std::size_t> ordered_rungs(const std::vector<core::Rung>& ladder,
                                       const RungRows& rows) {
  std::vector<std::size_t> order(ladder.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](std::size_t a, std::size_t b) {
    const core::Rung& x = ladder[a];
    const core::Rung& y = ladder[b];
    if (rows.order == "name") {
      return rung_title(x) < rung_title(y);
    }
    return rows.order == "time"       ? x.spread.median < y.spread.median
           : rows.order == "speed-up" ? x.speedup < y.speedup
                                      : a < b;
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const bool figures = rows.order == "time" || rows.order == "speed-up";
    if (figures && ladder[a].measured != ladder[b].measured) {
      return ladder[a].measured;
    }
    return rows.falling ? before(b, a) : before(a, b);
  });
  return order;
}

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
  const std::string why = unsteady_text(s);
  return fmt::format("median {}, p5–p95 {} – {}, {} launches after {} warm-up launches{}",
                     time_text(s.median), time_text(s.p5), time_text(s.p95), s.count, rung.warm_up,
                     why.empty() ? "" : "\n" + why);
}

std::string rung_speedup(const core::Rung& rung, const std::vector<core::Rung>& ladder) {
  return ratio_of(rung.speedup, rung.spread.unsteady() || ladder.front().spread.unsteady());
}

std::string rung_absence(const core::Rung& rung) {
  return rung.refused ? "refused" : rung.error ? "not possible" : "…";
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
  return warm_up >= 50.0 ? fmt::format("measured, each after {:.3g} s of warm-up", warm_up * 1e-3)
                         : "measured with almost no warm-up";
}

void draw_rung_bars(const Frame& frame, const Canvas& canvas, const Rect& area, BarChart chart,
                    const std::function<void(const core::Rung&, BarRow&)>& fill) {
  const auto& ladder = frame.model.result.ladder;
  RungRows& rows = frame.state.of<RungRows>();
  chart.first_row = rows.first;
  const bool sorts = !chart.heads.empty();
  const RungRows plain;
  const auto order = ordered_rungs(ladder, sorts ? rows : plain);
  chart.sorted = static_cast<std::size_t>(std::ranges::find(kOrders, rows.order) - kOrders.begin());
  chart.falling = rows.falling;
  for (const std::size_t at : order) {
    const core::Rung& rung = ladder[at];
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
  rows.first = chart.first_row;
  if (mouse.hovered) {
    tell(rung_details(ladder[order[*mouse.hovered]]));
  }
  if (mouse.clicked) {
    choose(frame, ladder[order[*mouse.clicked]]);
  }
  if (mouse.head && *mouse.head < kOrders.size()) {
    sort_by(rows, *mouse.head);
  }
}

}  // namespace ui

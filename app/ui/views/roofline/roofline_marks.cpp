// The roofline's plot: axes, ceilings, points.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/panels/rungs.h"
#include "ui/views/roofline/roofline_view.h"

namespace ui {
namespace {

constexpr float kPoint = 0.25F;  // a point's radius, in lines of text
constexpr float kReach = 0.5F;   // of the mouse

// "200 G", "5 T"; `giga` counts 10⁹.
std::string short_rate(double giga) {
  return giga >= 999.5   ? fmt::format("{:g} T", giga * 1e-3)
         : giga >= 0.999 ? fmt::format("{:g} G", giga)
                         : fmt::format("{:g} M", giga * 1e3);
}

// From the left side of the plot up to the flat ceiling.
void draw_slope(const Roofline& r, double gbps, Colour colour) {
  const double ridge = r.ceilings.fma_gflops / gbps;
  const double from = std::max(r.x.low, r.y.low / gbps);
  if (gbps > 0.0 && from < ridge) {
    r.canvas.line(r.pixel(from, from * gbps), r.pixel(ridge, r.ceilings.fma_gflops), colour,
                  r.frame.theme.gap.thin);
  }
}

void draw_ceilings(const Roofline& r) {
  const Clip clip(r.canvas, r.plot);
  const Palette& c = r.frame.theme.colours;
  const double flat = r.ceilings.fma_gflops;
  const double from = flat / std::max(r.ceilings.shared_gbps, r.ceilings.copy_gbps);
  const glm::vec2 left = r.pixel(from, flat);
  r.canvas.line(left, {r.plot.high.x, left.y}, c.text, r.frame.theme.gap.thin);
  draw_slope(r, r.ceilings.shared_gbps, c.shared);
  draw_slope(r, r.ceilings.copy_gbps, c.global);
}

glm::vec2 place_of(const Roofline& r, const RooflinePoint& point) {
  return r.pixel(point.intensity, point.gflops);
}

// The chosen kernel against what it asked of memory: the same height, at other intensities.
void draw_asked(const Roofline& r) {
  const RooflinePoint* point = r.chosen();
  if (point == nullptr) {
    return;
  }
  const Palette& c = r.frame.theme.colours;
  const glm::vec2 right = place_of(r, *point);
  const float radius = 0.33F * r.canvas.line_height();
  const double global = r.result().flops_traced ? 0.0 : r.asked_of_global();  // where the point is
  // The line first: marks lie over it.
  for (const bool marks : {false, true}) {
    for (const auto& [x, colour] :
         {std::pair(global, c.global), std::pair(r.asked_of_shared(), c.shared)}) {
      const glm::vec2 at = x > 0.0 ? r.pixel(x, point->gflops) : right;
      if (marks && x > 0.0) {
        draw_diamond(r.canvas, at, radius + 1.0F, c.background);
        draw_diamond(r.canvas, at, radius, colour);
      } else if (at.x < right.x) {
        r.canvas.line({at.x, std::floor(right.y)}, {right.x, std::floor(right.y)}, c.accent);
      }
    }
  }
}

// Two columns are for many labels: close together.
float label_height(const Roofline& r) {
  return r.columns > 1 ? r.canvas.measure("0", r.canvas.font(pen::text)).y + 1.0F
                       : r.canvas.line_height();
}

// Where labels may lie: below the flat ceiling, if no point is above it.
Rect label_area(const Roofline& r) {
  Rect area = r.plot;
  const double flat = r.ceilings.fma_gflops;
  if (std::ranges::all_of(r.points, [flat](const RooflinePoint& p) { return p.gflops < flat; })) {
    area.cut_top(std::ceil(r.y.pixel(flat) - area.low.y) + r.frame.theme.gap.small);
  }
  return area;
}

// The first column of labels starts so far right of their points.
float beside(const Roofline& r) {
  return 1.1F * r.canvas.line_height();
}

// The most important points that have room for a label, from the top.
std::vector<const RooflinePoint*> labelled(const Roofline& r, float line, float apart) {
  std::vector<const RooflinePoint*> all;
  for (const RooflinePoint& point : r.points) {
    all.push_back(&point);
  }
  std::ranges::stable_sort(all, [](const RooflinePoint* a, const RooflinePoint* b) {
    return a->chosen != b->chosen ? a->chosen : a->gflops > b->gflops;
  });
  const float height = label_area(r).height();
  const auto room = height < line ? 0 : static_cast<std::size_t>((height - line) / apart) + 1;
  if (all.size() > room) {  // and a label that says so
    all.resize(room - std::min(room, static_cast<std::size_t>(r.columns)));
  }
  std::ranges::stable_sort(all, std::greater<>(), &RooflinePoint::gflops);
  return all;
}

// In two columns labels take turns, half a line apart: what leads to the second one passes between
// two of the first.
void draw_label(const Roofline& r, const RooflinePoint& point, float y, int column) {
  const Gaps& gap = r.frame.theme.gap;
  const float half = 0.5F * label_height(r);
  const glm::vec2 at = place_of(r, point);
  const float first = at.x + beside(r);
  const float width = (r.plot.high.x - first) / static_cast<float>(r.columns);
  const float x = first + width * static_cast<float>(column);
  const Colour leader = fade(r.frame.theme.colours.dim, 0.7F);
  const glm::vec2 bend{first - gap.thin, y};
  r.canvas.list().AddLine({at.x + gap.small, at.y}, im(bend), leader, 1.0F);
  if (column > 0) {
    r.canvas.line(bend, {x - gap.thin, y}, leader);
  }
  const float end = column + 1 < r.columns ? x + width - gap.medium : r.plot.high.x;
  const Pen pen = point.chosen ? pen::accent : pen::text;
  const float wide = std::min(r.canvas.width(point.title, pen), end - x);
  r.canvas.fill({{x, y - 0.5F * half}, {x + wide, y + 0.5F * half}},
                r.frame.theme.colours.background);
  r.canvas.write({{x, y - half}, {end, y + half}}, point.title, pen);
}

void draw_labels(const Roofline& r) {
  const Rect area = label_area(r);
  const float line = label_height(r);
  const float apart = line / static_cast<float>(r.columns);
  const auto points = labelled(r, line, apart);
  std::vector<float> wishes;
  for (const RooflinePoint* point : points) {
    wishes.push_back(place_of(r, *point).y);
  }
  const bool all = points.size() == r.points.size();
  const float margin = 0.5F * (line - apart);  // a label is a line high all the same
  const float low = area.low.y + margin;
  const float high = area.high.y - margin - (all ? 0.0F : line);
  const auto places = keep_apart(std::move(wishes), apart, low, high);
  for (std::size_t i = 0; i < points.size(); ++i) {
    draw_label(r, *points[i], places[i], static_cast<int>(i) % r.columns);
  }
  if (!all && !r.points.empty()) {
    const std::string more =
        left_out_words(r.points.size() - points.size()).front() + ": point at a mark";
    r.canvas.write({{place_of(r, r.points.front()).x + beside(r), area.high.y - line}, area.high},
                   more, pen::dim);
  }
}

void draw_points(const Roofline& r) {
  const Palette& c = r.frame.theme.colours;
  const float radius = kPoint * r.canvas.line_height();
  for (const bool chosen : {false, true}) {
    for (const RooflinePoint& point : r.points) {
      if (point.chosen == chosen) {
        r.canvas.dot(place_of(r, point), radius + 1.0F, c.background);
        r.canvas.dot(place_of(r, point), radius, chosen ? c.accent : c.text);
      }
    }
  }
}

std::string numbers_of(const Roofline& r, const RooflinePoint& point) {
  std::string text = fmt::format("{}: {} at {:.3g} flop per byte", point.title,
                                 rate_text(point.gflops, "FLOP/s"), point.intensity);
  text += point.rung ? "\n" + rung_details(r.result().ladder[*point.rung]) : "";
  if (point.precision != core::Precision::fp32) {
    return text + fmt::format("\n{}: the ceiling of float32 multiply-adds does not apply",
                              core::to_string(point.precision));
  }
  const double roof = std::min(point.intensity * r.ceilings.copy_gbps, r.ceilings.fma_gflops);
  return text + fmt::format("\n{:.1f} % of the ceiling at this point, {}",
                            100.0 * point.gflops / roof, rate_text(roof, "FLOP/s"));
}

void take_mouse(const Roofline& r) {
  const Hit mouse = hit("roofline", r.plot);
  if (!mouse.hovered || r.points.empty()) {
    return;
  }
  const glm::vec2 at = vec(ImGui::GetIO().MousePos);
  const auto away = [&](const RooflinePoint& p) {
    const glm::vec2 d = place_of(r, p) - at;
    return d.x * d.x + d.y * d.y;
  };
  const auto nearest = std::ranges::min_element(r.points, {}, away);
  const float reach = kReach * r.canvas.line_height();
  if (away(*nearest) > reach * reach) {
    return;
  }
  tell(numbers_of(r, *nearest));
  if (mouse.clicked && nearest->rung) {
    choose(r.frame, r.result().ladder[*nearest->rung]);
  }
}

}  // namespace

void draw_roofline_plot(const Roofline& r) {
  take_mouse(r);
  draw_axis_below(r.canvas, r.plot, r.x, {.grid = true, .name = "flop per byte"});
  draw_axis_left(r.canvas, r.plot, r.y, {.grid = true, .name = "FLOP/s", .text = short_rate});
  draw_ceilings(r);
  draw_asked(r);
  draw_labels(r);
  draw_points(r);
}

std::vector<float> keep_apart(std::vector<float> wishes, float height, float low, float high) {
  float least = low + 0.5F * height;
  for (float& place : wishes) {  // down, away from the one above
    place = std::max(place, least);
    least = place + height;
  }
  float most = high - 0.5F * height;
  for (auto place = wishes.rbegin(); place != wishes.rend(); ++place) {  // and back up at the end
    *place = std::min(*place, most);
    most = *place - height;
  }
  return wishes;
}

}  // namespace ui

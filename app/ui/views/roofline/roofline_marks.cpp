// The roofline's plot: axes, ceilings, points.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/panels/rungs.h"
#include "ui/views/roofline/roofline_view.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kReach = 9.0F;  // of the mouse, at scale 1

// "200 G", "5 T"; `giga` counts 10⁹.
std::string short_rate(double giga) {
  return giga >= 999.5   ? fmt::format("{:g} T", giga * 1e-3)
         : giga >= 0.999 ? fmt::format("{:g} G", giga)
                         : fmt::format("{:g} M", giga * 1e3);
}

void draw_x_ticks(const Roofline& r) {
  const Theme& theme = r.frame.theme;
  const Rect& plot = r.axes.plot;
  const float top = plot.high.y + theme.px(4);
  float free_from = plot.low.x - theme.px(20);
  const std::string name = "flop per byte";
  const float name_width = r.canvas.measure(name, theme.fonts.text).x + 1.0F;
  const bool named = name_width < 0.4F * plot.width();
  const float last = named ? plot.high.x - name_width - theme.px(10) : plot.high.x;
  for (const double tick : log_ticks(r.axes.x_low, r.axes.x_high)) {
    const float x = r.axes.pixel(tick, r.axes.y_low).x;
    r.canvas.line({x, plot.low.y}, {x, plot.high.y}, fade(theme.colours.line, 0.6F));
    const std::string text = fmt::format("{:g}", tick);
    const float width = r.canvas.measure(text, theme.fonts.mono).x;
    const float left = x - 0.5F * width;
    if (left > free_from && left + width < last) {
      r.canvas.text({left, top}, text, theme.fonts.mono, theme.colours.dim);
      free_from = left + width + theme.px(8);
    }
  }
  if (named) {
    const float line = r.canvas.line_height(theme.fonts.text);
    r.canvas.text_in({{plot.high.x - name_width, top}, {plot.high.x, top + line}}, name,
                     theme.fonts.text, theme.colours.dim);
  }
}

void draw_y_ticks(const Roofline& r) {
  const Theme& theme = r.frame.theme;
  const Rect& plot = r.axes.plot;
  const float line = r.canvas.line_height(theme.fonts.mono);
  float free_to = plot.high.y + line;
  for (const double tick : log_ticks(r.axes.y_low, r.axes.y_high)) {
    const float y = r.axes.pixel(r.axes.x_low, tick).y;
    r.canvas.line({plot.low.x, y}, {plot.high.x, y}, fade(theme.colours.line, 0.6F));
    if (y + 0.5F * line > free_to) {
      continue;
    }
    const std::string text = short_rate(tick);
    const float width = r.canvas.measure(text, theme.fonts.mono).x;
    r.canvas.text({plot.low.x - theme.px(6) - width, y - 0.5F * line}, text, theme.fonts.mono,
                  theme.colours.dim);
    free_to = y - 0.5F * line;
  }
  const float height = r.canvas.line_height(theme.fonts.text);
  r.canvas.text_in(
      {plot.low + glm::vec2(theme.px(6), 0.0F), {plot.centre().x, plot.low.y + height}}, "FLOP/s",
      theme.fonts.text, theme.colours.dim);
}

// From the left side of the plot up to the flat ceiling.
void draw_slope(const Roofline& r, double gbps, Colour colour) {
  const double ridge = r.ceilings.fma_gflops / gbps;
  const double from = std::max(r.axes.x_low, r.axes.y_low / gbps);
  if (gbps > 0.0 && from < ridge) {
    r.canvas.line(r.axes.pixel(from, from * gbps), r.axes.pixel(ridge, r.ceilings.fma_gflops),
                  colour, r.frame.theme.px(2));
  }
}

void draw_ceilings(const Roofline& r) {
  const Palette& c = r.frame.theme.colours;
  const double flat = r.ceilings.fma_gflops;
  const double from = flat / std::max(r.ceilings.shared_gbps, r.ceilings.copy_gbps);
  const glm::vec2 left = r.axes.pixel(from, flat);
  r.canvas.line(left, {r.axes.plot.high.x, left.y}, c.text, r.frame.theme.px(2));
  draw_slope(r, r.ceilings.shared_gbps, c.shared);
  draw_slope(r, r.ceilings.copy_gbps, c.global);
}

glm::vec2 place_of(const Roofline& r, const RooflinePoint& point) {
  return r.axes.pixel(point.intensity, point.gflops);
}

// The chosen kernel against what it asked of memory: the same height, at other intensities.
void draw_asked(const Roofline& r) {
  const RooflinePoint* point = r.chosen();
  if (point == nullptr) {
    return;
  }
  const Theme& theme = r.frame.theme;
  const std::pair<double, Colour> asked[] = {{r.asked_of_global(), theme.colours.global},
                                             {r.asked_of_shared(), theme.colours.shared}};
  const glm::vec2 right = place_of(r, *point);
  float left = right.x;
  for (const auto& [x, colour] : asked) {
    left = x > 0.0 ? std::min(left, r.axes.pixel(x, point->gflops).x) : left;
  }
  if (left < right.x) {
    r.canvas.line({left, std::floor(right.y)}, {right.x, std::floor(right.y)},
                  fade(theme.colours.accent, 0.7F));
  }
  for (const auto& [x, colour] : asked) {
    if (x > 0.0) {
      draw_diamond(r.canvas, r.axes.pixel(x, point->gflops), theme.px(7), theme.colours.background);
      draw_diamond(r.canvas, r.axes.pixel(x, point->gflops), theme.px(6), colour);
    }
  }
}

// Two columns are for many labels: close together.
float label_height(const Roofline& r) {
  ImFont* font = r.frame.theme.fonts.text;
  return r.columns > 1 ? r.canvas.measure("0", font).y + 1.0F : r.canvas.line_height(font);
}

// Where labels may lie: below the flat ceiling, if no point is above it.
Rect label_area(const Roofline& r) {
  Rect area = r.axes.plot;
  const double flat = r.ceilings.fma_gflops;
  if (std::ranges::all_of(r.points, [flat](const RooflinePoint& p) { return p.gflops < flat; })) {
    area.cut_top(std::ceil(r.axes.pixel(r.axes.x_low, flat).y - area.low.y) + r.frame.theme.px(3));
  }
  return area;
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
  const Theme& theme = r.frame.theme;
  const Rect& plot = r.axes.plot;
  const float half = 0.5F * label_height(r);
  const glm::vec2 at = place_of(r, point);
  const float first = at.x + theme.px(22);
  const float width = (plot.high.x - first) / static_cast<float>(r.columns);
  const float x = first + width * static_cast<float>(column);
  const Colour leader = fade(theme.colours.dim, 0.7F);
  const glm::vec2 bend{first - theme.px(3), y};
  r.canvas.list().AddLine({at.x + theme.px(5), at.y}, im(bend), leader, 1.0F);
  if (column > 0) {
    r.canvas.line(bend, {x - theme.px(3), y}, leader);
  }
  const float end = column + 1 < r.columns ? x + width - theme.px(8) : plot.high.x;
  r.canvas.text_in({{x, y - half}, {end, y + half}}, point.title, theme.fonts.text,
                   point.chosen ? theme.colours.accent : theme.colours.text);
}

void draw_labels(const Roofline& r) {
  const Theme& theme = r.frame.theme;
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
        fmt::format("… {} more: point at them", r.points.size() - points.size());
    r.canvas.text_in(
        {{place_of(r, r.points.front()).x + theme.px(22), area.high.y - line}, area.high}, more,
        theme.fonts.text, theme.colours.dim);
  }
}

void draw_points(const Roofline& r) {
  const Theme& theme = r.frame.theme;
  const Palette& c = theme.colours;
  for (const bool chosen : {false, true}) {
    for (const RooflinePoint& point : r.points) {
      if (point.chosen == chosen) {
        r.canvas.dot(place_of(r, point), theme.px(kRooflinePoint) + theme.px(1), c.background);
        r.canvas.dot(place_of(r, point), theme.px(kRooflinePoint), chosen ? c.accent : c.text);
      }
    }
  }
}

void tell_numbers(const Roofline& r, const RooflinePoint& point) {
  const core::Result& result = r.result();
  std::string text = fmt::format("{}: {} at {:.3g} flop per byte", point.title,
                                 rate_text(point.gflops, "FLOP/s"), point.intensity);
  text += point.rung ? "\n" + rung_details(result.ladder[*point.rung]) : "";
  if (point.precision != core::Precision::fp32) {
    text += fmt::format("\n{}: float32's multiply-adds are no ceiling for it",
                        core::to_string(point.precision));
    ImGui::SetTooltip("%s", text.c_str());
    return;
  }
  const double roof = std::min(point.intensity * r.ceilings.copy_gbps, r.ceilings.fma_gflops);
  text += fmt::format("\n{:.1f} % of the ceiling there, {}", 100.0 * point.gflops / roof,
                      rate_text(roof, "FLOP/s"));
  ImGui::SetTooltip("%s", text.c_str());
}

void take_mouse(const Roofline& r) {
  const Hit mouse = hit("roofline", r.axes.plot);
  if (!mouse.hovered || r.points.empty()) {
    return;
  }
  const glm::vec2 at = vec(ImGui::GetIO().MousePos);
  const auto away = [&](const RooflinePoint& p) {
    const glm::vec2 d = place_of(r, p) - at;
    return d.x * d.x + d.y * d.y;
  };
  const auto nearest = std::ranges::min_element(r.points, {}, away);
  const float reach = r.frame.theme.px(kReach);
  if (away(*nearest) > reach * reach) {
    return;
  }
  tell_numbers(r, *nearest);
  if (mouse.clicked && nearest->rung) {
    choose(r.frame, r.result().ladder[*nearest->rung]);
  }
}

}  // namespace

void draw_roofline_plot(const Roofline& r) {
  take_mouse(r);
  draw_x_ticks(r);
  draw_y_ticks(r);
  {
    const Clip clip(r.canvas, r.axes.plot);
    draw_ceilings(r);
  }
  draw_asked(r);
  draw_labels(r);
  draw_points(r);
}

}  // namespace ui

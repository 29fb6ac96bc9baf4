#include "ui/views/extents/extents_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/panels/rungs.h"
#include "ui/views.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kFigure = 0.42F;  // of a panel's width

ExtentWay way_of(const core::Variant& variant, const core::Workload& workload, const Frame& frame) {
  const auto& ladder = frame.model.result.ladder;
  const auto& values = variant.tile.values;
  const std::uint32_t wanted = frame.model.result.experiment.tile;
  ExtentWay way{.variant = &variant};
  way.tile = std::ranges::find(values, wanted) != values.end() ? wanted : variant.tile.preset;
  // The first rung is there at one tile only.
  const auto rung = std::ranges::find_if(
      ladder, [&](const core::Rung& r) { return r.variant == variant.id() && r.tile == way.tile; });
  const auto any =
      rung != ladder.end() ? rung : std::ranges::find(ladder, variant.id(), &core::Rung::variant);
  if (any != ladder.end()) {
    way.rung = &*any;
    way.tile = any->tile;
  }
  way.tiles.extent = workload.extent(frame.model.result.problem.sizes);
  way.tiles.local_size = way.tiles.covers = {way.tile, way.tile, 1};
  way.tiles.truncated = variant.truncated();
  for (const core::LaunchPlan& plan : variant.launches) {
    std::string sections;
    for (const core::Section section : plan.sections) {
      sections += (sections.empty() ? "" : ", ") + core::to_string(section);
    }
    if (const core::Box groups = core::groups_of(plan.sections, way.tiles); groups.count() > 0) {
      way.launches.push_back({sections, groups});
    }
  }
  if (variant.launches.empty()) {
    way.launches.push_back({{}, {{0, 0, 0}, way.tiles.groups()}});
  }
  return way;
}

std::string groups_text(const core::Box& groups) {
  const glm::uvec3 size = groups.size();
  return fmt::format("{} × {}", count_text(size.y), count_text(size.x));
}

std::string launches_text(const ExtentWay& way) {
  if (way.launches.size() == 1 && way.launches.front().sections.empty()) {
    return fmt::format("1 launch: {} workgroups, {}.", groups_text(way.launches.front().groups),
                       way.tiles.truncated ? "rounded down" : "rounded up");
  }
  std::string text =
      way.launches.size() == 1 ? "1 launch: " : fmt::format("{} launches: ", way.launches.size());
  for (const ExtentWay::Part& part : way.launches) {
    text += fmt::format("{}{} of {}", &part == way.launches.data() ? "" : "; ", part.sections,
                        groups_text(part.groups));
  }
  return text + " workgroups.";
}

std::string invocations_text(const ExtentWay& way) {
  const std::uint64_t all = way.tiles.invocations();
  const std::uint64_t idle = all - way.tiles.useful_invocations();
  return fmt::format("{} invocations{}.", count_text(all),
                     idle > 0 ? fmt::format(", {} idle", count_text(idle)) : "");
}

// What is particular about it.
std::string idea_text(const ExtentWay& way) {
  if (way.untiled()) {
    return "No shared memory: an element each, from global to global memory.";
  }
  if (way.divided()) {
    return "Whole tiles ask nothing; what is left over goes to the untiled kernel.";
  }
  if (!way.tiles.truncated) {
    return "Each invocation asks whether it is inside.";
  }
  std::uint64_t cells = 0;
  std::uint64_t workers = 0;
  for (const core::SectionFigures& section : core::sections_of(way.tiles)) {
    const bool edge = section.section != core::Section::middle;
    cells += edge ? section.cells : 0;
    workers += edge ? section.invocations : 0;
  }
  return cells == 0 ? "Whole tiles ask nothing but whether they are at the edge."
                    : fmt::format(
                          "{} cells are left over: {} invocations at the edge do them in addition.",
                          count_text(cells), count_text(workers));
}

struct Times {
  double fastest = 0.0, slowest = 0.0;  // medians, ms; 0: none
};

Times times_of(const std::vector<ExtentWay>& ways) {
  Times times;
  for (const ExtentWay& way : ways) {
    if (way.rung != nullptr && way.rung->measured) {
      const double ms = way.rung->spread.median;
      times.fastest = times.fastest > 0.0 ? std::min(times.fastest, ms) : ms;
      times.slowest = std::max(times.slowest, ms);
    }
  }
  return times;
}

// The title, its time, and a bar as long as the time.
void draw_head(const Canvas& canvas, Rect& rest, const ExtentWay& way, const Times& times) {
  const Theme& theme = canvas.theme();
  const Palette& c = theme.colours;
  Rect line = rest.cut_top(canvas.line_height(theme.fonts.title));
  const bool measured = way.rung != nullptr && way.rung->measured;
  const double ms = measured ? way.rung->spread.median : 0.0;
  const bool best = measured && ms <= times.fastest;
  const std::string time = measured              ? time_text(ms)
                           : way.rung != nullptr ? rung_absence(*way.rung)
                                                 : "not measured";
  const Rect right = line.cut_right(canvas.measure(time, theme.fonts.mono).x + theme.px(2));
  canvas.text_in(right, time, theme.fonts.mono, best ? c.accent : c.text, Align::right);
  line.cut_right(theme.px(8));
  canvas.text_in(line, fmt::format("{} {}", way.variant->title, way.tile), theme.fonts.title,
                 c.text);
  Rect bar = rest.cut_top(theme.px(5)).inset(0.0F, theme.px(1));
  canvas.fill(bar, fade(c.line, 0.6F));
  if (measured && times.slowest > 0.0) {
    bar.high.x = bar.low.x + bar.width() * static_cast<float>(ms / times.slowest);
    canvas.fill(bar, best ? c.accent : c.dim);
  }
  rest.cut_top(theme.px(6));
}

void draw_way(const Frame& frame, const Canvas& canvas, const Rect& area, const ExtentWay& way,
              const Times& times) {
  const Theme& theme = frame.theme;
  const Hit mouse = hit(way.variant->name.c_str(), area);
  if (way.rung != nullptr && is_chosen(frame, *way.rung)) {
    canvas.fill({area.low, {area.low.x + theme.px(3), area.high.y}}, theme.colours.accent);
  }
  Rect rest = area.inset(theme.px(12), theme.px(4));
  draw_head(canvas, rest, way, times);
  const float side = std::min(kFigure * rest.width(), rest.height());
  draw_extent_figure(canvas, rest.cut_left(side), way);
  rest.cut_left(theme.px(12));
  for (const std::string& text : {launches_text(way), invocations_text(way), idea_text(way)}) {
    rest.cut_top(canvas.wrapped(rest, text, theme.fonts.text, theme.colours.dim));
    rest.cut_top(theme.px(3));
  }
  if (mouse.hovered && way.rung != nullptr) {
    ImGui::SetTooltip("%s", rung_details(*way.rung).c_str());
  }
  if (mouse.clicked && way.rung != nullptr) {
    choose(frame, *way.rung);
  }
}

// The meaning of the colours, as many as there is room for.
void draw_colours(const Canvas& canvas, Rect line) {
  const Theme& theme = canvas.theme();
  const Palette& c = theme.colours;
  const std::pair<const char*, Colour> keys[] = {{"through shared memory", c.shared},
                                                 {"global memory only", c.global},
                                                 {"in addition, by the edge", c.edge},
                                                 {"idle", c.idle}};
  for (const auto& [word, colour] : keys) {
    const float width = canvas.measure(word, theme.fonts.text).x + 1.0F;
    if (line.width() < width + theme.px(34)) {
      return;
    }
    const Rect strip = line.cut_left(theme.px(12));
    const Rect box = strip.inset(0.0F, 0.5F * (strip.height() - theme.px(12)));
    if (colour == c.idle) {
      canvas.stripes(box, colour);
    } else {
      canvas.fill(box, fade(colour, 0.75F));
    }
    line.cut_left(theme.px(6));
    canvas.text_in(line.cut_left(width), word, theme.fonts.text, c.dim);
    line.cut_left(theme.px(16));
  }
}

void draw_foot(const Frame& frame, const Canvas& canvas, Rect rest,
               const std::vector<ExtentWay>& ways) {
  const Theme& theme = frame.theme;
  const float line = canvas.line_height(theme.fonts.text);
  draw_colours(canvas, rest.cut_top(line));
  canvas.text_in(rest.cut_top(line), figure_note(ways.back()), theme.fonts.text, theme.colours.dim);
  const core::Result& result = frame.model.result;
  const std::string how = "times: measured, median; " + ladder_state(result) +
                          (result.device.emulated() ? "; emulated: not a GPU's" : "");
  canvas.text_in(rest.cut_top(line), how, theme.fonts.text,
                 result.device.emulated() ? theme.colours.accent : theme.colours.dim);
}

}  // namespace

std::vector<ExtentWay> extent_ways(const Frame& frame) {
  std::vector<ExtentWay> ways;
  const core::WorkloadPtr& workload = frame.model.result.work;
  if (!workload) {
    return ways;
  }
  for (const core::Variant& variant : frame.model.catalogue.of(workload->name())) {
    if (!variant.extent.empty() && !variant.broken) {
      ways.push_back(way_of(variant, *workload, frame));
    }
  }
  return ways;
}

namespace {

void draw_extents(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  const core::Result& result = frame.model.result;
  const Rect title = title_line(frame, canvas, area);
  Rect rest{{title.low.x, title.high.y + theme.px(6)}, area.high - theme.px(12)};
  const auto ways = extent_ways(frame);
  if (ways.empty() || result.problem.sizes.size() < 2) {
    return nothing_yet(canvas, rest,
                       "Ways of dealing with a size that tiles do not divide appear here, as soon "
                       "as a kernel is compiled.");
  }
  const core::Sizes& sizes = result.problem.sizes;
  const std::string what = fmt::format("Four ways to launch {} × {}, {} elements", sizes[0],
                                       sizes[1], count_text(std::uint64_t{sizes[0]} * sizes[1]));
  canvas.text_in(title, what, theme.fonts.text, theme.colours.text);
  const float foot = 3.0F * canvas.line_height(theme.fonts.text) + theme.px(4);
  Rect below = rest.cut_bottom(foot);
  draw_foot(frame, canvas, below.inset(theme.px(12), 0.0F), ways);
  rest.cut_bottom(theme.px(6));
  const Times times = times_of(ways);
  const std::size_t rows = (ways.size() + 1) / 2;
  const float least = canvas.line_height(theme.fonts.title) + theme.px(20);
  const float height = std::max(std::floor(rest.height() / static_cast<float>(rows)), least);
  const float width = std::floor(0.5F * rest.width());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const glm::vec2 low =
        rest.low + glm::vec2(static_cast<float>(i % 2) * width, static_cast<float>(i / 2) * height);
    if (low.y + least > rest.high.y + 1.0F) {
      break;
    }
    draw_way(frame, canvas, {low, low + glm::vec2(width, height - theme.px(8))}, ways[i], times);
  }
}

bool has_extents(const core::Result& result) {
  return result.work && result.work->tells_sections();
}

}  // namespace

CentreView extents_row() {
  return {.name = "extents", .there = has_extents, .draw = draw_extents, .needs = [](ViewStates&) {
            return core::Steps{core::Step::ladder};
          }};
}

}  // namespace ui

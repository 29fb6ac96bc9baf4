#include "ui/views/extents/extents_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/panels/rungs.h"
#include "ui/views.h"
#include "ui/widgets/legend.h"
#include "ui/widgets/view_head.h"

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
    return "No shared memory: each invocation moves one element.";
  }
  if (way.divided()) {
    return "Whole tiles need no checks; the untiled kernel moves the rest.";
  }
  if (!way.tiles.truncated) {
    return "Each invocation checks that its element exists.";
  }
  std::uint64_t cells = 0;
  std::uint64_t workers = 0;
  for (const core::SectionFigures& section : core::sections_of(way.tiles)) {
    const bool edge = section.section != core::Section::middle;
    cells += edge ? section.cells : 0;
    workers += edge ? section.invocations : 0;
  }
  return cells == 0 ? "Whole tiles only check whether they are at the edge."
                    : fmt::format("{} invocations at the edge also move the {} remaining cells.",
                                  count_text(workers), count_text(cells));
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
void draw_head(Stack& stack, const ExtentWay& way, const Times& times) {
  const Palette& c = stack.theme().colours;
  const bool measured = way.rung != nullptr && way.rung->measured;
  const double ms = measured ? way.rung->spread.median : 0.0;
  const bool best = measured && ms <= times.fastest;
  Strip line{stack.canvas, stack.lines(1.0F, pen::title)};
  line.right(measured              ? time_text(ms)
             : way.rung != nullptr ? rung_absence(*way.rung)
                                   : "not measured",
             pen::mono.in(best ? c.accent : c.text));
  const std::string& title = way.variant->title;
  const std::string word = title.substr(0, title.find(' '));
  line.fitting({fmt::format("{} {}", title, way.tile), fmt::format("{} {}", word, way.tile), word},
               pen::title);
  Rect bar = stack.rest.cut_top(stack.theme().gap.thin);
  stack.canvas.fill(bar, fade(c.line, 0.6F));
  if (measured && times.slowest > 0.0) {
    const auto share = static_cast<float>(ms / times.slowest);
    stack.canvas.fill(bar.cut_left(share * bar.width()), best ? c.accent : c.dim);
  }
  stack.gap(stack.theme().gap.medium);
}

void draw_way(const Frame& frame, const Canvas& canvas, const Rect& area, const ExtentWay& way,
              const Times& times) {
  const Gaps& gap = frame.theme.gap;
  const Hit mouse = hit(way.variant->name.c_str(), area);
  if (way.rung != nullptr && is_chosen(frame, *way.rung)) {
    canvas.fill(Rect(area).cut_left(gap.thin), frame.theme.colours.accent);
  }
  Stack stack{canvas, area.inset(gap.medium, gap.small)};
  draw_head(stack, way, times);
  const float side = std::min(kFigure * stack.rest.width(), stack.rest.height());
  draw_extent_figure(canvas, stack.rest.cut_left(side), way);
  stack.rest.cut_left(gap.medium);
  for (const std::string& text : {launches_text(way), invocations_text(way), idea_text(way)}) {
    stack.wrap(text, pen::dim);
    stack.gap(gap.small);
  }
  if (mouse.hovered && way.rung != nullptr) {
    tell(rung_details(*way.rung));
  }
  if (mouse.clicked && way.rung != nullptr) {
    choose(frame, *way.rung);
  }
}

bool divides(const ExtentWay& way) {
  const glm::uvec3 rest = way.tiles.extent % way.tiles.covers;
  return rest.x == 0 && rest.y == 0;
}

// Where tiles divide the size: that this is why the ways look alike, and where they don't.
Wordings foot_words(const Frame& frame, const std::vector<ExtentWay>& ways) {
  const std::string note = figure_note(ways.back());
  if (!std::ranges::all_of(ways, divides)) {
    return {note};
  }
  const core::Sizes& sizes = frame.model.result.problem.sizes;
  const std::string other =
      fmt::format("{} × {}", std::max(sizes[0], 2U) - 1, std::max(sizes[1], 2U) - 1);
  const std::string why = "This size is a multiple of the tile size, so nothing is left over";
  return {why + ", and the methods differ only in their checks. Try " + other +
              " to see the differences (Shift+M: type a size)",
          why + "; the methods differ at " + other + " (Shift+M)", why + "; try " + other,
          "Nothing is left over"};
}

void draw_foot(const Frame& frame, Stack stack, const std::vector<ExtentWay>& ways) {
  const Palette& c = frame.theme.colours;
  std::vector<LegendItem> items{
      {mark::fill(fade(c.shared, 0.75F)), "through shared memory", "shared", 4},
      {mark::fill(fade(c.global, 0.75F)), "global memory only", "global", 3}};
  if (!std::ranges::all_of(ways, divides)) {
    items.push_back({mark::fill(fade(c.edge, 0.75F)), "moved by the edge invocations", "edge", 2});
    items.push_back({mark::stripes(c.idle), "idle", "", 1});
  }
  draw_legend(stack.canvas, frame.textures, stack.lines(), items);
  stack.fitting(foot_words(frame, ways), pen::dim);
  const core::Result& result = frame.model.result;
  stack.fitting(measured_words(result, "times: measured, median; " + ladder_state(result)),
                result.device.emulated() ? pen::accent : pen::dim);
}

// The catalogue's, in ladder order, at the wanted tile where they are made for it.
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

std::string nothing(const Frame& frame) {
  return extent_ways(frame).empty() || frame.model.result.problem.sizes.size() < 2
             ? "Methods for sizes that are not a multiple of the tile size appear here after a "
               "kernel is compiled."
             : "";
}

void draw_extents(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Gaps& gap = frame.theme.gap;
  const auto ways = extent_ways(frame);
  const core::Sizes& sizes = frame.model.result.problem.sizes;
  const std::string what = fmt::format("Four ways to launch {} × {}", sizes[0], sizes[1]);
  const std::uint64_t elements = std::uint64_t{sizes[0]} * sizes[1];
  Stack stack = draw_view_head(
      frame, canvas, area,
      {.title = {fmt::format("{}, {} elements", what, count_text(elements)), what, "Four ways"}});
  draw_foot(frame, {canvas, stack.rest.cut_bottom(3.0F * canvas.line_height())}, ways);
  stack.rest.cut_bottom(gap.small);
  const Times times = times_of(ways);
  const std::size_t rows = (ways.size() + 1) / 2;
  const Rect& rest = stack.rest;
  const float least = canvas.line_height(pen::title) + canvas.line_height();
  const float height = std::max(std::floor(rest.height() / static_cast<float>(rows)), least);
  const float width = std::floor(0.5F * rest.width());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const glm::vec2 low =
        rest.low + glm::vec2(static_cast<float>(i % 2) * width, static_cast<float>(i / 2) * height);
    if (low.y + least > rest.high.y + 1.0F) {
      break;
    }
    draw_way(frame, canvas, {low, low + glm::vec2(width, height - gap.medium)}, ways[i], times);
  }
}

bool has_extents(const core::Result& result) {
  return result.work && result.work->tells_sections();
}

}  // namespace

CentreView extents_row() {
  return {.name = "extents",
          .answers = "What happens with sizes that are not a multiple of the tile size?",
          .manual = {.chapter = "Extents"},
          .there = has_extents,
          .draw = draw_extents,
          .nothing = nothing,
          .needs = [](ViewStates&) { return core::Steps{core::Step::ladder}; }};
}

}  // namespace ui

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/canvas/format.h"
#include "ui/views/timeline/playback.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/widgets/legend.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kMostOfArea = 0.4F;  // what words may take
constexpr std::size_t kSlowestShown = 4;
constexpr const char* kHow = "instrumented";
constexpr double kFilled = 0.9;  // of a launch: where tiles ran for less, it is told

std::string place_words(glm::uvec3 group) {
  return fmt::format("({}, {}, {})", group.x, group.y, group.z);
}

std::string slowest_words(const core::Timeline& t, const core::TileMap& tiles, std::size_t most) {
  std::string text;
  const auto& slowest = t.figures.slowest;
  for (const std::uint32_t tile : std::span(slowest).first(std::min(slowest.size(), most))) {
    text += fmt::format("{}{} {}", text.empty() ? "slowest tiles: " : ", ",
                        place_words(tiles.group_at(tile)), time_text(t.duration_ms(tile)));
  }
  return text;
}

// The axis has but the time in which tiles ran.
std::string ran_words(const core::Timeline& t) {
  const double ran = t.ms(t.figures.last - t.figures.first);
  return ran >= kFilled * t.figures.launch_ms
             ? ""
             : fmt::format("tiles ran for {} of the {} of the launch", time_text(ran),
                           time_text(t.figures.launch_ms));
}

// Remarks that a reader needs to understand the picture; empty for most launches.
std::vector<std::string> lines_of(const core::Timeline& t) {
  std::vector<std::string> lines;
  if (std::string ran = ran_words(t); !ran.empty()) {
    lines.push_back(std::move(ran));
  }
  if (t.launches > 1) {
    lines.push_back(
        fmt::format("{} launches in sequence, without the time between them", t.launches));
  } else if (t.slices.size() > 1) {
    lines.push_back(
        fmt::format("run in {} slices, without the time between them", t.slices.size()));
  }
  lines.insert(lines.end(), t.incomplete.begin(), t.incomplete.end());
  return lines;
}

// A number, what it is, and the sentence beside the mouse.
struct Figure {
  std::string value, name, sentence;
};

std::vector<Figure> figures_of(const core::Timeline& t, const core::TileMap& tiles) {
  const core::TimelineFigures& f = t.figures;
  const core::TimelineWords words = core::words_of(t);
  const double tail = f.launch_ms > 0.0 ? 100.0 * f.tail_ms / f.launch_ms : 0.0;
  return {
      {count_text(f.resident), "tiles at once",
       t.tells_multiprocessor ? words.resident
                              : words.resident + "; multiprocessor: not reported by this device"},
      {count_text(f.waves), f.waves == 1 ? "wave" : "waves", words.waves},
      {fmt::format("{:.1f} %", tail), "tail", words.tail},
      {time_text(f.duration_ms.median), "a tile, median",
       words.duration + "; " + slowest_words(t, tiles, kSlowestShown)}};
}

// Beside each other, in as many rows as they need.
void draw_figures(const Canvas& canvas, Stack& stack, const std::vector<Figure>& figures) {
  const Gaps& gap = canvas.theme().gap;
  float width = 0.0F;
  for (const Figure& figure : figures) {
    width = std::max({width, canvas.width(figure.name), canvas.width(figure.value, pen::title)});
  }
  width += gap.huge;
  const auto most = static_cast<std::size_t>(
      std::clamp(stack.rest.width() / width, 1.0F, static_cast<float>(figures.size())));
  const std::size_t columns = most == 3 ? 2 : most;
  const float slot = std::min(stack.rest.width() / static_cast<float>(columns), 1.6F * width);
  for (std::size_t first = 0; first < figures.size(); first += columns) {
    const float high = canvas.line_height(pen::title) + canvas.line_height();
    Rect row = stack.rest.cut_top(std::round(high));
    for (std::size_t i = first; i < std::min(first + columns, figures.size()); ++i) {
      Stack own{canvas, row.cut_left(slot)};
      const Rect whole = own.rest;
      own.say(figures[i].value, pen::title);
      own.say(figures[i].name, pen::dim);
      if (hit(figures[i].name.c_str(), whole).hovered) {
        tell(figures[i].sentence);
      }
    }
  }
}

TileCard card_of(const TimelineScene& scene) {
  const core::TileMap& tiles = scene.frame.model.result.tiles;
  TileCard card;
  card.title =
      fmt::format("workgroup {}, {} of {}", place_words(tiles.group_at(*scene.tile)),
                  count_text(*scene.tile + std::uint64_t{1}), count_text(tiles.group_count()));
  card.lines = timeline_lines(scene.timeline, *scene.tile);
  return card;
}

// Beside the bar, on whichever side there is room.
Rect beside(const Rect& bar, glm::vec2 size, const Rect& room, float gap) {
  const bool right = bar.high.x + gap + size.x <= room.high.x;
  const bool left = bar.low.x - gap - size.x >= room.low.x;
  glm::vec2 at{right  ? bar.high.x + gap
               : left ? bar.low.x - gap - size.x
                      : room.high.x - size.x,
               bar.high.y + gap};
  if (at.y + size.y > room.high.y) {
    at.y = bar.low.y - gap - size.y;
  }
  at = glm::floor(glm::clamp(at, room.low, glm::max(room.high - size, room.low)));
  return {at, at + size};
}

}  // namespace

std::vector<TileCard::Line> timeline_lines(const core::Timeline& timeline, std::uint64_t tile) {
  const core::TimelineTile& t = timeline.tiles[tile];
  return {
      {"ran", fmt::format("{:.4f}–{:.4f} ms", timeline.ms(t.start), timeline.ms(t.end))},
      {"took", time_text(timeline.duration_ms(tile)) + ", instrumented"},
      {"started as", fmt::format("{} of {}", count_text(timeline.order[tile] + std::uint64_t{1}),
                                 count_text(timeline.tiles.size()))},
      {"on", timeline.tells_multiprocessor
                 ? fmt::format("multiprocessor {}, warp slot {}", t.multiprocessor, t.warp)
                 : "not reported by this device"}};
}

Stack draw_timeline_words(const Frame& frame, const Canvas& canvas, const core::Timeline& timeline,
                          const Rect& area) {
  Stack stack =
      draw_view_head(frame, canvas, area,
                     {.title = {"Timeline"},
                      .pen = pen::title,
                      .note = {fmt::format("{} tiles in {}", count_text(timeline.tiles.size()),
                                           time_text(timeline.figures.launch_ms))}});
  const std::string moment = played_words(frame, timeline);
  const Rect line = stack.lines();
  canvas.write(line,
               fmt::format("{}: {}", kHow, moment.empty() ? "times of a separate run" : moment));
  explain(canvas, {line.low, {line.low.x + canvas.width(kHow), line.high.y}}, kHow);
  draw_figures(canvas, stack, figures_of(timeline, frame.model.result.tiles));
  Stack words{canvas, stack.rest};
  words.rest.high.y -= (1.0F - kMostOfArea) * stack.rest.height();
  for (const std::string& text : lines_of(timeline)) {
    words.wrap(text, pen::dim);
  }
  stack.gap(words.rest.low.y - stack.rest.low.y + frame.theme.gap.small);
  return stack;
}

void draw_pointed_bar(const TimelineScene& scene) {
  if (!scene.tile) {
    return;
  }
  const Gaps& gap = scene.frame.theme.gap;
  const Rect& plot = scene.plot();
  const Rect bar = rect_of(scene.camera, scene.timeline, *scene.tile).at_least(gap.small);
  if (!bar.overlaps(plot)) {
    return;
  }
  {
    const Clip clip(scene.canvas, plot.inset(-gap.small, -gap.small));
    scene.canvas.frame(bar.inset(-2.0F * gap.thin, -2.0F * gap.thin), rgb(0x000000), gap.thin);
    scene.canvas.frame(bar.inset(-gap.thin, -gap.thin), rgb(0xFFFFFF), gap.thin);
  }
  TileCard card = card_of(scene);
  const glm::vec2 size = measure_card(scene.canvas, plot, card);
  card.rect = beside(bar.clipped(plot), size, plot, gap.medium);
  draw_card(scene.canvas, card);
}

void draw_timeline_legend(const TimelineScene& scene, const Rect& strip) {
  const TileScale scale(scene.timeline, scene.colours());
  draw_legend(scene.canvas, scene.frame.textures, strip, {legend_scale(scale.words())},
              "Y: colours, P: play back, wheel: zoom (Shift: rows)");
}

}  // namespace ui

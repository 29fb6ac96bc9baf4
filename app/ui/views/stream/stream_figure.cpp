// What the stream view draws: lanes of spans, and C. Both are textures, painted when a snapshot or
// their size has changed, so that a hundred thousand spans cost no more than ten.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "ui/canvas/colormap.h"
#include "ui/canvas/format.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/views/stream/stream_view.h"
#include "ui/widgets/axis.h"

namespace ui {
namespace {

using core::StreamStage;

constexpr std::array kStages{StreamStage::upload, StreamStage::compute, StreamStage::download};
constexpr std::array kNames{"upload", "compute", "download"};
constexpr std::size_t kRows = kStages.size();
constexpr float kLeastLane = 1.2F;  // in lines of text
constexpr float kMostRow = 2.0F;

std::uint64_t painted_as(const StreamScene& scene, std::uint32_t width, std::uint32_t height) {
  return (scene.version << 32U | std::uint64_t{width} << 16U | height) * 2 + scene.theme().dark;
}

// A row of texels: as opaque as the stage was busy in each one's time. The end of a span is a
// little darker, so that one can be told from the next.
void paint_row(const StreamScene& scene, const core::StreamLane& lane, StreamStage stage,
               std::span<std::uint32_t> row) {
  const double step = scene.duration() / static_cast<double>(row.size());
  std::vector<float> busy(row.size(), 0.0F);
  std::vector<Colour> colours(row.size(), 0);
  for (const core::StreamSpan& span : lane.spans) {
    if (span.stage != stage) {
      continue;
    }
    const double first = std::max(span.start_ms / step, 0.0);
    const double last = std::min(span.end_ms / step, static_cast<double>(row.size()));
    const Colour colour = stage == StreamStage::compute ? moment_colour(scene, span.end_ms)
                                                        : scene.theme().colours.global;
    for (auto x = static_cast<std::size_t>(first); static_cast<double>(x) < last; ++x) {
      const double share =
          std::min(last, static_cast<double>(x + 1)) - std::max(first, static_cast<double>(x));
      busy[x] += static_cast<float>(std::max(share, 0.0));
      colours[x] = colour;
    }
    if (const auto end = static_cast<std::size_t>(last); last - first > 4.0 && end > 0) {
      busy[end - 1] *= 0.55F;
    }
  }
  for (std::size_t x = 0; x < row.size(); ++x) {
    // What is there at all can be seen.
    row[x] = busy[x] > 0.0F ? fade(colours[x], std::clamp(busy[x], 0.3F, 1.0F)) : 0;
  }
}

Image paint_lanes(const StreamScene& scene, std::uint32_t width) {
  const auto& lanes = scene.report.lanes;
  Image image{width, static_cast<std::uint32_t>(kRows * lanes.size()), {}};
  image.rgba.resize(std::size_t{image.width} * image.height);
  for (std::size_t i = 0; i < image.height; ++i) {
    paint_row(scene, lanes[i / kRows], kStages[i % kRows],
              std::span(image.rgba).subspan(i * width, width));
  }
  return image;
}

// Which rows are a device's may be what a lesson asks.
Wordings lane_words(const StreamScene& scene, std::size_t i) {
  const core::StreamLane& lane = scene.report.lanes[i];
  const core::StreamShare& share = scene.report.plan->shares[i];
  const std::string number = std::to_string(i);
  const std::string device = lane.device.substr(0, lane.device.find(" ("));
  if (share.jobs.empty()) {
    return {fmt::format("{} {}: no rows", number, device), number + ": no rows"};
  }
  const std::string blocks = fmt::format("{} of {} blocks", lane.jobs_home, share.jobs.size());
  const bool told = scene.frame.state.of<LessonState>().open();
  const std::string rows =
      told ? fmt::format("rows {} to {}", share.rows.first, share.rows.first + share.rows.count - 1)
           : blocks;
  const std::string part = told ? rows + ", " + blocks : blocks;
  const std::string whole = fmt::format("{} {}: {}", number, lane.device, part);
  const double busy = lane.figures.compute_ms / scene.duration();
  return {lane.spans.empty()
              ? whole
              : fmt::format("{}; computing {:.0f}% of the time", whole, 100.0 * busy),
          whole, fmt::format("{} {}: {}", number, device, part),
          fmt::format("{} {}: {}", number, device, rows), number + ": " + rows};
}

// What a stage moved or how long it worked, at the right of its row.
std::string stage_words(const core::StreamLane& lane, StreamStage stage) {
  const core::StreamFigures& f = lane.figures;
  if (stage == StreamStage::compute) {
    return time_text(f.compute_ms);
  }
  const bool up = stage == StreamStage::upload;
  return bytes_text(static_cast<double>(up ? f.uploaded : f.downloaded));
}

// The stages' names come before the lane's own.
bool has_caption(const Canvas& canvas, float lane) {
  return lane > (kRows + 1) * canvas.line_height();
}

// Of a stage in a lane so high; its name needs a line of text.
float row_height(const Canvas& canvas, float lane) {
  const float rest = lane - (has_caption(canvas, lane) ? canvas.line_height() : 0.0F);
  return std::floor(std::min(rest / kRows, kMostRow * canvas.line_height()));
}

// Where a lane has no caption each of its rows says whose it is.
std::string row_name(bool captioned, std::size_t lane, std::size_t row) {
  return captioned ? kNames[row] : fmt::format("{} {}", lane, kNames[row]);
}

void draw_lane(const StreamScene& scene, std::size_t i, const Rect& area, const Rect& plot,
               ImTextureID texture) {
  const Canvas& canvas = scene.canvas;
  Stack stack{canvas, area};
  const float height = row_height(canvas, area.height());
  const bool captioned = has_caption(canvas, area.height());
  if (captioned) {
    stack.fitting(lane_words(scene, i));
  } else if (height < canvas.line_height()) {
    canvas.write({area.low, {plot.low.x, area.high.y}}, fmt::format("device {}", i), pen::dim);
  }
  const auto count = static_cast<float>(scene.report.lanes.size() * kRows);
  for (std::size_t s = 0; s < kRows; ++s) {
    const Rect row = stack.rest.cut_top(height);
    const float inset = height > 6.0F ? 1.0F : 0.0F;
    const Rect bar = Rect{{plot.low.x, row.low.y}, {plot.high.x, row.high.y}}.inset(0.0F, inset);
    canvas.fill(bar, scene.theme().colours.surface);
    const auto at = static_cast<float>(i * kRows + s);
    // The middle of the texture's row.
    canvas.image(texture, bar, {0.0F, (at + 0.5F) / count}, {1.0F, (at + 0.5F) / count});
    if (height >= canvas.line_height()) {
      canvas.write(row, row_name(captioned, i, s), pen::dim);
      canvas.write(row, stage_words(scene.report.lanes[i], kStages[s]), pen::mono_dim,
                   Align::right);
    }
  }
}

// Where in its list the stretch is that each of so many texels lies in; −1: a line between two.
std::vector<int> places(const std::vector<core::Stretch>& parts, std::uint32_t whole,
                        std::uint32_t first, std::uint32_t last, std::uint32_t texels) {
  std::vector<int> found(texels, -1);
  std::size_t part = 0;
  for (std::uint32_t t = first; t < last; ++t) {
    const auto cell = static_cast<std::uint32_t>(std::uint64_t{whole} * (2 * std::uint64_t{t} + 1) /
                                                 (2 * std::uint64_t{texels}));
    const std::size_t before = part;
    while (part + 1 < parts.size() && cell >= parts[part + 1].first) {
      ++part;
    }
    const bool wide = parts.size() * 4 < last - first;
    found[t] = wide && part != before ? -1 : static_cast<int>(part);
  }
  return found;
}

// The tiles of one device's rows.
void paint_share(const StreamScene& scene, std::size_t i, Image& image) {
  const core::StreamPlan& plan = *scene.report.plan;
  const core::StreamShare& share = plan.shares[i];
  const core::StreamLane& lane = scene.report.lanes[i];
  if (share.jobs.empty()) {
    return;
  }
  std::vector<double> done(share.strips.size() * share.panels.size(), -1.0);
  for (const core::StreamSpan& span : lane.spans) {
    if (span.stage == StreamStage::compute && span.part < share.jobs.size()) {
      const core::StreamJob& job = share.jobs[span.part];
      done[job.strip * share.panels.size() + job.panel] = span.end_ms;
    }
  }
  const auto texel = [&](std::uint32_t row) {
    return static_cast<std::uint32_t>(std::uint64_t{row} * image.height / plan.work.m);
  };
  const auto rows = places(share.strips, plan.work.m, texel(share.rows.first),
                           texel(share.rows.first + share.rows.count), image.height);
  const auto columns = places(share.panels, plan.work.n, 0, image.width, image.width);
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; rows[y] >= 0 && x < columns.size(); ++x) {
      if (columns[x] < 0) {
        continue;
      }
      const double ms = done[static_cast<std::size_t>(rows[y]) * share.panels.size() +
                             static_cast<std::size_t>(columns[x])];
      image.rgba[y * image.width + x] =
          ms < 0.0 ? scene.theme().colours.surface : moment_colour(scene, ms);
    }
  }
}

}  // namespace

Colour moment_colour(const StreamScene& scene, double ms) {
  return viridis(static_cast<float>(ms / scene.duration()));
}

float named_lanes_height(const StreamScene& scene) {
  const Canvas& canvas = scene.canvas;
  const float line = canvas.line_height();
  const float lane = (kRows + 1) * line + 2.0F * scene.theme().gap.thin + 1.0F;
  return axis_height(canvas) + line + static_cast<float>(scene.report.lanes.size()) * lane;
}

void draw_stream_lanes(const StreamScene& scene, Rect area) {
  const Canvas& canvas = scene.canvas;
  const Gaps& gap = scene.theme().gap;
  const float line = canvas.line_height();
  float room = std::max(area.height() - axis_height(canvas) - line, 0.0F);
  const auto shown =
      std::min(scene.report.lanes.size(), static_cast<std::size_t>(room / (kLeastLane * line)));
  Rect plot = area;
  plot.cut_left(canvas.width(row_name(false, 0, kRows - 1)) + gap.medium);
  plot.cut_right(canvas.width("1023.0 MiB", pen::mono) + gap.medium);
  if (plot.width() < 3.0F * line || shown == 0) {
    return;
  }
  const auto texels = static_cast<std::uint32_t>(plot.width());
  const ImTextureID texture = scene.frame.textures.image(
      "stream lanes", painted_as(scene, texels, 0), [&] { return paint_lanes(scene, texels); });
  const auto lane = [&] {
    return std::min(room / static_cast<float>(shown), (1.5F + kRows * kMostRow) * line);
  };
  const bool told = row_height(canvas, lane() - 2.0F * gap.thin) < line &&
                    room >= (1.0F + kLeastLane * static_cast<float>(shown)) * line;
  room -= told ? line : 0.0F;  // for the names that have no room beside their rows
  const float height = lane();
  for (std::size_t i = 0; i < shown; ++i) {
    draw_lane(scene, i, area.cut_top(height).inset(0.0F, gap.thin), plot, texture);
  }
  plot.high.y = area.low.y;
  draw_axis_below(canvas, plot, {0.0, scene.duration(), plot.low.x, plot.high.x});
  const float y = plot.high.y + axis_height(canvas);
  const Rect below_axis{{area.low.x, y}, {plot.high.x, y + line}};
  const Wordings unit{"ms, all devices on the clock of the host", "ms, host clock", "ms"};
  canvas.write(below_axis, canvas.fitting(unit, below_axis.width(), pen::dim), pen::dim,
               Align::right);
  if (told) {
    canvas.write({{area.low.x, y + line}, {plot.high.x, y + 2.0F * line}},
                 fmt::format("rows: {}, {}, {}", kNames[0], kNames[1], kNames[2]), pen::dim,
                 Align::right);
  }
}

void draw_stream_tiles(const StreamScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  const core::StreamPlan& plan = *scene.report.plan;
  Stack stack{scene.canvas, area};
  if (!stack.has(2.2F)) {
    return;
  }
  stack.say(fmt::format("C, {}×{}, in blocks", plan.work.m, plan.work.n));
  stack.gap(theme.gap.small);
  area = stack.rest;
  const float scale = std::min(area.width() / static_cast<float>(plan.work.n),
                               area.height() / static_cast<float>(plan.work.m));
  const glm::vec2 size =
      glm::max(glm::floor(glm::vec2(plan.work.n, plan.work.m) * scale), glm::vec2(theme.gap.small));
  const auto width = static_cast<std::uint32_t>(size.x);
  const auto height = static_cast<std::uint32_t>(size.y);
  if (width > 8192 || height > 8192) {
    return;
  }
  const ImTextureID texture =
      scene.frame.textures.image("stream tiles", painted_as(scene, width, height), [&] {
        Image image{width, height, {}};
        image.rgba.assign(std::size_t{width} * height, theme.colours.line);
        for (std::size_t i = 0; i < plan.shares.size(); ++i) {
          paint_share(scene, i, image);
        }
        return image;
      });
  const Rect figure{area.low, area.low + size};
  scene.canvas.image(texture, figure);
  // Where one device's rows end and the next one's begin.
  for (const core::StreamShare& share : plan.shares) {
    const float y = figure.low.y +
                    static_cast<float>(share.rows.first) / static_cast<float>(plan.work.m) * size.y;
    if (share.rows.first > 0 && share.rows.count > 0) {
      scene.canvas.line({figure.low.x, y}, {figure.high.x, y}, theme.colours.text, theme.gap.thin);
    }
  }
}

}  // namespace ui

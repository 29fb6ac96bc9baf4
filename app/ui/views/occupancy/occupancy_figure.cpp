// A multiprocessor as a figure: its slots, and its resources as bars.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/ceil_div.h"
#include "ui/canvas/format.h"
#include "ui/views/occupancy/occupancy_view.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

constexpr std::uint32_t kAcross = 16;  // warp slots a row; in a wide figure all are in two
constexpr float kMostCell = 1.6F;      // in lines of text
constexpr float kLeastCell = 0.35F;
constexpr float kLeastBars = 2.0F;  // lines that the figure leaves to the resources below it
constexpr float kWide = 26.0F;

// What is there of a resource, and a piece for each workgroup that has its part of it.
struct ResourceBar {
  std::string name, words;
  Colour colour = 0;
  std::uint64_t each = 0, has = 0;
  std::uint32_t count = 0;  // pieces
  bool limits = false;
  bool known = true;
};

Colour colour_of(const Palette& c, core::SlotResource resource) {
  switch (resource) {
    case core::SlotResource::registers:
      return c.registers;
    case core::SlotResource::shared_memory:
      return c.shared;
    case core::SlotResource::warps:
      return c.accent;
    case core::SlotResource::workgroups:
      break;
  }
  return c.dim;
}

std::string kib_text(std::uint64_t each, std::uint64_t has) {
  return fmt::format("{:.1f} of {:.0f} KiB", static_cast<double>(each) / 1024.0,
                     static_cast<double>(has) / 1024.0);
}

std::string words_of(const core::ResourceUse& r) {
  if (!r.known) {
    return "not reported, not counted";
  }
  const std::string fit = r.each == 0 ? std::string("no limit") : count_text(r.fit) + " fit";
  if (r.resource == core::SlotResource::shared_memory) {
    return kib_text(r.each, r.has) + ": " + fit;
  }
  return fmt::format("{} of {}: {}", count_text(r.each), count_text(r.has), fit);
}

// Of a device whose multiprocessors are not known: what a workgroup takes of what it may take.
ResourceBar workgroup_bar(const char* name, const std::string& words, Colour colour,
                          std::uint64_t each, std::uint64_t has) {
  const bool too_many = each > has;
  return {name,    words + (too_many ? ": too many" : ""), colour, std::min(each, has), has, 1,
          too_many};
}

std::vector<ResourceBar> resource_bars(const OccupancyScene& scene) {
  const Palette& c = scene.theme().colours;
  if (!scene.tile.residency) {
    const core::DeviceInfo& device = scene.result().device;
    const core::KernelUse& use = scene.tile.use;
    return {workgroup_bar("invocations",
                          fmt::format("{} of {}", count_text(use.invocations),
                                      count_text(device.max_workgroup_invocations)),
                          c.accent, use.invocations, device.max_workgroup_invocations),
            workgroup_bar("shared memory", kib_text(use.shared_bytes, device.shared_memory_bytes),
                          c.shared, use.shared_bytes, device.shared_memory_bytes)};
  }
  std::vector<ResourceBar> bars;
  for (const core::ResourceUse& r : scene.tile.residency->resources) {
    bars.push_back({core::to_string(r.resource), words_of(r), colour_of(c, r.resource), r.each,
                    r.has, r.known ? scene.tile.residency->workgroups : 0, r.limits, r.known});
  }
  return bars;
}

// The bar alone, with a piece for each workgroup.
void draw_track(const OccupancyScene& scene, const Rect& cell, const ResourceBar& bar) {
  const Palette& c = scene.theme().colours;
  const Rect track = cell.inset(0.0F, std::round(0.28F * cell.height()));
  scene.canvas.fill(track, fade(c.line, 0.7F));
  const auto share =
      static_cast<double>(bar.each) / static_cast<double>(std::max<std::uint64_t>(bar.has, 1));
  const float piece = track.width() * static_cast<float>(share);
  const float gap = piece > scene.theme().gap.small ? 1.0F : 0.0F;
  for (std::uint32_t i = 0; i < bar.count; ++i) {
    const float x = track.low.x + static_cast<float>(i) * piece;
    scene.canvas.fill({{std::round(x), track.low.y}, {std::round(x + piece) - gap, track.high.y}},
                      fade(bar.colour, bar.limits ? 1.0F : 0.65F));
  }
  if (bar.limits) {
    scene.canvas.frame(track.inset(-scene.theme().gap.thin, -scene.theme().gap.thin), c.text);
  }
}

// One multiprocessor: its warp slots as cells, in them the workgroups that it holds; where cells
// would be too small, in words.
void draw_slots(const OccupancyScene& scene, Stack& stack) {
  const Palette& c = scene.theme().colours;
  const Gaps& gap = scene.theme().gap;
  const core::Residency& r = *scene.tile.residency;
  const float line = scene.canvas.line_height();
  const bool wide = stack.rest.width() >= kWide * line;
  const std::uint32_t columns = wide ? std::max(r.warps_most / 2, 1U) : kAcross;
  const auto rows = static_cast<float>(core::ceil_div(r.warps_most, columns));
  const float high =
      stack.rest.height() - (1.0F + kLeastBars) * line - gap.small - gap.medium - gap.large;
  const float wish = std::min(stack.rest.width() / static_cast<float>(columns), kMostCell * line);
  const float cell = std::floor(std::min(wish, high / rows));
  if (cell < kLeastCell * line) {
    return stack.fitting(
        {fmt::format("One multiprocessor: {} of {} warp slots in use, {} per "
                     "workgroup",
                     r.warps, r.warps_most, r.warps_each),
         fmt::format("{} of {} warp slots in use, {} each", r.warps, r.warps_most, r.warps_each),
         fmt::format("{} of {} warp slots", r.warps, r.warps_most)},
        pen::dim);
  }
  const std::string slots =
      fmt::format("{} warp slots, {} per workgroup", r.warps_most, r.warps_each);
  stack.fitting({"One multiprocessor: " + slots, slots}, pen::dim);
  stack.gap(gap.small);
  const Rect area = stack.rest.cut_top(cell * rows);
  for (std::uint32_t slot = 0; slot < r.warps_most; ++slot) {
    const glm::vec2 at = area.low + cell * glm::vec2(slot % columns, slot / columns);
    const Rect box{at, at + cell - gap.thin};
    if (slot >= r.warps) {
      scene.canvas.frame(box, c.line);
      continue;
    }
    const std::uint32_t group = slot / r.warps_each;
    const bool even = group % 2 == 0;
    scene.canvas.fill(box, mix(c.accent, c.background, even ? 0.1F : 0.45F));
    const std::string number = std::to_string(group + 1);
    if (slot % r.warps_each == 0 && scene.canvas.width(number, pen::mono) < box.width() &&
        scene.canvas.measure(number, scene.canvas.font(pen::mono)).y < cell) {
      scene.canvas.write(box, number, pen::mono.in(even ? c.on_accent : c.text), Align::centre);
    }
  }
  stack.gap(gap.medium);
}

// Of a multiprocessor where it is known, else of what a workgroup may take.
void draw_resources(const OccupancyScene& scene, Stack& stack) {
  auto bars = resource_bars(scene);
  const auto has = [&](float more) { return stack.has(static_cast<float>(bars.size()) + more); };
  constexpr float kHeading = 1.5F;
  if (!has(kHeading)) {  // what is not known makes way for what the others mean
    std::erase_if(bars, [](const ResourceBar& bar) { return !bar.known; });
  }
  if (!has(0.5F)) {  // what limits is told first
    std::ranges::stable_partition(bars, &ResourceBar::limits);
  }
  const Pen limit = pen::text;
  Table table{.columns = {{.align = Align::left, .pen = pen::dim, .importance = 3},
                          {.importance = 1, .least = 5.0F},
                          {.pen = pen::mono_dim, .importance = 2}},
              .rows = {},
              .choosable = false};
  for (const ResourceBar& bar : bars) {
    table.rows.push_back({.cells = {{bar.name, bar.limits ? limit : pen::dim},
                                    "",
                                    {bar.words, bar.limits ? pen::mono : pen::mono_dim}}});
  }
  // Where one row alone has room, the table has none for how many it leaves out.
  const float row_height = table_height(scene.canvas, table) / static_cast<float>(bars.size());
  if (bars.size() > 1 && stack.rest.height() < 2.0F * row_height) {
    table.rows.front().cells.front().text += ", " + left_out_words(bars.size() - 1).front();
  }
  table.paint = [&](const Rect& cell, std::size_t row, std::size_t column) {
    if (column == 1) {
      draw_track(scene, cell, bars[row]);
    }
  };
  if (has(kHeading)) {
    const std::string fit = "Needs of one workgroup, and how many fit";
    const auto& of = scene.occupancy.multiprocessor;
    stack.fitting(!scene.tile.residency ? Wordings{"Needs of one workgroup, and the limits"}
                  : of                  ? Wordings{fit + " (" + of->architecture + ")", fit}
                                        : Wordings{fit},
                  pen::dim);
  }
  draw_table(scene.canvas, stack.rest.cut_top(table_height(scene.canvas, table)), "", table);
}

// As long as its places, filled as far as they are taken.
void draw_wave(const OccupancyScene& scene, const Rect& line, const core::LaunchWaves& waves,
               std::uint64_t number, float names) {
  const Palette& c = scene.theme().colours;
  const Canvas& canvas = scene.canvas;
  Rect rest = line;
  canvas.write(rest.cut_left(names), fmt::format("wave {}", count_text(number)), pen::dim);
  const std::uint64_t taken = number == waves.count ? waves.last : waves.places;
  const std::string words = fmt::format("{} of {}", count_text(taken), count_text(waves.places));
  canvas.write(rest, words, pen::mono_dim, Align::right);
  rest.cut_right(
      canvas.width(count_text(waves.places) + " of " + count_text(waves.places), pen::mono) +
      scene.theme().gap.medium);
  const Rect track = rest.inset(0.0F, std::round(0.28F * rest.height()));
  canvas.fill(track, fade(c.line, 0.7F));
  const auto share =
      static_cast<float>(static_cast<double>(taken) / static_cast<double>(waves.places));
  Rect filled = track;
  filled.high.x = filled.low.x + std::max(2.0F, std::round(share * track.width()));
  canvas.fill(filled, c.accent);
}

}  // namespace

std::optional<core::LaunchWaves> waves_in(const OccupancyScene& scene) {
  const auto& residency = scene.tile.residency;
  return residency ? core::launch_waves(core::launched_groups(scene.result()), *residency,
                                        scene.multiprocessors)
                   : std::nullopt;
}

void draw_waves(const OccupancyScene& scene, Stack& stack) {
  const auto& residency = scene.tile.residency;
  const auto waves = waves_in(scene);
  constexpr float kLeast = 2.5F;  // lines: a heading, and a wave
  if (!waves || !stack.has(kLeast)) {
    return;
  }
  const std::string places = fmt::format("{} × {} = {} places", scene.multiprocessors,
                                         residency->workgroups, count_text(waves->places));
  stack.fitting(
      {fmt::format("The launch, {} workgroups, in waves of {}", count_text(waves->groups), places),
       fmt::format("{} workgroups in {}", count_text(waves->groups), places), places},
      pen::dim);
  constexpr std::uint64_t kMost = 5;  // waves
  const auto room =
      std::min(kMost, static_cast<std::uint64_t>(stack.rest.height() / scene.canvas.line_height()));
  const bool all = waves->count <= room;
  const std::uint64_t shown = all ? waves->count : std::max<std::uint64_t>(room, 2) - 1;
  const float names =
      scene.canvas.width("wave " + count_text(waves->count)) + scene.theme().gap.medium;
  // The last one is what there is to be seen.
  for (std::uint64_t i = 1; i < shown; ++i) {
    draw_wave(scene, stack.lines(), *waves, i, names);
  }
  if (!all) {
    stack.say(fmt::format("+{} more full waves", count_text(waves->count - shown)), pen::dim);
  }
  draw_wave(scene, stack.lines(), *waves, waves->count, names);
  stack.gap(scene.theme().gap.large);
}

void draw_occupancy_figure(const OccupancyScene& scene, Stack& stack) {
  if (scene.tile.residency) {
    draw_slots(scene, stack);
  }
  draw_resources(scene, stack);
}

}  // namespace ui

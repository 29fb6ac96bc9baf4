// A multiprocessor as a figure: its slots, and its resources as bars.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/views/occupancy/occupancy_view.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr std::uint32_t kAcross = 16;  // warp slots a row; in a wide figure all are in two
constexpr float kMostCell = 30.0F;     // at scale 1
constexpr float kBarHeight = 10.0F;
constexpr float kOneLine = 500.0F;  // so wide, and a bar stands in one line with its words

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

bool one_line(const OccupancyScene& scene, float width) {
  return width >= scene.theme().px(kOneLine);
}

std::string kib_text(std::uint64_t each, std::uint64_t has) {
  return fmt::format("{:.1f} of {:.0f} KiB", static_cast<double>(each) / 1024.0,
                     static_cast<double>(has) / 1024.0);
}

std::string words_of(const core::ResourceUse& r) {
  if (!r.known) {
    return "not reported, left out";
  }
  const std::string fit = r.each == 0 ? std::string("no limit") : count_text(r.fit) + " fit";
  if (r.resource == core::SlotResource::shared_memory) {
    return kib_text(r.each, r.has) + ": " + fit;
  }
  return fmt::format("{} of {}: {}", count_text(r.each), count_text(r.has), fit);
}

// Of a device whose multiprocessors are not known: what a workgroup takes of what it may take.
ResourceBar workgroup_bar(const char* name, std::string words, Colour colour, std::uint64_t each,
                          std::uint64_t has) {
  const bool too_many = each > has;
  return {name,    words + (too_many ? ": too many" : ""), colour, std::min(each, has), has, 1,
          too_many};
}

std::vector<ResourceBar> workgroup_bars(const OccupancyScene& scene) {
  const core::DeviceInfo& device = scene.result().device;
  const core::KernelUse& use = scene.tile.use;
  const Palette& c = scene.theme().colours;
  return {workgroup_bar("invocations",
                        fmt::format("{} of {}", count_text(use.invocations),
                                    count_text(device.max_workgroup_invocations)),
                        c.accent, use.invocations, device.max_workgroup_invocations),
          workgroup_bar("shared memory", kib_text(use.shared_bytes, device.shared_memory_bytes),
                        c.shared, use.shared_bytes, device.shared_memory_bytes)};
}

// The bar alone, with a piece for each workgroup.
void draw_track(const OccupancyScene& scene, const Rect& track, const ResourceBar& bar) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  scene.canvas.fill(track, fade(c.line, 0.7F));
  const auto share =
      static_cast<double>(bar.each) / static_cast<double>(std::max<std::uint64_t>(bar.has, 1));
  const float piece = track.width() * static_cast<float>(share);
  const float gap = piece > theme.px(4) ? theme.px(1) : 0.0F;
  for (std::uint32_t i = 0; i < bar.count; ++i) {
    const float x = track.low.x + static_cast<float>(i) * piece;
    scene.canvas.fill({{std::round(x), track.low.y}, {std::round(x + piece) - gap, track.high.y}},
                      fade(bar.colour, bar.limits ? 1.0F : 0.65F));
  }
  if (bar.limits) {
    scene.canvas.frame(track.inset(-theme.px(2), -theme.px(2)), c.text, theme.px(1));
  }
}

void draw_bar(const OccupancyScene& scene, Rect area, const ResourceBar& bar, float names,
              float words) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const Colour colour = bar.limits ? c.text : c.dim;
  const float height = scene.canvas.line_height(theme.fonts.text);
  if (one_line(scene, area.width())) {
    Rect line = area.cut_top(height);
    scene.canvas.text_in(line.cut_left(names), bar.name, theme.fonts.text, colour);
    scene.canvas.text_in(line.cut_right(words), bar.words, theme.fonts.mono, colour, Align::right);
    line.cut_right(theme.px(10));
    const float rest = 0.5F * (height - theme.px(kBarHeight));
    return draw_track(scene, line.inset(0.0F, rest), bar);
  }
  Rect line = area.cut_top(height);
  scene.canvas.text_in(line.cut_right(std::min(words, line.width())), bar.words, theme.fonts.mono,
                       colour, Align::right);
  scene.canvas.text_in(line, bar.name, theme.fonts.text, colour);
  draw_track(scene, area.cut_top(theme.px(kBarHeight)), bar);
}

std::uint32_t across(const OccupancyScene& scene, float width) {
  return one_line(scene, width) ? std::max(scene.tile.residency->warps_most / 2, 1U) : kAcross;
}

// The slots' side; a row of them fits the width.
float cell_of(const OccupancyScene& scene, float width) {
  return std::floor(
      std::min(width / static_cast<float>(across(scene, width)), scene.theme().px(kMostCell)));
}

std::string slots_caption(const OccupancyScene& scene, float width) {
  const core::Residency& r = *scene.tile.residency;
  const std::string text = fmt::format("One multiprocessor: {} warp slots, {} to a workgroup",
                                       r.warps_most, r.warps_each);
  return scene.canvas.measure(text, scene.theme().fonts.text).x <= width
             ? text
             : fmt::format("{} warp slots, {} to a workgroup", r.warps_most, r.warps_each);
}

std::string bars_caption(const OccupancyScene& scene) {
  return scene.tile.residency
             ? "A workgroup takes (" + scene.occupancy.multiprocessor->architecture + ")"
             : std::string("A workgroup takes, of what it may take");
}

}  // namespace

std::vector<ResourceBar> resource_bars(const OccupancyScene& scene) {
  if (!scene.tile.residency) {
    return workgroup_bars(scene);
  }
  std::vector<ResourceBar> bars;
  for (const core::ResourceUse& r : scene.tile.residency->resources) {
    bars.push_back({core::to_string(r.resource), words_of(r),
                    colour_of(scene.theme().colours, r.resource), r.each, r.has,
                    r.known ? scene.tile.residency->workgroups : 0, r.limits});
  }
  return bars;
}

float bars_height(const OccupancyScene& scene, std::size_t bars, float width) {
  const Theme& theme = scene.theme();
  const float line = scene.canvas.line_height(theme.fonts.text);
  const float each =
      one_line(scene, width) ? line + theme.px(4) : line + theme.px(kBarHeight) + theme.px(8);
  return line + static_cast<float>(bars) * each;
}

void draw_bars(const OccupancyScene& scene, Rect area, const std::vector<ResourceBar>& bars) {
  const Theme& theme = scene.theme();
  const float line = scene.canvas.line_height(theme.fonts.text);
  const float each = bars_height(scene, 1, area.width()) - line;
  float names = 0.0F;
  float words = 0.0F;
  for (const ResourceBar& bar : bars) {
    names = std::max(names, scene.canvas.measure(bar.name, theme.fonts.text).x + theme.px(14));
    words = std::max(words, scene.canvas.measure(bar.words, theme.fonts.mono).x + 1.0F);
  }
  if (area.height() >= line + static_cast<float>(bars.size()) * each) {
    scene.canvas.text_in(area.cut_top(line), bars_caption(scene), theme.fonts.text,
                         theme.colours.dim);
  }
  for (const ResourceBar& bar : bars) {
    if (area.height() >= each) {
      draw_bar(scene, area.cut_top(each), bar, names, words);
    }
  }
}

float slots_height(const OccupancyScene& scene, float width) {
  const std::uint32_t rows =
      (scene.tile.residency->warps_most + across(scene, width) - 1) / across(scene, width);
  return scene.canvas.line_height(scene.theme().fonts.text) + scene.theme().px(4) +
         static_cast<float>(rows) * cell_of(scene, width);
}

void draw_slots(const OccupancyScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const core::Residency& r = *scene.tile.residency;
  scene.canvas.text_in(area.cut_top(scene.canvas.line_height(theme.fonts.text) + theme.px(4)),
                       slots_caption(scene, area.width()), theme.fonts.text, c.dim);
  const std::uint32_t columns = across(scene, area.width());
  const float cell = cell_of(scene, area.width());
  for (std::uint32_t slot = 0; slot < r.warps_most; ++slot) {
    const glm::vec2 at = area.low + cell * glm::vec2(slot % columns, slot / columns);
    const Rect box{at, at + cell - theme.px(2)};
    if (slot >= r.warps) {
      scene.canvas.frame(box, c.line);
      continue;
    }
    const std::uint32_t group = slot / r.warps_each;
    scene.canvas.fill(box, mix(c.accent, c.background, group % 2 == 0 ? 0.1F : 0.45F));
    const std::string number = std::to_string(group + 1);
    if (slot % r.warps_each == 0 &&
        scene.canvas.measure(number, theme.fonts.mono).x < box.width()) {
      scene.canvas.text_in(box, number, theme.fonts.mono, group % 2 == 0 ? c.on_accent : c.text,
                           Align::centre);
    }
  }
}

}  // namespace ui

// A multiprocessor as a figure: its slots, and its resources as bars.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/format.h"
#include "ui/occupancy_view.h"

namespace ui {
namespace {

constexpr std::uint32_t kAcross = 16;  // warp slots a row
constexpr float kMostCell = 30.0F;     // at scale 1
constexpr float kBarHeight = 10.0F;

Colour colour_of(const Palette& c, core::Resource resource) {
  switch (resource) {
    case core::Resource::registers:
      return c.registers;
    case core::Resource::shared_memory:
      return c.shared;
    case core::Resource::warps:
      return c.accent;
    case core::Resource::workgroups:
      break;
  }
  return c.dim;
}

std::string words_of(const core::ResourceUse& r) {
  if (!r.known) {
    return "not reported, left out";
  }
  const char* unit = r.resource == core::Resource::shared_memory ? " bytes" : "";
  const std::string fit = r.each == 0 ? std::string("no limit") : count_text(r.fit) + " fit";
  return fmt::format("{} of {}{} each: {}", count_text(r.each), count_text(r.has), unit, fit);
}

// Of a device whose multiprocessors are not known: what a workgroup takes of what it may take.
std::vector<ResourceBar> workgroup_bars(const OccupancyScene& scene) {
  const core::DeviceInfo& device = scene.result().device;
  const core::KernelUse& use = scene.tile.use;
  const Palette& c = scene.theme().colours;
  const auto bar = [](const char* name, Colour colour, std::uint64_t each, std::uint64_t has,
                      const char* unit) {
    const std::string words =
        each > has ? fmt::format("{} of {}{}: too many", count_text(each), count_text(has), unit)
                   : fmt::format("{} of {}{}", count_text(each), count_text(has), unit);
    return ResourceBar{name, words, colour, std::min(each, has), has, 1, each > has};
  };
  return {bar("invocations of a workgroup", c.accent, use.invocations,
              device.max_workgroup_invocations, ""),
          bar("shared memory of a workgroup", c.shared, use.shared_bytes,
              device.shared_memory_bytes, " bytes")};
}

void draw_bar(const OccupancyScene& scene, Rect area, const ResourceBar& bar) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  Rect words = area.cut_top(scene.canvas.line_height(theme.fonts.text));
  const float number = scene.canvas.measure(bar.words, theme.fonts.mono).x;
  scene.canvas.text_in(words, bar.words, theme.fonts.mono, bar.limits ? c.text : c.dim,
                       Align::right);
  words.high.x -= number + theme.px(8);
  const std::string name = bar.limits ? bar.name + ": the limit" : bar.name;
  const bool room = scene.canvas.measure(name, theme.fonts.text).x <= words.width();
  scene.canvas.text_in(words, room ? name : bar.name, theme.fonts.text,
                       bar.limits ? c.text : c.dim);
  const Rect track{area.low, {area.high.x, area.low.y + theme.px(kBarHeight)}};
  scene.canvas.fill(track, fade(c.line, 0.7F));
  const float piece = track.width() * static_cast<float>(bar.each) /
                      static_cast<float>(std::max<std::uint64_t>(bar.has, 1));
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

// The slots' side; a row of them fits the width.
float cell_of(const OccupancyScene& scene, float width) {
  return std::floor(std::min(width / static_cast<float>(kAcross), scene.theme().px(kMostCell)));
}

std::string slots_caption(const OccupancyScene& scene) {
  const core::Residency& r = *scene.tile.residency;
  return fmt::format("One multiprocessor ({}): {} warp slots; {} to a workgroup",
                     scene.occupancy.multiprocessor->architecture, r.warps_most,
                     r.warps_each == 1 ? "1 goes" : fmt::format("{} go", r.warps_each));
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

float bars_height(const OccupancyScene& scene, std::size_t bars) {
  const Theme& theme = scene.theme();
  return static_cast<float>(bars) *
         (scene.canvas.line_height(theme.fonts.text) + theme.px(kBarHeight) + theme.px(8));
}

void draw_bars(const OccupancyScene& scene, Rect area, const std::vector<ResourceBar>& bars) {
  const float each = bars_height(scene, 1);
  for (const ResourceBar& bar : bars) {
    if (area.height() >= each) {
      draw_bar(scene, area.cut_top(each), bar);
    }
  }
}

float slots_height(const OccupancyScene& scene, float width) {
  const std::uint32_t rows = (scene.tile.residency->warps_most + kAcross - 1) / kAcross;
  return scene.canvas.line_height(scene.theme().fonts.text) + scene.theme().px(4) +
         static_cast<float>(rows) * cell_of(scene, width);
}

void draw_slots(const OccupancyScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  const core::Residency& r = *scene.tile.residency;
  scene.canvas.text_in(area.cut_top(scene.canvas.line_height(theme.fonts.text) + theme.px(4)),
                       slots_caption(scene), theme.fonts.text, c.dim);
  const float cell = cell_of(scene, area.width());
  for (std::uint32_t slot = 0; slot < r.warps_most; ++slot) {
    const glm::vec2 at = area.low + cell * glm::vec2(slot % kAcross, slot / kAcross);
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

// Occupancy: what a multiprocessor holds of this kernel at once, and what runs out first.
#include "ui/views/occupancy/occupancy_view.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "core/report/wave_model.h"
#include "ui/edits.h"
#include "ui/views.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr float kTwoColumns = 480.0F;  // at scale 1
constexpr float kTable = 0.42F;        // of the width

// As the controls stand, so that a dragged tile shows at once; the lab follows.
const core::TileOccupancy& wanted_tile(const Frame& frame, const core::Occupancy& occupancy) {
  const core::Experiment& wanted = frame.state.wanted;
  if (wanted.tile != 0 && wanted.variant == frame.model.result.experiment.variant) {
    if (const auto* tile = occupancy.of(tile_of(wanted, frame.model.catalogue))) {
      return *tile;
    }
  }
  return occupancy.now();
}

std::string head_of(const OccupancyScene& scene, float width) {
  if (scene.tile.residency) {
    const core::Residency& r = *scene.tile.residency;
    const std::string text = core::headline(r);
    return scene.canvas.measure(text, scene.theme().fonts.title).x <= width
               ? text
               : fmt::format("{} × {} warps: {:.0f} %", r.workgroups, r.warps_each,
                             100.0 * r.share());
  }
  return scene.tile.impossible.empty() ? "Occupancy is not known here"
                                       : "This tile is impossible here";
}

// How this launch fills the device, and what would be faster: of the chosen tile.
std::string waves_of(const OccupancyScene& scene) {
  const auto& waves = scene.result().waves;
  if (!waves || !waves->now || waves->now->tile != scene.tile.tile) {
    return {};
  }
  const core::WavePlan& best = waves->offers.front();
  std::string text = fmt::format(" {}", core::sentence(*waves->now));
  if (best.cost < 0.99 * waves->now->cost) {
    text += fmt::format("; {} would take {:.0f} % of the time", core::choice_words(best),
                        100.0 * best.cost / waves->now->cost);
  }
  return text + " (modelled).";
}

std::string sentence_of(const OccupancyScene& scene) {
  const core::TileOccupancy& tile = scene.tile;
  if (!tile.impossible.empty()) {
    std::string why = tile.impossible + ".";
    why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
    return why;
  }
  if (!tile.residency && scene.result().device.emulated()) {
    return "A CPU plays the GPU here: it has no multiprocessors, and does not tell how many "
           "workgroups it runs at once, nor the registers that they take.";
  }
  if (!tile.residency) {
    return "Vulkan does not tell what a multiprocessor holds, and no published figures for " +
           scene.result().device.name + " are known here.";
  }
  const std::string rounded = core::rounding_sentence(tile);
  const std::string small = core::launch_sentence(*tile.residency, scene.result().device,
                                                  core::launched_groups(scene.result()));
  const std::string padding = core::padding_sentence(tile);
  const std::string scope = core::scope_sentence(scene.result());
  return core::limit_sentence(*tile.residency) + (rounded.empty() ? "" : " " + rounded) +
         (padding.empty() ? "" : " " + padding) + (small.empty() ? "" : " " + small) +
         (scope.empty() ? "" : " " + scope) + waves_of(scene);
}

std::string observed_of(const core::Result& result) {
  const auto observed = core::observed_workgroups(result);
  return observed          ? fmt::format("at most {} at once (instrumented)", *observed)
         : result.timeline ? std::string("not reported by this device")
                           : std::string("the timeline has not been recorded");
}

// The modelled figure and beside it the observed one; what limits it.
void draw_words(const OccupancyScene& scene, Rect& rest) {
  const Theme& theme = scene.theme();
  const Palette& c = theme.colours;
  if (scene.tile.residency) {
    const std::string both =
        fmt::format("Modelled: {} on one multiprocessor. Observed: {}.",
                    scene.tile.residency->workgroups, observed_of(scene.result()));
    rest.cut_top(scene.canvas.wrapped(rest, both, theme.fonts.text, c.dim));
  }
  rest.cut_top(scene.canvas.wrapped(rest, sentence_of(scene), theme.fonts.text, c.text));
  rest.cut_top(theme.px(12));
}

void draw_figure(const OccupancyScene& scene, Rect& rest) {
  if (scene.tile.residency) {
    const float height = slots_height(scene, rest.width());
    if (rest.height() >= height) {
      draw_slots(scene, rest.cut_top(height));
      rest.cut_top(scene.theme().px(10));
    }
  }
  const auto bars = resource_bars(scene);
  draw_bars(scene, rest.cut_top(bars_height(scene, bars.size(), rest.width())), bars);
}

void draw_tables(const OccupancyScene& scene, Rect rest) {
  draw_tile_table(scene, rest.cut_top(table_height(scene)));
  rest.cut_top(scene.theme().px(14));
  draw_statistics(scene, rest.cut_top(statistics_height(scene)));
}

void draw_occupancy(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Theme& theme = frame.theme;
  Rect head = title_line(frame, canvas, area);
  head.low.x = area.low.x + theme.px(24);
  Rect rest{{head.low.x, head.high.y + theme.px(6)},
            area.high - glm::vec2(theme.px(24), theme.px(12))};
  const auto& occupancy = frame.model.result.occupancy;
  if (!occupancy || occupancy->tiles.empty()) {
    return nothing_yet(canvas, rest,
                       "What a multiprocessor holds of the kernel appears here as soon as it is "
                       "compiled.");
  }
  const OccupancyScene scene{frame, canvas, *occupancy, wanted_tile(frame, *occupancy)};
  canvas.text_in(head, head_of(scene, head.width()), theme.fonts.title, theme.colours.text);
  draw_words(scene, rest);
  if (rest.width() >= kTwoColumns * theme.scale) {
    Rect right = rest.cut_right(std::round(kTable * rest.width()));
    rest.cut_right(theme.px(24));
    draw_figure(scene, rest);
    draw_tables(scene, right);
    return;
  }
  draw_figure(scene, rest);
  rest.cut_top(theme.px(6));
  draw_tables(scene, rest);
}

}  // namespace

CentreView occupancy_row() {
  return {.name = "occupancy", .there = always, .draw = draw_occupancy, .needs = [](ViewStates&) {
            return core::Steps{core::Step::timeline};
          }};
}

}  // namespace ui

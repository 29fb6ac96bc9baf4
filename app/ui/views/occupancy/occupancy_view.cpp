// Occupancy: what a multiprocessor holds of this kernel at once, and what runs out first.
#include "ui/views/occupancy/occupancy_view.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "core/model/wave_model.h"
#include "ui/canvas/format.h"
#include "ui/edits.h"
#include "ui/views.h"
#include "ui/views/occupancy/occupancy_state.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kTwoColumns = 25.0F;  // in lines of text
constexpr float kTable = 0.42F;       // of the width

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

Wordings head_of(const OccupancyScene& scene) {
  if (const auto waves = waves_in(scene); waves && scene.frame.state.of<OccupancyState>().waves) {
    return {fmt::format("{} workgroups: {} wave{}", count_text(waves->groups), waves->count,
                        waves->count == 1 ? "" : "s"),
            fmt::format("{} wave{}", waves->count, waves->count == 1 ? "" : "s")};
  }
  if (const auto& r = scene.tile.residency) {
    return {
        core::headline(*r),
        fmt::format("{} × {} warps: {:.0f} %", r->workgroups, r->warps_each, 100.0 * r->share()),
        fmt::format("{:.0f} %", 100.0 * r->share())};
  }
  return scene.tile.impossible.empty()
             ? Wordings{"Occupancy is not known here", "Not known here", "Not known"}
             : Wordings{"This tile size is not possible on this device", "Not possible here",
                        "Impossible"};
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
    text += fmt::format("; {} would take {:.0f} % of this time", core::choice_words(best),
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
    return "This is a CPU device. It has no multiprocessors, and it does not report how many "
           "workgroups it runs at once or how many registers they use.";
  }
  if (!tile.residency) {
    return "Vulkan does not report how many workgroups a multiprocessor can hold, and Tilescope "
           "has no published limits for " +
           scene.result().device.name + ".";
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
                           : std::string("no timeline recorded");
}

// The modelled figure and beside it the observed one; what limits it.
void draw_words(const OccupancyScene& scene, Stack& stack) {
  constexpr float kLow = 16.0F;  // lines
  const std::string observed = observed_of(scene.result());
  const bool waves = scene.frame.state.of<OccupancyState>().waves;  // they need the room
  if (scene.tile.residency && ((stack.has(kLow) && !waves) || !observed.starts_with("not "))) {
    stack.wrap(fmt::format("Modelled: {} on one multiprocessor. Observed: {}.",
                           scene.tile.residency->workgroups, observed),
               pen::dim);
  }
  stack.wrap(sentence_of(scene));
  stack.gap(scene.theme().gap.medium);
}

// GPUs that a kernel can be thought to run on where the device can't tell: their makers publish
// what they hold (core/model/multiprocessor.cpp names where).
struct ModelledGpu {
  const char* brief;
  const char* name;
  std::uint32_t multiprocessors;
};
// How many multiprocessors or compute units: the H200 Tensor Core GPU data sheet, NVIDIA's Ada GPU
// architecture white paper, AMD's page of the RX 7900 XTX.
constexpr std::array kModelled{ModelledGpu{"H200", "NVIDIA H200", 132},
                               ModelledGpu{"RTX 4090", "NVIDIA GeForce RTX 4090", 128},
                               ModelledGpu{"RX 7900", "AMD Radeon RX 7900 XTX", 96}};

std::vector<std::string> modelled_gpus() {
  std::vector<std::string> names{""};
  for (const ModelledGpu& gpu : kModelled) {
    names.emplace_back(gpu.brief);
  }
  return names;
}

const ModelledGpu* modelled_gpu(const std::string& brief) {
  const auto gpu = std::ranges::find_if(
      kModelled, [&brief](const ModelledGpu& candidate) { return brief == candidate.brief; });
  return gpu == kModelled.end() ? nullptr : &*gpu;
}

// The kernel as that GPU would hold it, 32 invocations a subgroup; nothing: none was chosen.
std::optional<core::Occupancy> as_on(const core::Occupancy& told, const std::string& brief) {
  const ModelledGpu* gpu = modelled_gpu(brief);
  if (gpu == nullptr) {
    return std::nullopt;
  }
  core::Occupancy there = told;
  core::DeviceInfo device;
  device.name = gpu->name;
  device.type = core::DeviceType::discrete;
  there.multiprocessor = core::multiprocessor_of(device);
  for (core::TileOccupancy& tile : there.tiles) {
    tile.use.subgroup_size = 32;
  }
  core::model(there);
  return there;
}

// The choice of one, on a device that can't tell.
void draw_modelled(const OccupancyScene& scene, Stack& stack, std::string& chosen) {
  const float between = scene.theme().gap.medium;
  Rect line = stack.lines();
  scene.canvas.write(line.cut_left(scene.canvas.width("as on") + between), "as on", pen::dim);
  for (const std::string& name : modelled_gpus()) {
    const std::string word = name.empty() ? "this device" : name;
    const float width = scene.canvas.width(word) + scene.theme().gap.large;
    if (width > line.width()) {
      line = stack.lines();
    }
    if (tab(scene.canvas, line.cut_left(width), "as on " + word, word, chosen == name)) {
      chosen = name;
    }
  }
  stack.gap(between);
}

std::string nothing(const Frame& frame) {
  const auto& occupancy = frame.model.result.occupancy;
  return occupancy && !occupancy->tiles.empty()
             ? ""
             : "The number of workgroups that fit appears here after the kernel is compiled.";
}

void draw_occupancy(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Occupancy& told = *frame.model.result.occupancy;
  std::string& chosen = frame.state.of<OccupancyState>().as_on;
  const auto there = told.multiprocessor ? std::nullopt : as_on(told, chosen);
  const core::Occupancy& occupancy = there ? *there : told;
  const OccupancyScene scene{frame, canvas, occupancy, wanted_tile(frame, occupancy),
                             there                 ? modelled_gpu(chosen)->multiprocessors
                             : told.multiprocessor ? frame.model.result.device.multiprocessors
                                                   : 0};
  Stack stack = draw_view_head(frame, canvas, area, {.title = head_of(scene), .pen = pen::title});
  if (!told.multiprocessor) {
    draw_modelled(scene, stack, chosen);
  }
  if (there) {
    constexpr float kLow = 18.0F;  // lines; a lower view has the figure rather than sentences
    const std::string what = fmt::format("Modelled, not run: as on an {}", chosen);
    stack.wrap(stack.has(kLow) ? fmt::format("{} ({}), from published limits. The number of "
                                             "registers that its compiler would use is not known.",
                                             what, there->multiprocessor->architecture)
                               : what,
               pen::accent);
  }
  draw_words(scene, stack);
  Stack right = stack;
  const bool two = stack.rest.width() >= kTwoColumns * canvas.line_height();
  if (two) {
    right.rest = stack.rest.cut_right(std::round(kTable * stack.rest.width()));
    stack.rest.cut_right(frame.theme.gap.huge);
  }
  Stack& tables = two ? right : stack;
  if (two || frame.state.of<OccupancyState>().waves) {
    draw_waves(scene, tables);
  }
  draw_occupancy_figure(scene, stack);
  if (!two) {
    tables.gap(frame.theme.gap.medium);
  }
  draw_wave_table(scene, tables, told_waves(scene, there && chosen == "H200"));
  draw_tile_table(scene, tables);
  tables.gap(frame.theme.gap.large);
  draw_statistics(scene, tables);
}

}  // namespace

std::vector<StateField> OccupancyState::fields() {
  return {field("as_on", as_on, modelled_gpus())
              .with_flag(
                  "--as-on", "occupancy",
                  "Occupancy view: model this GPU if the device reports no limits: H200, RTX 4090 "
                  "or RX 7900 (default: this device)"),
          field("waves", waves)
              .with_meaning("Occupancy view, if narrow: show the waves of the launch first")};
}

CentreView occupancy_row() {
  return {
      .name = "occupancy",
      .answers = "How many workgroups fit on a multiprocessor at once, and what runs out first?",
      .manual = {.chapter = "Occupancy"},
      .there = always,
      .draw = draw_occupancy,
      .nothing = nothing,
      .needs = [](ViewStates&) { return core::Steps{core::Step::occupancy, core::Step::timeline}; },
      .open = [](ViewStates& states) { states.of<OccupancyState>(); }};
}

}  // namespace ui

#include "ui/views/banks/banks_view.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/colormap.h"
#include "ui/canvas/format.h"
#include "ui/looked_into.h"
#include "ui/views.h"
#include "ui/widgets/names.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

std::vector<BankRow> rows_of(const core::LaneReport& report) {
  std::vector<BankRow> rows;
  for (std::size_t i = 0; i < report.shared.size(); ++i) {
    rows.push_back({true, i});
  }
  for (std::size_t i = 0; i < report.global.size(); ++i) {
    rows.push_back({false, i});
  }
  return rows;
}

// The shared site with the most conflicts, as it is or with other rows, and of several the one that
// takes most passes; else the global site that wastes most of what it fetches.
std::size_t telling_row(const core::LaneReport& report) {
  std::size_t best = 0;
  std::pair<std::uint64_t, std::uint64_t> most;
  for (std::size_t i = 0; i < report.shared.size(); ++i) {
    const std::pair dear{std::max(report.shared[i].extra(), report.padded[i].site.extra()),
                         report.shared[i].passes};
    best = dear > most ? i : best;
    most = std::max(most, dear);
  }
  for (std::size_t i = 0; report.shared.empty() && i < report.global.size(); ++i) {
    const std::pair dear{report.global[i].fetched() - report.global[i].used,
                         report.global[i].fetched()};
    best = dear > most ? i : best;
    most = std::max(most, dear);
  }
  return best;
}

std::string nothing(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const std::string why = no_trace_yet(
      frame,
      "The banks of shared memory that the instructions of a workgroup access are shown here");
  if (!result.trace || !result.banks) {
    return why;
  }
  const core::Lanes lanes = chosen_lanes(frame.state.of<BanksState>(), result);
  const bool any = !rows_of(result.banks->by(lanes)).empty();
  return any ? ""
             : why_no_trace(frame).value_or(
                   "This workgroup accesses neither shared memory nor buffers.");
}

Stack draw_head(const BankScene& scene, const Rect& area) {
  const auto& [x, y, z] = scene.trace.workgroup;
  const bool whole = scene.trace.lost == 0 && scene.trace.incomplete.empty();
  const std::string name = group_name(scene.frame.model.result, {x, y, z});
  ViewHead head{.title = {"Workgroup " + name, "Tile " + name, name},
                .note = {"accesses instrumented; banks and sectors modelled",
                         "modelled from its accesses", "modelled"}};
  if (!whole) {
    head.note = {"incomplete: " + (scene.trace.incomplete.empty()
                                       ? "the trace had no room for all accesses"
                                       : scene.trace.incomplete.front())};
    head.note_pen = pen::text.in(&Palette::race);
  }
  return draw_view_head(scene.frame, scene.canvas, area, head);
}

// Whose lanes share an instruction: a word for each choice, the last to the right.
void draw_lanes_switch(const BankScene& scene, Rect& rest) {
  const bool same = scene.banks.of_32 == scene.banks.subgroups;
  const std::string own = scene.trace.subgroup_size > 0
                              ? fmt::format("subgroups of {}", scene.trace.subgroup_size)
                              : "subgroups";
  for (const bool of_32 : {true, false}) {
    const std::string text = of_32 ? "32 invocations" : own;
    const float width = scene.canvas.width(text) + scene.theme().gap.large;
    if ((same && of_32) || width > 0.35F * rest.width()) {
      continue;
    }
    const bool on = &scene.report == (of_32 ? scene.banks.of_32 : scene.banks.subgroups).get();
    if (tab(scene.canvas, rest.cut_right(width), text, text, on && !same)) {
      scene.state().lanes = of_32 ? "32" : "subgroups";
      scene.state().instruction = 0;
    }
  }
}

void draw_controls(const BankScene& scene, Strip strip) {
  BanksState& state = scene.state();
  for (const bool left : {true, false}) {
    const Rect box = strip.rest.cut_left(1.25F * strip.rest.height());
    const bool pressed =
        arrow_button(scene.canvas, box, left ? "instruction back" : "next instruction", left);
    state.instruction_steps += pressed ? (left ? -1 : 1) : 0;
  }
  strip.rest.cut_left(scene.theme().gap.medium);
  draw_lanes_switch(scene, strip.rest);
  strip.rest.cut_right(scene.theme().gap.medium);
  const core::SiteInstructions& own = scene.instructions(scene.chosen());
  const core::TracedSite& site = scene.site();
  const std::string where =
      fmt::format("{} {} {}: ", lines_name({site.at}, scene.frame.kernel().own_file()),
                  verb_of(site.access), scene.variable().name);
  const std::string number = fmt::format("{} of {}", count_text(scene.instruction - own.first + 1),
                                         count_text(own.count()));
  const char* const rank = state.instruction != 0  ? ""
                           : scene.chosen().shared ? ", with most conflicts"
                                                   : ", with fewest used bytes";
  const std::string which = where + "instruction " + number + rank;
  strip.fitting(
      {fmt::format("{}, in phase {}", which, scene.now().phase + 1), which, where + number});
}

void light_line(const BankScene& scene) {
  const core::SourcePlace& at = scene.site().at;
  if (at.line > 0) {
    scene.frame.state.lit_lines = {at};
  }
}

// What keys and buttons have asked for.
void take_steps(const BankScene& scene) {
  BanksState& state = scene.state();
  if (state.site_steps != 0) {
    const auto count = static_cast<std::int64_t>(scene.rows.size());
    const std::int64_t next =
        static_cast<std::int64_t>(scene.row) + (state.site_steps > 0 ? 1 : -1);
    state.site = static_cast<std::uint32_t>((next + count) % count) + 1;
    state.instruction = 0;
  } else if (state.instruction_steps != 0) {
    const core::SiteInstructions& own = scene.instructions(scene.chosen());
    const auto count = static_cast<std::int64_t>(own.count());
    const std::int64_t next = static_cast<std::int64_t>(scene.instruction - own.first) +
                              (state.instruction_steps > 0 ? 1 : -1);
    state.site = static_cast<std::uint32_t>(scene.row) + 1;
    state.instruction = static_cast<std::uint32_t>((next + count) % count) + 1;
  }
  state.site_steps = state.instruction_steps = 0;
}

void choose(BankScene& scene) {
  const BanksState& view = scene.state();
  scene.row = view.site > 0 ? std::min<std::size_t>(view.site, scene.rows.size()) - 1
                            : telling_row(scene.report);
  const core::SiteInstructions& own = scene.instructions(scene.chosen());
  scene.instruction =
      view.instruction > 0 ? own.first + std::min(view.instruction, own.count()) - 1 : own.worst;
}

}  // namespace

const char* verb_of(core::Access access) {
  return access == core::Access::read    ? "reads"
         : access == core::Access::write ? "writes"
                                         : "updates";
}

core::Lanes chosen_lanes(const BanksState& view, const core::Result& result) {
  if (view.lanes.empty()) {
    return result.device.emulated() ? core::Lanes::of_32 : core::Lanes::subgroups;
  }
  return view.lanes == "32" ? core::Lanes::of_32 : core::Lanes::subgroups;
}

Colour bank_colour(std::uint32_t bank) {
  return viridis(static_cast<float>(bank) / static_cast<float>(core::kBanks - 1));
}

const core::SiteInstructions& BankScene::instructions(const BankRow& of) const {
  return of.shared ? report.shared[of.place].instructions : report.global[of.place].instructions;
}

const core::TracedSite& BankScene::site() const {
  return trace.sites[instructions(chosen()).site];
}

const core::TracedVariable& BankScene::variable() const {
  return trace.variables[site().variable];
}

std::string BankScene::lanes(std::uint32_t count) const {
  return core::lanes_text(trace, report.instructions.lanes, now().group, count);
}

namespace {

void draw_banks(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const core::LaneReport& report =
      result.banks->by(chosen_lanes(frame.state.of<BanksState>(), result));
  BankScene scene{.frame = frame,
                  .canvas = canvas,
                  .trace = *result.trace,
                  .banks = *result.banks,
                  .report = report,
                  .rows = rows_of(report)};
  choose(scene);
  take_steps(scene);
  choose(scene);
  light_line(scene);
  Stack stack = draw_head(scene, area);
  draw_controls(scene, stack.strip());
  stack.gap(frame.theme.gap.small);
  const Table table = bank_table(scene);
  const float share = stack.has(14.0F) ? 0.44F : 0.36F;
  const float height = std::min(table_height(canvas, table), share * stack.rest.height());
  const Rect below = stack.rest.cut_bottom(height);
  stack.rest.cut_bottom(frame.theme.gap.medium);
  scene.chosen().shared ? draw_bank_figure(scene, stack) : draw_sector_figure(scene, stack);
  draw_bank_table(scene, below, table);
}

void other_lanes(ActionContext& c) {
  BanksState& s = c.state.of<BanksState>();
  s.lanes = chosen_lanes(s, c.model.result) == core::Lanes::of_32 ? "subgroups" : "32";
  s.instruction = 0;
}

}  // namespace

CentreView banks_row() {
  return {
      .name = "banks",
      .answers =
          "Which accesses conflict in shared memory, and how much do they fetch from global "
          "memory?",
      .manual = {.chapter = "Banks"},
      .there = always,
      .draw = draw_banks,
      .nothing = nothing,
      .needs = [](ViewStates&) { return core::Steps{core::Step::trace}; },
      .open = [](ViewStates& states) { states.of<BanksState>(); },
      .moves = {.step = [](ActionContext& c,
                           int by) { c.state.of<BanksState>().instruction_steps = by; },
                .leap = [](ActionContext& c, int by) { c.state.of<BanksState>().site_steps = by; },
                .alternate = other_lanes}};
}

}  // namespace ui

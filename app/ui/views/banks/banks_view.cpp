#include "ui/views/banks/banks_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/looked_into.h"
#include "ui/widgets/colormap.h"
#include "ui/widgets/format.h"

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

// The shared site with the most conflicts, as it is or with other rows; else the global site that
// wastes most of what it fetches.
std::size_t telling_row(const core::LaneReport& report) {
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t i = 0; i < report.shared.size(); ++i) {
    const auto extra =
        static_cast<double>(std::max(report.shared[i].extra(), report.padded[i].site.extra()));
    if (extra > most) {
      most = extra;
      best = i;
    }
  }
  for (std::size_t i = 0; report.shared.empty() && i < report.global.size(); ++i) {
    const auto wasted = static_cast<double>(report.global[i].fetched() - report.global[i].used);
    if (wasted > most) {
      most = wasted;
      best = i;
    }
  }
  return best;
}

void say_what_will_come(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  Rect rest = area.inset(frame.theme.px(24), frame.theme.px(24));
  rest.cut_top(frame.theme.px(24));
  if (const auto why = why_no_trace(frame)) {
    return nothing_yet(canvas, rest, *why);
  }
  if (result.trace && result.banks) {
    return nothing_yet(canvas, rest, "This workgroup touches no memory.");
  }
  nothing_yet(canvas, rest,
              "The banks of shared memory that a workgroup's instructions hit appear here as soon "
              "as it has been traced.");
}

void share_out(BankScene& scene, const Rect& area) {
  const Theme& theme = scene.theme();
  const float line = scene.canvas.line_height(theme.fonts.text);
  Rect rest = area;
  rest.cut_top(theme.px(10));  // as the names of the views beside it
  scene.head = rest.cut_top(line + theme.px(6)).inset(theme.px(16), 0.0F);
  rest.cut_top(theme.px(2));
  rest = rest.inset(theme.px(16), 0.0F);
  scene.controls = rest.cut_top(line + theme.px(4));
  rest.cut_top(theme.px(6));
  rest.cut_bottom(theme.px(6));
  const auto lines = static_cast<float>(scene.rows.size() + 2);  // two headings
  const float share = rest.height() < theme.px(300) ? 0.36F : 0.44F;
  scene.table = rest.cut_bottom(std::min(lines * line, share * rest.height()));
  rest.cut_bottom(theme.px(8));
  scene.figure = rest;
}

void draw_head(const BankScene& scene, const Rect& area) {
  const core::Result& result = scene.frame.model.result;
  const Theme& theme = scene.theme();
  Rect line = scene.head;
  line.high.x = title_line(scene.frame, scene.canvas, area).high.x;
  const std::string title =
      "Workgroup " + group_name(result, {scene.trace.workgroup[0], scene.trace.workgroup[1],
                                         scene.trace.workgroup[2]});
  scene.canvas.text_in(line, title, theme.fonts.text, theme.colours.text);
  line.cut_left(scene.canvas.measure(title, theme.fonts.text).x + theme.px(12));
  const bool whole = scene.trace.lost == 0 && scene.trace.incomplete.empty();
  const std::string how = "accesses instrumented, rules of banks and sectors modelled";
  const std::string brief = "modelled from its accesses";
  const bool room = scene.canvas.measure(how, theme.fonts.text).x <= line.width();
  scene.canvas.text_in(
      line,
      whole ? (room ? how : brief)
            : "incomplete: " + (scene.trace.incomplete.empty() ? "accesses did not fit"
                                                               : scene.trace.incomplete.front()),
      theme.fonts.text, whole ? theme.colours.dim : theme.colours.race);
}

bool step_button(const BankScene& scene, Rect& rest, const char* id, bool left) {
  const Theme& theme = scene.theme();
  const Rect box = rest.cut_left(theme.px(26));
  const Hit mouse = hit(id, box);
  if (mouse.hovered) {
    scene.canvas.fill(box.inset(1.0F, 1.0F), theme.colours.hover, theme.px(4));
  }
  const float d = left ? -theme.px(10) : theme.px(10);
  const glm::vec2 at = box.centre();
  scene.canvas.list().AddTriangleFilled({at.x - 0.5F * d, at.y - theme.px(6)},
                                        {at.x - 0.5F * d, at.y + theme.px(6)},
                                        {at.x + 0.5F * d, at.y}, theme.colours.text);
  return mouse.clicked;
}

// Whose lanes share an instruction: a word for each choice, the last to the right.
void draw_lanes_switch(const BankScene& scene, Rect& rest) {
  const Theme& theme = scene.theme();
  const bool same = scene.banks.of_32 == scene.banks.subgroups;
  const std::string own = scene.trace.subgroup_size > 0
                              ? fmt::format("subgroups of {}", scene.trace.subgroup_size)
                              : "subgroups";
  for (const bool of_32 : {true, false}) {
    if (same && of_32) {
      continue;
    }
    const std::string text = of_32 ? "32 invocations" : own;
    const float width = scene.canvas.measure(text, theme.fonts.text).x + theme.px(12);
    if (width > 0.35F * rest.width()) {
      return;
    }
    const Rect box = rest.cut_right(width);
    const bool on = &scene.report == (of_32 ? scene.banks.of_32 : scene.banks.subgroups).get();
    const Hit mouse = hit(text.c_str(), box);
    scene.canvas.text_in(box, text, theme.fonts.text,
                         on || mouse.hovered ? theme.colours.text : theme.colours.dim,
                         Align::centre);
    if (on && !same) {
      scene.canvas.fill({{box.low.x, box.high.y - theme.px(2)}, box.high}, theme.colours.accent);
    }
    if (mouse.clicked) {
      scene.state().lanes = of_32 ? "32" : "subgroups";
      scene.state().instruction = 0;
    }
  }
}

void draw_controls(const BankScene& scene) {
  const Theme& theme = scene.theme();
  Rect rest = scene.controls;
  BanksState& state = scene.state();
  state.instruction_steps -= step_button(scene, rest, "instruction back", true) ? 1 : 0;
  state.instruction_steps += step_button(scene, rest, "instruction on", false) ? 1 : 0;
  rest.cut_left(theme.px(8));
  draw_lanes_switch(scene, rest);
  rest.cut_right(theme.px(10));
  const core::SiteInstructions& own = scene.instructions(scene.chosen());
  const bool worst = state.instruction == 0;
  const std::string number =
      fmt::format("instruction {} of {}{}", count_text(scene.instruction - own.first + 1),
                  count_text(own.count()), worst ? ", the worst" : "");
  const core::TracedSite& site = scene.site();
  const std::string where = fmt::format("line {} {} {}", site.at.line,
                                        site.access == core::Access::read    ? "reads"
                                        : site.access == core::Access::write ? "writes"
                                                                             : "updates",
                                        scene.variable().name);
  const std::string brief =
      fmt::format("{}: {} of {}", where, count_text(scene.instruction - own.first + 1),
                  count_text(own.count()));
  for (const std::string& text :
       {fmt::format("{}: {}, in phase {}", where, number, scene.now().phase + 1),
        where + ": " + number, brief}) {
    if (text == brief || scene.canvas.measure(text, theme.fonts.text).x <= rest.width()) {
      scene.canvas.text_in(rest, text, theme.fonts.text, theme.colours.text);
      return;
    }
  }
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

void draw_banks(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  ask_for_trace(frame);
  const bool there = result.trace && result.banks;
  if (!there || result.banks->by(chosen_lanes(frame.state.of<BanksState>(), result))
                    .instructions.list.empty()) {
    return say_what_will_come(frame, canvas, area);
  }
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
  share_out(scene, area);
  light_line(scene);
  draw_head(scene, area);
  draw_controls(scene);
  scene.chosen().shared ? draw_bank_figure(scene) : draw_sector_figure(scene);
  draw_bank_table(scene);
}

}  // namespace ui

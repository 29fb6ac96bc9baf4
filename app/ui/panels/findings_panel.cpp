// What the check for races found: how much it covered, and each finding as a sentence that leads to
// its tile and its lines.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/findings/finding_kinds.h"
#include "ui/canvas/format.h"
#include "ui/looked_into.h"
#include "ui/panels/findings_state.h"
#include "ui/panels/panels.h"
#include "ui/views/tile/tile_state.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/legend.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

constexpr float kWidest = 28.0F;  // margins, of the list over the view
constexpr float kLow = 10.0F;     // lines of text; a lower panel has a narrow margin

// "RAW on tile_a", "divergent barrier": the sentence's headline.
std::string headline(const core::Finding& f) {
  if (f.kind == core::FindingKind::arithmetic) {
    return core::to_string(f.arithmetic);
  }
  const bool race = f.kind == core::FindingKind::race;
  return race ? fmt::format("{} on {}", core::to_string(f.hazard), f.variable)
              : fmt::format(fmt::runtime(core::row_of(f.kind).headline), f.variable);
}

std::string page(const core::Finding& f) {
  return fmt::format("For an explanation, run: tilescope explain {}", core::to_string(f.kind));
}

std::string lines_text(const core::Finding& f, const std::string& own) {
  if (f.kind == core::FindingKind::race) {
    return lines_name({{f.first.line, 0, f.first.file}, {f.second.line, 0, f.second.file}}, own);
  }
  return lines_name({{f.line, 0, f.file}}, own);
}

// Of whatever files.
std::string numbers_text(const core::Finding& f) {
  core::Finding alone = f;
  alone.file = alone.first.file = alone.second.file = "";
  return lines_text(alone, "");
}

// Of the shown kernel alone: another's barriers stand at other lines.
const core::KernelFacts* facts_of(const Frame& frame, const core::Finding& finding) {
  const ShownKernel kernel = frame.kernel();
  return finding.kernel.empty() || finding.kernel == kernel.id ? kernel.facts : nullptr;
}

// One finding of the list, and what is said of it.
struct Entry {
  std::size_t number = 0;
  bool chosen = false;
  std::string sentence;
  std::string more;
  std::string where;
  float height = 0.0F;
  std::vector<float> line_ends;  // below its top
};

Entry entry_of(const Frame& frame, const Canvas& canvas, std::size_t number, float width) {
  const Gaps& gap = frame.theme.gap;
  const core::Finding& finding = frame.model.result.races->findings[number];
  Entry entry{.number = number,
              .chosen = frame.state.view.finding == static_cast<std::int64_t>(number),
              .sentence = finding.sentence()};
  if (entry.chosen) {
    const std::string parts = index_text(frame, finding);
    entry.more =
        (parts.empty() ? "" : parts + ". ") + meaning_of(finding, facts_of(frame, finding));
    entry.where = page(finding);
  }
  float y = gap.medium;
  const auto add = [&](std::size_t lines) {
    for (; lines > 0; --lines) {
      y += canvas.line_height();
      entry.line_ends.push_back(y);
    }
    y += gap.small;
  };
  add(1);
  for (const std::string& text : {entry.sentence, entry.more, entry.where}) {
    add(canvas.wrap(text, frame.theme.fonts.text, width - 2.0F * gap.medium).size());
  }
  entry.height = entry.line_ends.back() + gap.medium;
  return entry;
}

void draw_entry(const Frame& frame, const Canvas& canvas, const Rect& area, const Entry& entry) {
  const Theme& theme = frame.theme;
  const Gaps& gap = theme.gap;
  const core::Finding& finding = frame.model.result.races->findings[entry.number];
  const Hit mouse = hit(fmt::format("finding {}", entry.number).c_str(), area);
  if (entry.chosen) {
    draw_box(canvas, area, theme.colours.race);
  } else if (mouse.hovered) {
    canvas.fill(area, theme.colours.hover, gap.small);
  }
  Stack rest{canvas, area.inset(gap.medium, gap.medium - 0.5F)};
  Strip head = rest.strip();
  mark::hatched(finding.severity() == core::Severity::error ? theme.colours.race
                                                            : theme.colours.dim)(
      canvas, head.square(std::round(0.7F * canvas.line_height())));
  const core::KernelFacts* facts = facts_of(frame, finding);
  const std::string own = facts != nullptr ? facts->file : std::string();
  const float room = head.rest.width() - canvas.width(headline(finding)) - 2.0F * gap.medium;
  head.right(canvas.fitting({lines_text(finding, own), numbers_text(finding)}, room), pen::dim);
  head.write(headline(finding));
  const float width = std::min(canvas.width(headline(finding)), head.rest.width());
  explain(canvas, {head.rest.low, {head.rest.low.x + width, head.rest.high.y}}, headline(finding));
  rest.gap(gap.small);
  rest.wrap(entry.sentence, pen::dim);
  rest.gap(gap.small);
  rest.wrap(entry.more);
  rest.gap(gap.small);
  rest.wrap(entry.where, pen::dim);
  if (mouse.clicked) {
    frame.actions().choose_finding(static_cast<std::int64_t>(entry.number));
  }
}

// Scrolls to the chosen finding once it was chosen.
void show_chosen(const Frame& frame, float low, float high, float room) {
  if (!frame.state.find_entry) {
    return;
  }
  frame.state.find_entry = false;
  if (low < ImGui::GetScrollY() || high - low >= room) {
    ImGui::SetScrollY(low);
  } else if (high > ImGui::GetScrollY() + room) {
    ImGui::SetScrollY(high - room);
  }
}

// The lowest end of a line that is not below `most`: what is cut off there is a whole line.
float whole_to(const std::vector<Entry>& entries, float top, float gap, float most) {
  float whole = top;
  for (const Entry& entry : entries) {
    for (const float end : entry.line_ends) {
      whole = top + end <= most ? top + end : whole;
    }
    top += entry.height;
    whole = top <= most ? top : whole;
    top += gap;
  }
  return whole;
}

// Findings that do not end above `most`.
std::size_t left_out(const std::vector<Entry>& entries, float top, float gap, float most) {
  std::size_t below = 0;
  for (const Entry& entry : entries) {
    below += top + entry.height > most ? 1U : 0U;
    top += entry.height + gap;
  }
  return below;
}

// A line at the bottom for what is left out, unless a finding would be cut to make room for it.
Rect cut_more(const Canvas& canvas, const std::vector<Entry>& entries, float gap, Rect& area) {
  float all = 0.0F;
  float highest = 0.0F;
  for (const Entry& entry : entries) {
    all += entry.height + gap;
    highest = std::max(highest, entry.height);
  }
  const float line = canvas.line_height();
  return all - gap > area.height() && highest + line <= area.height() ? area.cut_bottom(line)
                                                                      : Rect{};
}

// How much was checked, and why not all.
void draw_coverage(const Frame& frame, Stack& rest) {
  const core::Result& result = frame.model.result;
  const core::CheckReport& r = *result.races;
  if (!result.refused()) {
    rest.row(fmt::format("{} checked", workgroups_word(result)),
             fmt::format("{} of {}", count_text(r.workgroups_checked), count_text(r.workgroups)));
    rest.row("accesses to shared memory", std::to_string(r.accesses));
    rest.row("proven + checked", fmt::format("{} + {}", r.accesses_proven, r.accesses_checked));
  }
  rest.gap(frame.theme.gap.medium);
  for (const std::string& why : r.incomplete) {
    rest.wrap("Not fully checked: " + why + ".");
  }
}

void draw_list(const Frame& frame, const Canvas& ground, Rect area) {
  const Gaps& gap = frame.theme.gap;
  std::vector<Entry> entries;
  for (const std::size_t i :
       shown_findings(frame.state.of<FindingsState>(), *frame.model.result.races)) {
    entries.push_back(entry_of(frame, ground, i, area.width() - gap.medium));
  }
  const Rect more = cut_more(ground, entries, gap.small, area);
  Scrolled list(frame, ground, "list of findings", area);
  const float top = list.top().y;
  const float whole = whole_to(entries, top, gap.small, area.high.y);
  float y = top;
  {
    const Clip clip(list.canvas(), {area.low, {area.high.x, whole}});
    for (const Entry& entry : entries) {
      const Rect place{{area.low.x, y}, {area.high.x - gap.medium, y + entry.height}};
      draw_entry(frame, list.canvas(), place, entry);
      if (entry.chosen) {
        show_chosen(frame, y - top, y - top + entry.height, area.height());
      }
      y += entry.height + gap.small;
    }
  }
  Stack rest{list.canvas(), {{area.low.x + gap.medium, y}, {area.high.x - gap.large, y + 1e5F}}};
  draw_coverage(frame, rest);
  list.ends_at(rest.rest.low);
  const std::size_t count = left_out(entries, top, gap.small, whole);
  if (count > 0 && !more.empty()) {
    ground.write(more.inset(gap.medium, 0.0F), left_out_words(count).front(), pen::dim);
  }
}

// A word for each kind that was found; the one that is on is shown alone.
void draw_filters(const Frame& frame, Stack& rest) {
  const core::CheckReport& report = *frame.model.result.races;
  const auto kinds = kinds_of(report);
  if (kinds.size() < 2) {
    return;
  }
  FindingsState& state = frame.state.of<FindingsState>();
  const bool filtered = std::ranges::any_of(
      kinds, [&](const KindCount& k) { return core::to_string(k.kind) == state.kind; });
  Rect line = rest.lines();
  const auto word = [&](const std::string& text, const std::string& kind, bool on) {
    const float width = rest.canvas.width(text) + 1.0F;
    if (line.low.x + width > rest.rest.high.x) {
      line = rest.lines();
    }
    if (tab(rest.canvas, line.cut_left(width), "findings of kind " + kind, text, on)) {
      state.kind = on ? "" : kind;
    }
    line.cut_left(frame.theme.gap.medium);
  };
  word(fmt::format("all {}", report.findings.size()), "", !filtered);
  for (const KindCount& k : kinds) {
    const std::string kind = core::to_string(k.kind);
    word(fmt::format("{} {}", core::row_of(k.kind).filter, k.count), kind, kind == state.kind);
  }
  rest.gap(frame.theme.gap.medium);
}

void draw_unchecked(const Frame& frame, Stack& rest) {
  const core::Result& result = frame.model.result;
  if (result.races_progress > 0.0) {
    const double done = result.races_progress * static_cast<double>(result.tiles.group_count());
    rest.row(fmt::format("{} checked so far", workgroups_word(result)),
             fmt::format("{} of {}", count_text(static_cast<std::uint64_t>(done)),
                         count_text(result.tiles.group_count())));
    rest.gap(rest.theme().gap.medium);
    draw_progress_line(rest.canvas, rest.rest.cut_top(rest.theme().gap.small),
                       result.races_progress);
    return;
  }
  rest.wrap(result.text_only && result.error
                ? "The kernel does not run, so it is not checked."
                : "Findings appear here with their lines after the kernel has been checked. "
                  "The check runs after the first launches.",
            pen::dim);
}

std::string all_is_well(const core::CheckReport& r) {
  return r.accesses == 0 ? "The kernel uses no shared memory and has no data races on buffers."
                         : "No data races in shared memory. "
                           "Switch a barrier off to see a race: click its "
                           "dot beside the source.";
}

void draw_content(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  const Gaps& gap = frame.theme.gap;
  const bool any = result.races && !result.races->findings.empty();
  Stack rest{canvas, area};
  constexpr float kRoomy = 10.0F;  // lines; where there are fewer, findings have them
  const bool roomy = rest.has(kRoomy);
  if (result.refused()) {
    rest.heading(found_text(*result.races), "static analysis");
  } else if (!any || roomy) {  // the badge says it too
    rest.heading(any ? found_text(*result.races) : "Findings", "instrumented");
  }
  if (!result.races) {
    return draw_unchecked(frame, rest);
  }
  const core::CheckReport& r = *result.races;
  if (any) {
    draw_filters(frame, rest);
    draw_list(frame, canvas, {{rest.rest.low.x - gap.medium, rest.rest.low.y}, rest.rest.high});
    return;
  }
  draw_coverage(frame, rest);
  if (r.incomplete.empty()) {
    constexpr float kSentence = 5.0F;  // lines
    rest.wrap(rest.has(kSentence) ? all_is_well(r) : "No data races.", pen::dim);
  }
}

}  // namespace

void draw_findings(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "findings", area);
  const Theme& theme = frame.theme;
  panel.canvas().fill(area, theme.colours.surface);
  panel.canvas().line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  const bool low = area.height() < kLow * panel.canvas().line_height();
  const Rect rest = area.inset(theme.gap.large, low ? theme.gap.small : theme.gap.medium);
  panel.canvas().line({rest.low.x, area.low.y}, {rest.high.x, area.low.y}, theme.colours.line);
  draw_content(frame, panel.canvas(), rest);
}

void draw_findings_over(const Frame& frame, const Rect& view) {
  const Gaps& gap = frame.theme.gap;
  Rect box = view.inset(gap.large, gap.large);
  box.low.x = std::max(box.low.x, box.high.x - kWidest * gap.large);
  const Panel panel(frame, "findings over", box, Panel::Layer::overlay);
  draw_box(panel.canvas(), box, frame.theme.colours.line);
  draw_content(frame, panel.canvas(), box.inset(gap.large, gap.large));
}

void follow_finding(const Frame& frame) {
  State& state = frame.state;
  if (state.view.finding == state.shown_finding || !frame.model.result.races) {
    return;
  }
  const std::int64_t tile = state.view.tile;
  const std::string name = state.view.name;
  frame.actions().choose_finding(state.view.finding);
  state.view.name = name.empty() ? state.view.name : name;
  const TileState& seen = state.of<TileState>();
  const core::Finding* finding = chosen_finding(state.view, frame.model.result);
  state.find_race = finding != nullptr && finding->kind != core::FindingKind::race &&
                    seen.phase == 0 && seen.invocation == TileState::kExample && seen.cell < 0;
  // A scene that has chosen a tile too keeps it, as it does its phase and its cell.
  if (tile >= 0) {
    state.view.tile = tile;
    state.find_tile = false;
  }
}

void open_findings(const Frame& frame) {
  const auto& races = frame.model.result.races;
  if (!frame.findings_shown || !races || races->findings.empty()) {
    frame.state.findings_over = !frame.findings_shown && !frame.state.findings_over;
  }
  if (races && !races->findings.empty()) {
    const auto shown = shown_findings(frame.state.of<FindingsState>(), *races);
    const auto next = std::ranges::find_if(shown, [&](std::size_t i) {
      return static_cast<std::int64_t>(i) > frame.state.view.finding;
    });
    frame.actions().choose_finding(
        static_cast<std::int64_t>(next == shown.end() ? shown.front() : *next));
  }
}

}  // namespace ui

// What the check for races found: how much it covered, and each finding as a sentence that leads to
// its tile and its lines.
#include <algorithm>

#include <fmt/format.h>

#include "ui/panels/panels.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

// "RAW on tile_a", "divergent barrier": the sentence's headline.
std::string headline(const core::Finding& f) {
  switch (f.kind) {
    case core::FindingKind::divergent_barrier:
      return "divergent barrier";
    case core::FindingKind::out_of_bounds:
      return "index outside " + f.variable;
    case core::FindingKind::unfinished_loop:
      return "endless loop";
    case core::FindingKind::uninitialized:
      return fmt::format("{} read before it is written", f.variable);
    case core::FindingKind::arithmetic:
      return fmt::format("note: {}", core::to_string(f.arithmetic));
    case core::FindingKind::race:
      break;
  }
  return fmt::format("{}{} on {}", f.note ? "note: " : "", core::to_string(f.hazard), f.variable);
}

// What a finding means, for who meets its kind first.
const char* meaning(const core::Finding& f) {
  switch (f.kind) {
    case core::FindingKind::race:
      return f.note ? "Both write the same value, so the result is the same whoever is last. The "
                      "rules of the language still call it undefined."
                    : "Nothing says which of the two comes first, so the result depends on chance. "
                      "A barrier between the two lines makes one wait for the other.";
    case core::FindingKind::divergent_barrier:
      return "Some invocations would wait at the barrier for others that never come. Move it where "
             "all of the workgroup pass, or make the condition the same for all.";
    case core::FindingKind::out_of_bounds:
      return "The index is past the end of what it indexes, so that it would touch memory of "
             "something else. Compare it with the length first, or clamp it.";
    case core::FindingKind::unfinished_loop:
      return "The loop was left before it ended by itself. Nothing is known of what comes after "
             "it.";
    case core::FindingKind::uninitialized:
      return "Nothing has been written there yet, so any number may be read. Write it first, and "
             "let a barrier stand between the writes of others and this read.";
    case core::FindingKind::arithmetic:
      return "The operation has no useful result for these numbers, and what follows carries it "
             "on. "
             "Ask for the special case before it.";
  }
  return "";
}

std::string lines_text(const core::Finding& f) {
  if (f.kind == core::FindingKind::race) {
    return f.first.line == f.second.line ? fmt::format("line {}", f.first.line)
                                         : fmt::format("lines {}, {}", f.first.line, f.second.line);
  }
  return fmt::format("line {}", f.line);
}

void draw_mark(const Canvas& canvas, const Rect& box, const core::Finding& finding) {
  const Palette& c = canvas.theme().colours;
  const Colour colour = finding.note ? c.dim : c.race;
  canvas.fill(box, fade(colour, 0.3F));
  canvas.stripes(box, colour);
  canvas.frame(box, colour);
}

// One finding; returns its height.
float draw_entry(const Frame& frame, const Canvas& canvas, Rect area, std::size_t number) {
  const Theme& theme = frame.theme;
  const core::Finding& finding = frame.model.result.races->findings[number];
  const float line = canvas.line_height(theme.fonts.text);
  const float pad = theme.px(7);
  const float side = theme.px(12);
  const std::string sentence = finding.sentence();
  const float width = area.width() - 2.0F * pad;
  const bool chosen = frame.state.view.finding == static_cast<std::int64_t>(number);
  const auto lines = canvas.wrap(sentence, theme.fonts.text, width);
  const auto more = chosen ? canvas.wrap(meaning(finding), theme.fonts.text, width).size() : 0;
  area.high.y = area.low.y + 2.0F * pad + line * static_cast<float>(lines.size() + more + 1) +
                theme.px(more > 0 ? 7 : 3);
  const Hit mouse = hit(fmt::format("finding {}", number).c_str(), area);
  if (chosen || mouse.hovered) {
    canvas.fill(area, chosen ? theme.colours.raised : theme.colours.hover, theme.px(4));
  }
  if (chosen) {
    canvas.frame(area, theme.colours.race, 1.0F, theme.px(4));
  }
  Rect rest = area.inset(pad, pad);
  Rect head = rest.cut_top(line);
  const Rect mark = head.cut_left(side);
  draw_mark(canvas, mark.inset(0.0F, 0.5F * (mark.height() - side)), finding);
  head.cut_left(theme.px(7));
  const std::string at = lines_text(finding);
  const Rect right = head.cut_right(canvas.measure(at, theme.fonts.text).x + 1.0F);
  canvas.text_in(right, at, theme.fonts.text, theme.colours.dim);
  head.cut_right(theme.px(6));
  canvas.text_in(head, headline(finding), theme.fonts.text, theme.colours.text);
  rest.cut_top(theme.px(3));
  if (more > 0) {
    rest.cut_top(
        canvas.wrapped(rest.inset(0.0F, -1.0F), sentence, theme.fonts.text, theme.colours.dim) +
        theme.px(4));
    canvas.wrapped(rest.inset(0.0F, -1.0F), meaning(finding), theme.fonts.text, theme.colours.text);
  } else {
    canvas.wrapped(rest.inset(0.0F, -1.0F), sentence, theme.fonts.text, theme.colours.dim);
  }
  if (mouse.clicked) {
    frame.actions().choose_finding(static_cast<std::int64_t>(number));
  }
  return area.height();
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

void draw_list(const Frame& frame, const Canvas& ground, const Rect& area) {
  const Theme& theme = frame.theme;
  ImGui::SetCursorScreenPos(im(area.low));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0F, 0.0F));
  if (compat::begin_child("list of findings", im(area.size()), 0)) {
    const Canvas canvas(*ImGui::GetWindowDrawList(), theme, frame.trace, ground.layer(), true);
    const float top = ImGui::GetCursorScreenPos().y;
    float y = top;
    const std::size_t count = frame.model.result.races->findings.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Rect entry{{area.low.x, y}, {area.high.x - theme.px(10), y}};
      const float height = draw_entry(frame, canvas, entry, i);
      if (frame.state.view.finding == static_cast<std::int64_t>(i)) {
        show_chosen(frame, y - top, y - top + height, area.height());
      }
      y += height + theme.px(4);
    }
    ImGui::SetCursorScreenPos({area.low.x, y});
    ImGui::Dummy({1.0F, 1.0F});
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void draw_progress(const Canvas& canvas, Rect& rest, double progress) {
  const Theme& theme = canvas.theme();
  rest.cut_top(theme.px(6));
  Rect track = rest.cut_top(theme.px(6));
  canvas.fill(track, theme.colours.line, theme.px(3));
  canvas.fill(track.cut_left(static_cast<float>(progress) * track.width()), theme.colours.accent,
              theme.px(3));
}

void draw_unchecked(const Frame& frame, const Canvas& canvas, Rect rest) {
  const core::Result& result = frame.model.result;
  if (result.races_progress > 0.0) {
    const double done = result.races_progress * static_cast<double>(result.tiles.group_count());
    row(canvas, rest, "tiles checked so far",
        fmt::format("{} of {}", count_text(static_cast<std::uint64_t>(done)),
                    count_text(result.tiles.group_count())));
    draw_progress(canvas, rest, result.races_progress);
    return;
  }
  nothing_yet(canvas, rest,
              "Races between invocations appear here, each with both its lines, once the kernel "
              "has been checked; that follows its first launches.");
}

std::string all_is_well(const core::CheckReport& r) {
  return r.accesses == 0 ? "No race is possible: the kernel uses no shared memory."
                         : "No two invocations of a workgroup use a cell of shared memory without "
                           "a barrier between them. Switch a barrier off to see a race: click its "
                           "dot beside the source.";
}

void draw_coverage(const Canvas& canvas, Rect& rest, const core::CheckReport& r) {
  row(canvas, rest, "tiles checked",
      fmt::format("{} of {}", count_text(r.workgroups_checked), count_text(r.workgroups)));
  row(canvas, rest, "accesses to shared memory", std::to_string(r.accesses));
  row(canvas, rest, "of these proven + checked",
      fmt::format("{} + {}", r.accesses_proven, r.accesses_checked));
}

void draw_content(const Frame& frame, const Canvas& canvas, Rect rest) {
  const core::Result& result = frame.model.result;
  const Theme& theme = frame.theme;
  const bool any = result.races && !result.races->findings.empty();
  if (result.refused()) {
    heading(canvas, rest, found_text(*result.races), "from the text");
  } else {
    heading(canvas, rest, any ? "Findings: " + found_text(*result.races) : "Findings",
            "instrumented");
  }
  if (!result.races) {
    return draw_unchecked(frame, canvas, rest);
  }
  const core::CheckReport& report = *result.races;
  if (!result.refused()) {
    draw_coverage(canvas, rest, report);
  }
  rest.cut_top(theme.px(6));
  for (const std::string& why : report.incomplete) {
    rest.cut_top(canvas.wrapped(rest, "Not fully checked: " + why + ".", theme.fonts.text,
                                theme.colours.text));
  }
  if (any) {
    draw_list(frame, canvas, {{rest.low.x - theme.px(7), rest.low.y}, rest.high});
  } else if (report.incomplete.empty()) {
    canvas.wrapped(rest, all_is_well(report), theme.fonts.text, theme.colours.dim);
  }
}

}  // namespace

void draw_findings(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "findings", area);
  const Theme& theme = frame.theme;
  panel.canvas().fill(area, theme.colours.surface);
  panel.canvas().line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  Rect rest = area.inset(theme.px(16), theme.px(10));
  panel.canvas().line({rest.low.x, area.low.y}, {rest.high.x, area.low.y}, theme.colours.line);
  rest.high.x += theme.px(8);
  draw_content(frame, panel.canvas(), {rest.low, {rest.high.x - theme.px(8), rest.high.y}});
}

void draw_findings_over(const Frame& frame, const Rect& view) {
  const Theme& theme = frame.theme;
  Rect box = view.inset(theme.px(12), theme.px(12));
  box.low.x = std::max(box.low.x, box.high.x - theme.px(440));
  const Panel panel(frame, "findings over", box, Panel::Layer::overlay);
  panel.canvas().fill(box, theme.colours.surface, theme.px(6));
  panel.canvas().frame(box, theme.colours.line, 1.0F, theme.px(6));
  draw_content(frame, panel.canvas(), box.inset(theme.px(16), theme.px(12)));
}

void follow_finding(const Frame& frame) {
  State& state = frame.state;
  if (state.view.finding == state.shown_finding || !frame.model.result.races) {
    return;
  }
  const std::int64_t tile = state.view.tile;
  frame.actions().choose_finding(state.view.finding);
  // A scene that has chosen a tile too keeps it.
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
    const auto count = static_cast<std::int64_t>(races->findings.size());
    frame.actions().choose_finding((frame.state.view.finding + 1) % count);
  }
}

}  // namespace ui

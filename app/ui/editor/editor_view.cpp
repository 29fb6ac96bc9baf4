#include "ui/editor/editor_view.h"

#include <algorithm>

#include <fmt/format.h>

namespace ui {
namespace {

float x_of(const Canvas& canvas, const Sheet& sheet, const PlacedLine& line, std::size_t byte) {
  const std::string_view text = std::string_view(sheet.buffer.text()).substr(line.begin);
  const std::size_t length = std::clamp(byte, line.begin, line.end) - line.begin;
  return line.code.low.x + canvas.width(text.substr(0, length), pen::mono);
}

// The byte between letters that is nearest to the mouse; the font is monospaced.
std::size_t byte_at(const Canvas& canvas, const TextBuffer& buffer,
                    const std::vector<PlacedLine>& lines, glm::vec2 at) {
  const auto below = std::ranges::find_if(
      lines, [&at](const PlacedLine& line) { return at.y < line.code.high.y; });
  const PlacedLine& line = below == lines.end() ? lines.back() : *below;
  const float letter = canvas.width("0", pen::mono);
  const float column = std::max(0.0F, (at.x - line.code.low.x) / letter + 0.5F);
  const auto [number, before] = buffer.place_of(line.begin);
  return std::min(buffer.byte_of({number, before + static_cast<std::size_t>(column)}), line.end);
}

}  // namespace

void draw_selection(const Canvas& canvas, const Sheet& sheet, const PlacedLine& line) {
  const auto [first, last] = sheet.buffer.selection();
  if (first == last || last < line.begin || first > line.end) {
    return;
  }
  // A selected line break is a letter wide.
  const float more = last > line.end && !line.goes_on ? canvas.width("0", pen::mono) : 0.0F;
  const Rect area{{x_of(canvas, sheet, line, first), line.code.low.y},
                  {x_of(canvas, sheet, line, last) + more, line.code.high.y}};
  canvas.fill(area, fade(canvas.theme().colours.accent, 0.35F));
}

void draw_cursor(const Canvas& canvas, const Sheet& sheet, const PlacedLine& line) {
  const Theme& theme = canvas.theme();
  const float letter = canvas.width("0", pen::mono);
  const std::size_t cursor = sheet.buffer.cursor();
  if (const std::size_t other = sheet.buffer.matching();
      other != std::string::npos && other >= line.begin && other < line.end) {
    const float x = x_of(canvas, sheet, line, other);
    canvas.frame({{x, line.code.low.y}, {x + letter, line.code.high.y}}, theme.colours.accent);
  }
  if (cursor >= line.begin && (cursor < line.end || (cursor == line.end && !line.goes_on))) {
    const float x = x_of(canvas, sheet, line, cursor);
    canvas.fill({{x - theme.px(1), line.code.low.y}, {x + theme.px(1), line.code.high.y}},
                theme.colours.accent);
  }
}

void take_editor_mouse(const Frame& frame, const Canvas& canvas, const Rect& area,
                       const std::vector<PlacedLine>& lines) {
  if (lines.empty() || area.empty()) {
    return;
  }
  const Hit mouse = hit("code", area);
  const bool pressed = mouse.hovered && ImGui::IsMouseClicked(0);
  if (mouse.hovered || mouse.held) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  }
  if (!pressed && !mouse.held) {
    // A click elsewhere gives the keyboard back.
    if (ImGui::IsMouseClicked(0) && !mouse.hovered) {
      frame.state.of<Editor>().focused.clear();
    }
    return;
  }
  Sheet* sheet = pressed ? open_sheet(frame) : shown_sheet(frame);
  if (sheet == nullptr) {
    return;
  }
  const glm::vec2 at = vec(ImGui::GetIO().MousePos);
  const std::size_t byte = byte_at(canvas, sheet->buffer, lines, at);
  if (pressed && ImGui::IsMouseDoubleClicked(0)) {
    sheet->buffer.select_word(byte);
  } else if (pressed) {
    sheet->buffer.move_to(byte, ImGui::GetIO().KeyShift);
  } else if (ImGui::IsMouseDragging(0)) {
    sheet->buffer.move_to(byte, true);
  }
}

void draw_editor_head(const Frame& frame, Strip& head) {
  const Sheet* sheet = shown_sheet(frame);
  if (sheet == nullptr) {
    return;
  }
  const bool typed = sheet->begun != sheet->buffer.text();
  const bool save = typed && head.press("Save (Ctrl+S)");
  const bool discard = typed && head.press("Discard");
  const EditorState state = editor_state(frame, *sheet);
  const Palette& c = frame.theme.colours;
  head.right_if(state.words, state.broken       ? pen::text.in(mix(c.race, c.text, 0.45F))
                             : state.older_runs ? pen::accent
                                                : pen::dim);
  if (save) {
    frame.requests.save_kernel = KernelText{frame.kernel().sheet(), sheet->buffer.text()};
  }
  if (discard) {
    discard_sheet(frame);
  }
}

void draw_conflict(const Frame& frame, const Canvas& canvas, Stack& rest) {
  const Sheet* sheet = shown_sheet(frame);
  if (sheet == nullptr || !sheet->theirs) {
    return;
  }
  const Gaps& gap = frame.theme.gap;
  const Rect area = rest.rest.cut_top(canvas.line_height() + 2.0F * gap.small);
  canvas.fill(area, fade(frame.theme.colours.barrier, frame.theme.dark ? 0.25F : 0.45F));
  Strip strip{canvas, area.inset(gap.large, gap.small)};
  const bool mine = strip.press("Keep my text");
  const bool theirs = strip.press("Use the file");
  strip.fitting(
      {"This file was also changed outside Tilescope", "also changed outside", "changed"});
  if (mine || theirs) {
    end_conflict(frame, mine);
  }
}

Rect draw_older_mark(const Frame& frame, const Rect& view) {
  const Sheet* sheet = shown_sheet(frame);
  if (sheet == nullptr || frame.model.result.text_only || !editor_state(frame, *sheet).broken) {
    return view;
  }
  const Theme& theme = frame.theme;
  const Canvas ruler(*ImGui::GetForegroundDrawList(), theme, nullptr);
  Rect rest = view;
  const Rect area = rest.cut_top(ruler.line_height() + 2.0F * theme.gap.small);
  const Panel panel(frame, "older", area);
  const Canvas& canvas = panel.canvas();
  canvas.fill(area, theme.colours.surface);
  canvas.fill(area, fade(theme.colours.race, 0.22F));
  Strip strip{canvas, area.inset(theme.gap.large, theme.gap.small)};
  strip.fitting({"The text does not compile. The results are those of the last text that compiled",
                 "The text does not compile: results of an older text", "older text"});
  return rest;
}

void draw_find(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Editor& editor = frame.state.of<Editor>();
  Strip strip{canvas, area.inset(frame.theme.gap.large, 0.0F)};
  strip.left("find:", pen::dim);
  const std::string how =
      editor.found ? "Enter: next, Shift+Enter: previous, Esc: done" : "not found";
  if (canvas.width(how) < 0.6F * strip.rest.width()) {
    strip.right(how, editor.found ? pen::dim : pen::text.in(&Palette::race));
  }
  strip.write(editor.sought + "▏", pen::mono);
}

}  // namespace ui

// The kernel's source: line numbers, colours that mean memory, and what the pointed-at tile uses.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ui/editor/editor_view.h"
#include "ui/edits.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/panels/source/source_sight.h"
#include "ui/widgets/names.h"
#include "ui/widgets/phase_colour.h"

namespace ui {
namespace {

constexpr float kLow = 6.0F;  // lines of text; a lower panel has but the file's name above the code

Colour colour_of(const Palette& c, TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword:
      return c.keyword;
    case TokenKind::type:
      return c.type;
    case TokenKind::number:
      return c.number;
    case TokenKind::comment:
    case TokenKind::header:
    case TokenKind::preprocessor:
      return c.dim;
    case TokenKind::global:
      return c.global_text;
    case TokenKind::shared:
      return c.shared_text;
    case TokenKind::barrier:
      return c.barrier_text;
    case TokenKind::plain:
      break;
  }
  return c.text;
}

// Why nothing but the text is seen.
Wordings sealed_words(const Frame& frame) {
  if (frame.state.of<LessonState>().awaited()) {
    return {"Preparing this kernel; its results appear after the first run",
            "Its results appear after the first run", "Preparing"};
  }
  const core::LessonStep* step = frame.state.of<LessonState>().current();
  if (step != nullptr && step->asks_model()) {
    return {"The question is about this kernel; the model's answer appears after yours",
            "The model's answer appears after yours", "Results appear after you answer"};
  }
  return {"The question is about this kernel; its results appear after you answer",
          "Its results appear after you answer", "Results appear after you answer"};
}

// The kernel that is asked about is still to be read: what is there is that of the step before.
bool shows_another(const Frame& frame) {
  return is_sealed(frame) && !frame.state.of<LessonState>().awaited() &&
         frame.state.wanted.variant != frame.model.result.variant.id();
}

struct Text {
  const Frame& frame;
  const Canvas& canvas;
  Rect area;     ///< of all lines that can be seen
  float height;  ///< of a row
  const SourceLines& lines;
  float scrolled;  ///< of the code, to the left
};

// What the chosen finding or the advice says of the line, at its right end where there is room.
void draw_tag(const Text& text, Rect code, float used, const std::string& tag, Colour colour) {
  const Gaps& gap = text.canvas.theme().gap;
  code.low.x = used + gap.large;
  code.cut_right(gap.large);
  if (!tag.empty() && text.canvas.width(tag) < code.width()) {
    text.canvas.write(code, tag, pen::text.in(colour), Align::right);
  }
}

// One that is switched off is struck out, so that it is seen from afar; a fence, which makes nobody
// wait, is as hollow as its dot.
void draw_barrier_ground(const Text& text, const LineNotes& notes, const Rect& word) {
  const Theme& theme = text.canvas.theme();
  const auto some = [&](auto is) {
    return std::ranges::any_of(notes.barriers, [&](std::uint32_t k) {
      return is(barrier_edit(text.frame.state.wanted, k).value_or(core::BarrierKind::all));
    });
  };
  const bool off = some([](core::BarrierKind kind) { return kind == core::BarrierKind::off; });
  const bool fence = some([](core::BarrierKind kind) { return !core::waits(kind); });
  const Rect ground{word.low - glm::vec2(theme.gap.thin, -theme.px(1)),
                    word.high + glm::vec2(theme.gap.thin, -theme.px(1))};
  if (off) {
    const float y = word.centre().y;
    text.canvas.line({ground.low.x, y}, {ground.high.x, y}, theme.colours.barrier_text,
                     theme.gap.thin);
  } else if (fence) {
    text.canvas.frame(ground, theme.colours.barrier_text, 1.0F);
  } else {
    text.canvas.fill(ground, fade(theme.colours.barrier, theme.dark ? 0.16F : 0.45F));
  }
}

// Where a line's code ends, and where the comment behind it does.
struct Ends {
  float code = 0.0F, line = 0.0F;
};

Ends draw_code(const Text& text, glm::vec2 at, float y, const GlslLine& line, const RowPart& part,
               const LineNotes& notes) {
  const Theme& theme = text.canvas.theme();
  std::optional<float> code;
  std::size_t end = 0;
  for (const Token& token : line.tokens) {
    const std::size_t begin = std::exchange(end, end + token.text.size());
    if (end <= part.begin || begin >= part.end) {
      continue;
    }
    const std::size_t from = std::max(part.begin, begin) - begin;
    const std::string_view word = token.text.substr(from, std::min(part.end, end) - begin - from);
    if (token.kind == TokenKind::barrier) {
      const float width = text.canvas.width(word, pen::mono);
      draw_barrier_ground(text, notes, {{at.x, y}, {at.x + width, y + text.height}});
    } else if (token.kind == TokenKind::comment && !code) {
      code = at.x;
    }
    const Colour colour = colour_of(theme.colours, token.kind);
    at.x += text.canvas.text(at, word, theme.fonts.mono,
                             notes.unreached ? mix(colour, theme.colours.dim, 0.6F) : colour);
  }
  return {code.value_or(at.x), at.x};
}

// Where the name that a value is of begins in a row, in letters; 0: not there.
std::size_t name_in(const GlslLine& line, const RowPart& part, const std::string& value) {
  const std::string name = value.substr(0, value.find(' '));
  const std::string text = text_of(line).substr(part.begin, part.end - part.begin);
  const std::size_t at = text.find(" " + name + " ");
  return at == std::string::npos ? 0 : at + 1 + part.indent;
}

// Nobody is to take what the text says for what runs: where there is no room beside it, over the
// comment behind it, or over its end: from the name on, whose value it is.
void draw_value(const Text& text, Rect code, const Ends& ends, const std::string& value,
                std::size_t name) {
  const Theme& theme = text.canvas.theme();
  const Gaps& gap = theme.gap;
  const float width = text.canvas.width("… " + value) + 1.0F;
  const float right = code.high.x - gap.large;
  if (ends.line + gap.large + text.canvas.width(value) + 1.0F > right) {
    const float letter = text.canvas.width("0", pen::mono);
    const float begin = code.low.x - text.scrolled;
    const float named = begin + static_cast<float>(name) * letter;
    float most = std::min(ends.code + gap.large, right - width);
    if (most < ends.code && name > 0) {
      most = std::min(most, named);
    }
    code.low.x = begin + std::floor((most - gap.medium - begin) / letter + 0.5F) * letter;
    code.low.x = most == named ? named : code.low.x;
    text.canvas.fill(code, theme.colours.surface);
    code.low.x = most;
    text.canvas.write(code, (most < named && most < ends.code ? "… " : "") + value, pen::dim);
  } else {
    draw_tag(text, code, ends.line, value, theme.colours.dim);
  }
}

void draw_beside(const Text& text, const Rect& code, const Ends& ends, const LineNotes& notes,
                 std::size_t name, bool edited) {
  const Palette& c = text.canvas.theme().colours;
  if (!notes.tag.empty()) {
    draw_tag(text, code, ends.line, notes.tag, mix(c.race, c.text, 0.45F));
  } else if (!notes.advice.empty()) {
    draw_tag(text, code, ends.line, notes.advice, c.global_text);
  } else if (!notes.value.empty() && !edited) {  // a cursor may stand anywhere
    draw_value(text, code, ends, notes.value, name);
  }
}

// Where code that begins at `left` is cut, at a letter; none: it ends within its room.
std::optional<float> cut_at(const Text& text, const Rect& code, float left, std::string_view part) {
  const float letter = text.canvas.width("0", pen::mono);
  if (left + text.canvas.width(part, pen::mono) <= code.high.x) {
    return std::nullopt;
  }
  const float told = text.canvas.width("…", pen::mono);
  const float letters = std::floor((code.high.x - told - left) / letter);
  return letters > 0.0F ? std::optional(left + letters * letter) : std::nullopt;
}

// A row of a line. Where its code lies, for the editor.
PlacedLine draw_row(const Text& text, float y, std::size_t number, const RowPart& part,
                    std::size_t begin, bool lit) {
  const Canvas& canvas = text.canvas;
  const GlslLine& line = text.lines.listing.lines[number - 1];
  const LineNotes notes = text.lines.notes_of(number);
  const Theme& theme = canvas.theme();
  const Rect strip{{text.area.low.x, y}, {text.area.high.x, y + text.height}};
  if (lit && notes.mark == LineMark::none) {
    canvas.fill(strip, fade(theme.colours.global, 0.16F));
    canvas.fill({strip.low, {strip.low.x + theme.px(3), strip.high.y}}, theme.colours.global);
  }
  const Gutter& gutter = text.lines.gutter;
  draw_gutter(text.frame, canvas, gutter, strip,
              part.begin == 0 ? static_cast<std::uint32_t>(number) : 0, notes);
  const Rect code{{strip.low.x + gutter.width(), strip.low.y}, strip.high};
  const Clip clip(canvas, code);
  const float indent = static_cast<float>(part.indent) * canvas.width("0", pen::mono);
  const float left = code.low.x - text.scrolled + indent;
  const bool goes_on = part.end < length_of(line);
  PlacedLine placed{begin + part.begin, begin + part.end, goes_on, code};
  placed.code.low.x = left;
  const Editor& editor = text.frame.state.of<Editor>();
  const Sheet* sheet = editor.focused.empty() ? nullptr : shown_sheet(text.frame);
  if (sheet != nullptr) {
    draw_selection(canvas, *sheet, placed);
  }
  const std::string letters = text_of(line).substr(part.begin, part.end - part.begin);
  const auto cut = cut_at(text, code, left, letters);
  Ends ends;
  {
    const Clip whole(canvas, {code.low, {cut.value_or(code.high.x), code.high.y}});
    ends = draw_code(text, {left, y + 0.13F * text.height}, y, line, part, notes);
  }
  if (cut) {
    canvas.text({*cut, y + 0.13F * text.height}, "…", theme.fonts.mono, theme.colours.dim);
  }
  if (!goes_on) {
    draw_beside(text, code, ends, notes, name_in(line, part, notes.value), sheet != nullptr);
  }
  if (sheet != nullptr) {
    draw_cursor(canvas, *sheet, placed);
  }
  return placed;
}

// Pixels of the longest line; the font is monospaced.
float longest_line(const Canvas& canvas, const GlslListing& listing) {
  std::size_t longest = 0;
  for (const GlslLine& line : listing.lines) {
    const bool header = !line.tokens.empty() && line.tokens.front().kind == TokenKind::header;
    longest = std::max(longest, header ? 0 : length_of(line));
  }
  return static_cast<float>(longest) * canvas.width("0", pen::mono);
}

float draw_error(const Text& text, float y, const std::string& message) {
  const Theme& theme = text.canvas.theme();
  const float left = text.area.low.x + text.lines.gutter.width();
  const Rect room{{left, y}, {text.area.high.x - theme.gap.medium, y + 5.0F * text.height}};
  const float height =
      text.height * static_cast<float>(message_rows(text.canvas, message, text.area.high.x - left));
  text.canvas.fill({{text.area.low.x, y}, {text.area.high.x, y + height}},
                   fade(theme.colours.race, 0.22F));
  text.canvas.wrapped(room, message);
  return height;
}

// `later`: so much further down than the window is scrolled yet. Returns the phases of the lines in
// sight, as in LineNotes.
std::uint32_t draw_listing(const Frame& frame, const Canvas& canvas, const Rect& area, float top,
                           float later, const SourceLines& lines) {
  const Theme& theme = frame.theme;
  const auto& all = lines.listing.lines;
  const float height = canvas.line_height(pen::mono);
  const Text text{frame, canvas, area, height, lines, ImGui::GetScrollX()};
  const float gutter = lines.gutter.width();
  if (frame.state.open_barrier_menu) {
    frame.state.barrier_menu_at = area.low + glm::vec2(gutter, height);
  }
  const std::optional<LineError> error = line_error(frame);
  float y = top + later;
  std::size_t begin = 0;
  for (std::size_t line = 1; line < lines.first; ++line) {
    begin += length_of(all[line - 1]) + 1;
  }
  std::vector<PlacedLine> placed;
  std::uint32_t phases = 0;
  const auto seen = [&area, height](float at) {
    return at + 1.0F > area.low.y && at + height <= area.high.y;
  };
  for (std::size_t line = lines.first; line <= all.size(); ++line) {
    const std::size_t next = begin + length_of(all[line - 1]) + 1;
    if (const LineRun* fold = lines.fold_of(line)) {
      const Rect row{{area.low.x, y}, {area.high.x, y + height}};
      if (line == fold->first && area.contains(row.inset(0.0F, 1.0F))) {
        draw_source_fold(frame, canvas, row, *fold, gutter);
      }
      y += line == fold->first ? height : 0.0F;
    } else {
      const bool lit = is_lit(frame, all[line - 1], line);
      for (const RowPart& part : lines.parts_of(line)) {
        if (seen(y)) {
          placed.push_back(draw_row(text, y, line, part, begin, lit));
          phases |= lines.notes_of(line).phases;
        }
        y += height;
      }
      y += error && error->line == line ? draw_error(text, y, error->message) : 0.0F;
    }
    begin = next;
  }
  take_editor_mouse(frame, canvas, {{area.low.x + gutter, area.low.y}, area.high}, placed);
  draw_barrier_menu(frame);
  ImGui::SetCursorScreenPos({area.low.x, y - later});
  // So much more that the last line can be scrolled to with a whole one at the top.
  const float spare = area.height() - std::floor(area.height() / height) * height;
  ImGui::Dummy({gutter + theme.gap.large + longest_line(canvas, lines.listing), spare});
  return phases;
}

// A tab for each of the kernel's files: the one that is shown has one in any case, and those that
// have none are counted.
void draw_tabs(const Frame& frame, Strip& head, const Wordings& names) {
  const ShownKernel kernel = frame.kernel();
  const Canvas& canvas = head.canvas;
  const float gap = frame.theme.gap.large;
  const auto word_of = [&](std::size_t i, float room) {
    const std::string& path = kernel.files[i].path;
    return i == 0 ? canvas.fitting(names, room) : path.substr(path.rfind('/') + 1);
  };
  const float shown = canvas.width(word_of(kernel.file, 0.0F)) + gap + 1.0F;
  const float more_width = gap + canvas.width(left_out_words(kernel.files.size()).back()) + 1.0F;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < kernel.files.size(); ++i) {
    const bool last = left_out == 0 && i + 1 == kernel.files.size();
    const float room = head.rest.width() - (i < kernel.file ? shown : 0.0F) -
                       (last || i == kernel.file ? 0.0F : more_width);
    std::string word = word_of(i, room - 1.0F);
    if (i == kernel.file) {
      word = shorten_name(canvas, word, room - 1.0F);
    }
    const float width = canvas.width(word) + 1.0F;
    if (width > room) {
      ++left_out;
      continue;
    }
    const std::string& path = kernel.files[i].path;
    if (tab(canvas, head.rest.cut_left(width), "file " + path, word, i == kernel.file)) {
      frame.state.source_path = path;
      frame.state.source_scroll = State::Scroll::from_start;
    }
    head.rest.cut_left(gap);
  }
  const Wordings wordings = left_out_words(left_out);
  const std::string& more = canvas.fitting(wordings, head.rest.width() - 1.0F);
  if (left_out > 0 && canvas.width(more) < head.rest.width()) {
    head.left(more, pen::dim);
  }
}

// The file's name, or a tab for each of the kernel's files.
void draw_files(const Frame& frame, Strip& head) {
  const ShownKernel kernel = frame.kernel();
  const auto& known = frame.model.catalogue.all();
  const bool ours = std::ranges::find(known, kernel.id, &core::Variant::id) != known.end();
  const std::string name =
      ours ? fmt::format("shaders/{}.comp", kernel.id) : kernel.id.substr(kernel.id.rfind('/') + 1);
  const std::string alone = name.substr(name.rfind('/') + 1);
  Wordings names{name, alone};
  if (!kernel.files.empty() && kernel.files.front().decompiled) {
    const std::string& module = kernel.files.front().path;  // that of a saved launch, too
    names = {module.substr(module.rfind('/') + 1) + " (decompiled)"};
  }
  if (is_sealed(frame)) {  // a file's name may tell
    names = {frame.model.result.variant.title};
  } else if (kernel.launch > 0) {
    const std::string launch =
        fmt::format("launch {} of {}", kernel.launch, frame.model.result.launches.size());
    names = {launch + ": " + name, launch + ": " + alone, alone};
  }
  if (kernel.files.size() < 2) {
    const float room = head.rest.width();
    return head.left(shorten_name(head.canvas, head.canvas.fitting(names, room), room));
  }
  draw_tabs(frame, head, names);
}

// What a colour means.
struct Meaning {
  std::string word;
  Colour colour;
  float wide = 1.0F;  // of its mark, over its height
};

float mark_side(const Canvas& canvas) {
  return std::round(0.6F * canvas.line_height());
}

float room_of(const Canvas& canvas, const Meaning& meaning) {
  const Gaps& gap = canvas.theme().gap;
  return canvas.width(meaning.word) + gap.small + std::round(meaning.wide * mark_side(canvas)) +
         gap.large;
}

void put_meaning(Strip& strip, const Meaning& meaning) {
  const Gaps& gap = strip.canvas.theme().gap;
  const float side = mark_side(strip.canvas);
  strip.right(meaning.word, pen::dim);
  strip.rest.high.x += gap.medium - gap.small;
  const Rect box = strip.rest.cut_right(std::round(meaning.wide * side));
  strip.canvas.fill(box.inset(0.0F, std::floor(0.5F * (box.height() - side))), meaning.colour);
  strip.rest.cut_right(gap.large);
}

// At the right end, from the first on; those that there is no room for are counted, with `unnamed`
// others.
void draw_meanings(Strip strip, const std::vector<Meaning>& all, std::size_t unnamed = 0) {
  std::size_t shown = 0;
  std::string more;
  for (std::size_t wording = 0; shown == 0 && wording < 2; ++wording) {
    float used = 0.0F;
    for (std::size_t i = 0; i < all.size(); ++i) {
      used += room_of(strip.canvas, all[i]);
      const std::size_t others = all.size() - i - 1 + unnamed;
      const std::string words = others > 0 ? left_out_words(others)[wording] : std::string();
      const float told =
          others > 0 ? strip.canvas.width(words) + strip.canvas.theme().gap.medium : 0.0F;
      if (used + told <= strip.rest.width()) {
        shown = i + 1;
        more = words;
      }
    }
  }
  if (shown > 0 && !more.empty()) {
    strip.right(more, pen::dim);
  }
  while (shown-- > 0) {
    put_meaning(strip, all[shown]);
  }
}

// Names and colours of the memories, and of what did not run, beside the file's name.
void draw_head(const Frame& frame, Strip head) {
  draw_files(frame, head);
  draw_editor_head(frame, head);
  const Palette& c = frame.theme.colours;
  std::vector<Meaning> all{
      {"global memory", c.global}, {"shared memory", c.shared}, {"barrier", c.barrier}};
  if (const auto& races = frame.model.result.races; races && !races->unreached.empty()) {
    all.push_back({"never executed", fade(c.idle, 0.6F)});
  }
  draw_meanings(head, all);
}

// The bands beside the lines, named: those in sight first.
void draw_phase_legend(const Frame& frame, Strip rest, std::uint32_t in_sight) {
  const ShownKernel kernel = frame.kernel();
  std::vector<Meaning> all;
  std::vector<Meaning> others;
  for (const std::size_t i : banded_phases(kernel)) {
    const core::KernelPhase& phase = kernel.facts->phases[i];
    auto& to = (in_sight >> (all.size() + others.size()) & 1U) != 0 ? all : others;
    to.push_back({phase.opened_by == 0
                      ? fmt::format("from the start: {}", phase.name())
                      : fmt::format("after barrier {}: {}",
                                    kernel.barriers_before + phase.opened_by, phase.name()),
                  phase_colour(frame.theme.colours, phase), 0.4F});
  }
  std::ranges::move(others, std::back_inserter(all));
  if (!all.empty()) {
    draw_meanings(rest, all, kernel.facts->phases.size() - all.size());
  }
}

void draw_fold(const Frame& frame, const Canvas& canvas, const Rect& area, std::uint32_t in_sight) {
  if (is_sealed(frame)) {
    return draw_phase_legend(frame, {canvas, area.inset(frame.theme.gap.large, 0.0F)}, in_sight);
  }
  const std::size_t lines = listing_of(frame).header_lines;
  if (lines == 0) {
    return;
  }
  const std::string text = frame.state.header_folded
                               ? fmt::format("▶ header, {} line{}", lines, lines == 1 ? "" : "s")
                               : std::string("▼ header");
  const Hit mouse = hit("fold", area);
  Strip strip{canvas, area.inset(frame.theme.gap.large, 0.0F)};
  strip.left(text, mouse.hovered ? pen::text : pen::dim);
  draw_phase_legend(frame, strip, in_sight);
  if (mouse.clicked) {
    frame.state.header_folded = !frame.state.header_folded;
    constexpr int kToTheTop = -1'000'000;
    frame.state.scroll_lines = frame.state.header_folded ? 0 : kToTheTop;
  }
}

std::uint32_t draw_lines(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Scrolled listing(frame, canvas, "listing", area, ImGuiWindowFlags_HorizontalScrollbar);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  Rect seen = area;
  seen.high.y -= ImGui::GetScrollMaxX() > 0.0F ? bar : 0.0F;
  // Wrapped as beside a scrollbar, which would else come and go with the rows that this makes.
  const SourceLines lines =
      source_lines(frame, canvas, {seen.low, {seen.high.x - bar, seen.high.y}});
  seen.high.x -= ImGui::GetScrollMaxY() > 0.0F ? bar : 0.0F;
  const float later = ImGui::GetScrollY() - scroll_source(frame, canvas, lines, seen);
  return draw_listing(frame, listing.canvas(), seen, listing.top().y, later, lines);
}

}  // namespace

void draw_source(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "source", area);
  const Canvas& canvas = panel.canvas();
  const Theme& theme = frame.theme;
  canvas.fill(area, theme.colours.surface);
  canvas.line(area.low, {area.high.x, area.low.y}, theme.colours.line);
  if (area.high.x >= ImGui::GetIO().DisplaySize.x) {  // beside the view
    canvas.line(area.low, {area.low.x, area.high.y}, theme.colours.line);
  }
  Stack rest{canvas, area};
  rest.gap(theme.gap.medium);
  if (shows_another(frame)) {
    const Strip told{canvas, rest.lines().inset(theme.gap.large, 0.0F)};
    told.fitting({"Preparing the kernel; its source appears here", "Preparing the kernel"},
                 pen::accent);
    frame.state.of<Editor>().focused.clear();  // nobody types what can't be seen
    return;
  }
  follow_subject(frame);
  draw_head(frame, {canvas, rest.lines().inset(theme.gap.large, 0.0F)});
  rest.gap(theme.gap.small);
  if (is_sealed(frame)) {
    const Strip told{canvas, rest.lines().inset(theme.gap.large, 0.0F)};
    told.fitting(sealed_words(frame), pen::accent);
    frame.state.header_folded = true;  // it says what the kernel claims
  }
  draw_conflict(frame, canvas, rest);
  if (frame.kernel().source.empty()) {
    rest.rest = rest.rest.inset(theme.gap.large, theme.gap.medium);
    rest.wrap("The source of the kernel appears here after it is read.", pen::dim);
    return;
  }
  if (const auto error = line_error(frame);
      error && error->line <= listing_of(frame).header_lines) {
    frame.state.header_folded = false;  // the error stands below its line
  }
  const Editor& editor = frame.state.of<Editor>();
  const bool finding = editor.finding && !editor.focused.empty();
  const Rect above = finding || rest.has(kLow) ? rest.lines() : Rect();
  if (finding) {
    draw_find(frame, canvas, above);
  }
  const std::uint32_t in_sight = draw_lines(frame, canvas, rest.rest);
  if (!finding && !above.empty()) {
    draw_fold(frame, canvas, above, in_sight);
  }
}

}  // namespace ui

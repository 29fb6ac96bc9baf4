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
#include "ui/panels/source/source_fold.h"
#include "ui/panels/source/source_gutter.h"
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

const GlslListing& listing_of(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const std::string& source = shown_kernel(frame.state, result).source;
  Cache& cache = frame.cache;
  if (cache.tokens_of != source) {
    std::vector<std::string> names;
    for (const core::BufferSpec& buffer : result.buffers) {
      names.push_back(buffer.name);
    }
    cache.tokens_of = source;
    cache.listing = tokenize_glsl(cache.tokens_of, names);
  }
  return cache.listing;
}

bool is_sealed(const Frame& frame) {
  return frame.state.of<LessonState>().sealed();
}

// Why nothing but the text is seen.
Wordings sealed_words(const Frame& frame) {
  if (frame.state.of<LessonState>().awaited()) {
    return {"This kernel is made ready; what it does is shown as soon as it has run",
            "What it does is shown as soon as it has run", "It is made ready"};
  }
  return {"This is what will be run; what comes of it is shown when you have answered",
          "What comes of it is shown when you have answered", "Results follow your answer"};
}

// The kernel that is asked about is still to be read: what is there is that of the step before.
bool shows_another(const Frame& frame) {
  return is_sealed(frame) && !frame.state.of<LessonState>().awaited() &&
         frame.state.wanted.variant != frame.model.result.variant.id();
}

struct LineError {
  std::size_t line;
  std::string message;
};

// The kernel's error, when it belongs to a line of the source that is shown: of an included file
// the message begins with its name and the line.
std::optional<LineError> line_error(const Frame& frame) {
  const auto& error = frame.model.result.error;
  if (!error || frame.state.wanted.variant != frame.model.result.variant.id()) {
    return {};
  }
  const ShownKernel kernel = frame.kernel();
  if (error->line > 0) {
    return kernel.file == 0
               ? std::optional(LineError{static_cast<std::size_t>(error->line), error->message})
               : std::nullopt;
  }
  std::size_t line = 0;
  const std::string begin = kernel.sheet() + ":";
  if (const std::size_t at = error->message.find(begin); at != std::string::npos) {
    const char* number = error->message.data() + at + begin.size();
    std::from_chars(number, error->message.data() + error->message.size(), line);
  }
  return line > 0 ? std::optional(LineError{line, error->message}) : std::nullopt;
}

struct Text {
  const Frame& frame;
  const Canvas& canvas;
  Rect area;     ///< of all lines that can be seen
  float height;  ///< of a line
  SourceNotes notes;
  Gutter gutter;
  float scrolled;  ///< of the code, to the left
};

std::size_t length_of(const GlslLine& line) {
  std::size_t length = 0;
  for (const Token& token : line.tokens) {
    length += token.text.size();
  }
  return length;
}

// What the chosen finding or the advice says of the line, at its right end where there is room.
void draw_tag(const Text& text, Rect code, float used, const std::string& tag, Colour colour) {
  const Gaps& gap = text.canvas.theme().gap;
  code.low.x = used + gap.large;
  code.cut_right(gap.large);
  if (!tag.empty() && text.canvas.width(tag) < code.width()) {
    text.canvas.write(code, tag, pen::text.in(colour), Align::right);
  }
}

// One that is switched off is struck out, so that it is seen from afar.
void draw_barrier_ground(const Text& text, const LineNotes& notes, const Rect& word) {
  const Theme& theme = text.canvas.theme();
  const bool off = std::ranges::any_of(notes.barriers, [&text](std::uint32_t k) {
    return barrier_edit(text.frame.state.wanted, k) == core::BarrierKind::off;
  });
  const Rect ground{word.low - glm::vec2(theme.gap.thin, -theme.px(1)),
                    word.high + glm::vec2(theme.gap.thin, -theme.px(1))};
  if (off) {
    const float y = word.centre().y;
    text.canvas.line({ground.low.x, y}, {ground.high.x, y}, theme.colours.barrier_text,
                     theme.gap.thin);
  } else {
    text.canvas.fill(ground, fade(theme.colours.barrier, theme.dark ? 0.16F : 0.45F));
  }
}

// Where a line's code ends, and where the comment behind it does.
struct Ends {
  float code = 0.0F, line = 0.0F;
};

Ends draw_code(const Text& text, glm::vec2 at, float y, const GlslLine& line,
               const LineNotes& notes) {
  const Theme& theme = text.canvas.theme();
  std::optional<float> code;
  for (const Token& token : line.tokens) {
    if (token.kind == TokenKind::barrier) {
      const float width = text.canvas.width(token.text, pen::mono);
      draw_barrier_ground(text, notes, {{at.x, y}, {at.x + width, y + text.height}});
    } else if (token.kind == TokenKind::comment && !code) {
      code = at.x;
    }
    const Colour colour = colour_of(theme.colours, token.kind);
    at.x += text.canvas.text(at, token.text, theme.fonts.mono,
                             notes.unreached ? mix(colour, theme.colours.dim, 0.6F) : colour);
  }
  return {code.value_or(at.x), at.x};
}

// Nobody is to take what the text says for what runs: where there is no room beside it, over the
// comment behind it, or over its end, whose last letter before it is whole.
void draw_value(const Text& text, Rect code, const Ends& ends, const std::string& value) {
  const Theme& theme = text.canvas.theme();
  const Gaps& gap = theme.gap;
  const float width = text.canvas.width(value) + 1.0F;
  const float right = code.high.x - gap.large;
  if (ends.line + gap.large + width > right) {
    const float letter = text.canvas.width("0", pen::mono);
    const float begin = code.low.x - text.scrolled;
    const float most = std::min(ends.code + gap.large, right - width);
    code.low.x = begin + std::floor((most - gap.medium - begin) / letter) * letter;
    text.canvas.fill(code, theme.colours.surface);
    code.low.x = most;
    text.canvas.write(code, value, pen::dim);
  } else {
    draw_tag(text, code, ends.line, value, theme.colours.dim);
  }
}

void draw_beside(const Text& text, const Rect& code, const Ends& ends, const LineNotes& notes,
                 bool edited) {
  const Palette& c = text.canvas.theme().colours;
  if (!notes.tag.empty()) {
    draw_tag(text, code, ends.line, notes.tag, mix(c.race, c.text, 0.45F));
  } else if (!notes.advice.empty()) {
    draw_tag(text, code, ends.line, notes.advice, c.global_text);
  } else if (!notes.value.empty() && !edited) {  // a cursor may stand anywhere
    draw_value(text, code, ends, notes.value);
  }
}

// Where its code lies, for the editor.
PlacedLine draw_line(const Text& text, float y, std::size_t number, const GlslLine& line,
                     std::size_t begin, bool lit) {
  const Canvas& canvas = text.canvas;
  const auto found = text.notes.find(static_cast<std::uint32_t>(number));
  const LineNotes notes = found == text.notes.end() ? LineNotes{} : found->second;
  const Theme& theme = canvas.theme();
  const Rect strip{{text.area.low.x, y}, {text.area.high.x, y + text.height}};
  if (lit && notes.mark == LineMark::none) {
    canvas.fill(strip, fade(theme.colours.global, 0.16F));
    canvas.fill({strip.low, {strip.low.x + theme.px(3), strip.high.y}}, theme.colours.global);
  }
  draw_gutter(text.frame, canvas, text.gutter, strip, static_cast<std::uint32_t>(number), notes);
  const Rect code{{strip.low.x + text.gutter.width(), strip.low.y}, strip.high};
  const Clip clip(canvas, code);
  const float left = code.low.x - text.scrolled;
  PlacedLine placed{.begin = begin, .end = begin + length_of(line), .code = code};
  placed.code.low.x = left;
  const Editor& editor = text.frame.state.of<Editor>();
  const Sheet* sheet = editor.focused.empty() ? nullptr : shown_sheet(text.frame);
  if (sheet != nullptr) {
    draw_selection(canvas, *sheet, placed);
  }
  const Ends ends = draw_code(text, {left, y + 0.13F * text.height}, y, line, notes);
  draw_beside(text, code, ends, notes, sheet != nullptr);
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
  const float left = text.area.low.x + text.gutter.width();
  const Rect room{{left, y}, {text.area.high.x - theme.gap.medium, y + 4.0F * text.height}};
  const auto lines = text.canvas.wrap(message, theme.fonts.text, room.width());
  const float height =
      static_cast<float>(std::min<std::size_t>(lines.size(), 4)) * text.canvas.line_height();
  text.canvas.fill({{text.area.low.x, y}, {text.area.high.x, y + height}},
                   fade(theme.colours.race, 0.22F));
  text.canvas.wrapped(room, message);
  return height;
}

// The view shows accesses, and says which lines they come from.
bool shows_inside(const Frame& frame) {
  const std::string view = current_view(frame.state.view, frame.model.result);
  return view == "tile" || view == "banks" || view == "advice";
}

// In such a view: what the accesses that are shown come from. Else: what the tile reads.
bool is_lit(const Frame& frame, const GlslLine& line, std::size_t number) {
  if (shows_inside(frame)) {
    const ShownKernel kernel = frame.kernel();
    return std::ranges::any_of(frame.state.lit_lines, [&](const core::SourcePlace& at) {
      return at.line == number && kernel.shows(at.file);
    });
  }
  return frame.state.view.tile >= 0 && !line.globals.empty();
}

// The fold that a line lies in; its end where it lies in none.
auto fold_of(const std::vector<LineRun>& folds, std::size_t line) {
  return std::ranges::find_if(folds, [line](const LineRun& f) { return f.has(line); });
}

// `later`: so much further down than the window is scrolled yet. Returns the phases of the lines in
// sight, as in LineNotes.
std::uint32_t draw_listing(const Frame& frame, const Canvas& canvas, const Rect& area, float top,
                           float later, const std::vector<LineRun>& folds) {
  const Theme& theme = frame.theme;
  const GlslListing& listing = listing_of(frame);
  SourceNotes notes = source_notes(frame.model.result, frame.state);
  const Gutter gutter = measure_gutter(canvas, frame.kernel(), notes);
  const Text text{frame,
                  canvas,
                  area,
                  canvas.line_height(pen::mono),
                  std::move(notes),
                  gutter,
                  ImGui::GetScrollX()};
  if (frame.state.open_barrier_menu) {
    frame.state.barrier_menu_at = area.low + glm::vec2(gutter.width(), text.height);
  }
  const std::optional<LineError> error = line_error(frame);
  const std::size_t first = frame.state.header_folded ? listing.header_lines : 0;
  float y = top + later;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < first; ++i) {
    begin += length_of(listing.lines[i]) + 1;
  }
  std::vector<PlacedLine> placed;
  std::uint32_t phases = 0;
  for (std::size_t i = first; i < listing.lines.size(); ++i) {
    const auto fold = fold_of(folds, i + 1);
    if (fold != folds.end()) {
      const Rect row{{area.low.x, y}, {area.high.x, y + text.height}};
      if (i + 1 == fold->first && area.contains(row.inset(0.0F, 1.0F))) {
        draw_source_fold(frame, canvas, row, *fold, gutter.width());
      }
      y += i + 1 == fold->first ? text.height : 0.0F;
      begin += length_of(listing.lines[i]) + 1;
      continue;
    }
    if (y + 1.0F > area.low.y && y + text.height <= area.high.y) {
      const bool lit = is_lit(frame, listing.lines[i], i + 1);
      placed.push_back(draw_line(text, y, i + 1, listing.lines[i], begin, lit));
      const auto noted = text.notes.find(static_cast<std::uint32_t>(i + 1));
      phases |= noted == text.notes.end() ? 0U : noted->second.phases;
    }
    begin += length_of(listing.lines[i]) + 1;
    y += text.height;
    if (error && error->line == i + 1) {
      y += draw_error(text, y, error->message);
    }
  }
  take_editor_mouse(frame, canvas, {{area.low.x + gutter.width(), area.low.y}, area.high}, placed);
  draw_barrier_menu(frame);
  ImGui::SetCursorScreenPos({area.low.x, y - later});
  ImGui::Dummy({gutter.width() + theme.gap.large + longest_line(canvas, listing), 1.0F});
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
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < kernel.files.size(); ++i) {
    const float room = head.rest.width() - (i < kernel.file ? shown : 0.0F);
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
  }
}

// Those that a lesson's question is about.
const core::BarrierEdits* asked_barriers(const Frame& frame) {
  const LessonState& lessons = frame.state.of<LessonState>();
  const core::LessonStep* step = lessons.open() ? nullptr : lessons.current();
  return step == nullptr || step->experiment.barriers.empty() ? nullptr
                                                              : &step->experiment.barriers;
}

struct LineOfFile {
  std::size_t file = 0;  ///< of ShownKernel::files
  std::size_t line = 0;
  bool operator==(const LineOfFile&) const = default;
};

// The line that a lesson's step wants in sight; nothing: none, or another kernel is shown, or a
// race is to be seen.
std::optional<LineOfFile> wanted_line(const Frame& frame) {
  const std::string part = line_in_sight(frame.state);
  if (part.empty() || chosen_finding(frame.state.view, frame.model.result) != nullptr ||
      (told_lines(frame) && !shows_inside(frame))) {
    return std::nullopt;
  }
  const ShownKernel kernel = frame.kernel();
  for (std::size_t i = 0; i < std::max<std::size_t>(kernel.files.size(), 1); ++i) {
    const std::string& text = i == kernel.file ? kernel.source : kernel.files[i].text;
    if (const auto line = core::line_with(text, part)) {
      return LineOfFile{i, *line};
    }
  }
  return std::nullopt;
}

// What the source is about, beside its kernel: when that becomes something else, its lines are
// brought into sight. In grids a pointed-at tile: following the pointer would be restless.
std::string subject(const Frame& frame) {
  const State& state = frame.state;
  const core::Result& result = frame.model.result;
  if (chosen_finding(state.view, result) != nullptr) {
    return fmt::format("finding {}", state.view.finding);
  }
  if (const auto race = told_lines(frame); race && !shows_inside(frame)) {
    return fmt::format("race of {} and {}", race->first, race->last);
  }
  // While it is typed into, its cursor is followed.
  const bool typed_into = !frame.state.of<Editor>().focused.empty();
  if (wanted_line(frame) && !typed_into) {
    return fmt::format("step {} at scale {}", frame.state.of<LessonState>().step,
                       frame.theme.scale);
  }
  if (asked_barriers(frame) != nullptr) {
    // In letters of another size they are looked for again.
    return fmt::format("barriers asked about at scale {}", frame.theme.scale);
  }
  if (const auto mended = lines_to_mend(frame.state); mended && !typed_into) {
    return fmt::format("mending of {} to {}", mended->first, mended->last);
  }
  std::string text = !shows_inside(frame) && state.view.tile >= 0 ? "tile" : "";
  for (const core::SourcePlace& at : state.lit_lines) {
    text += fmt::format(" {}:{}", at.file, at.line);
  }
  return result.refused() ? std::string() : text;
}

// Where it stands: the chosen finding's file, or the one that has the view's accesses.
void follow_files(const Frame& frame, const core::KernelFacts& facts, bool another_kernel) {
  State& state = frame.state;
  if (another_kernel) {
    const bool own = std::ranges::any_of(facts.barriers, [&](const core::KernelBarrier& barrier) {
      return barrier.at.file.empty() || barrier.at.file == facts.file;
    });
    state.source_path =
        own || facts.barriers.empty() ? std::string() : facts.barriers.front().at.file;
  }
  const ShownKernel kernel = frame.kernel();  // with the file that was just chosen
  const core::Finding* finding = chosen_finding(state.view, frame.model.result);
  if (finding != nullptr && finding->first.line > 0) {
    state.source_path = finding->first.file;
  } else if (const auto wanted = wanted_line(frame)) {
    state.source_path = wanted->file > 0 ? kernel.files[wanted->file].path : std::string();
  } else if (finding == nullptr && lines_to_mend(state)) {
    state.source_path.clear();
  } else if (finding == nullptr && !state.lit_lines.empty() &&
             std::ranges::none_of(state.lit_lines, [&kernel](const core::SourcePlace& at) {
               return kernel.shows(at.file);
             })) {
    state.source_path = state.lit_lines.front().file;
  }
}

// The kernel's files are gone through when it, or what the source is about, becomes another.
void follow_subject(const Frame& frame) {
  State& state = frame.state;
  const ShownKernel kernel = shown_kernel(state, frame.model.result);
  if (kernel.facts == nullptr) {
    return;
  }
  const bool another_kernel = std::exchange(state.source_of, kernel.id) != kernel.id;
  const std::string about = subject(frame);
  const bool another = std::exchange(state.source_about, about) != about && !about.empty();
  if (another_kernel || another) {
    follow_files(frame, *kernel.facts, another_kernel);
    state.source_scroll = another_kernel ? State::Scroll::from_start : State::Scroll::from_here;
  }
}

// One of those that the experiment changes, where it does.
bool has_barrier(const Frame& frame, const LineNotes& notes) {
  const core::BarrierEdits& edits = frame.state.wanted.barriers;
  return std::ranges::any_of(notes.barriers, [&edits](std::uint32_t number) {
    return edits.empty() || edits.contains(number);
  });
}

// What is looked for among the lines, as far as the text has to be gone through for it.
struct Sought {
  bool another_kernel = false;
  std::optional<LineOfFile> wanted;
  std::optional<LineRun> mended;
};

// What a lesson's step wants; of another kernel its barriers, or why it was refused; else what the
// source is about.
bool is_sought(const Frame& frame, const LineNotes& notes, const GlslLine& line, std::size_t number,
               const Sought& sought) {
  if (sought.wanted) {
    return sought.wanted == LineOfFile{frame.kernel().file, number};
  }
  if (chosen_finding(frame.state.view, frame.model.result) != nullptr ||
      frame.model.result.refused()) {
    return notes.mark == LineMark::chosen;
  }
  if (const auto race = told_lines(frame); race && !shows_inside(frame)) {
    return number == race->first || number == race->last;
  }
  if (const core::BarrierEdits* asked = asked_barriers(frame)) {
    return std::ranges::any_of(notes.barriers,
                               [asked](std::uint32_t k) { return asked->contains(k); });
  }
  if (sought.mended) {
    return sought.mended->has(number) && frame.kernel().file == 0;
  }
  const bool told = shows_inside(frame) && !frame.state.lit_lines.empty();
  return sought.another_kernel && !told ? has_barrier(frame, notes) : is_lit(frame, line, number);
}

// Where something stands among the rows that are shown, in pixels; a top below 0: nowhere.
struct Stretch {
  float top = -1.0F, end = 0.0F;

  [[nodiscard]] bool seen(float from, float room) const {
    return top >= from && std::min(end, top + room) < from + room + 1.0F;
  }
};

// Barriers explain what stands between them: the nearest ones come into sight, too, as many as have
// room.
void take_barriers(Stretch& stretch, std::vector<float> ends, float height, float room) {
  const auto apart = [&](float end) {
    return std::max({stretch.top - end, end - height - stretch.end, 0.0F});
  };
  std::ranges::stable_sort(ends, {}, apart);
  for (const float end : ends) {
    const Stretch wider{std::min(stretch.top, end - height), std::max(stretch.end, end)};
    if (wider.end - wider.top > room) {
      break;
    }
    stretch = wider;
  }
}

// A line that a text speaks of is read with those around it.
void take_neighbours(Stretch& stretch, float height, float room, float all) {
  const float spare = std::floor(0.5F * (room / height - 1.0F));
  const float around = std::clamp(spare, 0.0F, 2.0F) * height;
  stretch.top = std::max(0.0F, stretch.top - around);
  stretch.end = std::min(all, stretch.end + around);
}

Stretch sought_stretch(const Frame& frame, float height, float room,
                       const std::vector<LineRun>& folds, const Sought& sought) {
  const GlslListing& listing = listing_of(frame);
  const SourceNotes notes = source_notes(frame.model.result, frame.state);
  const std::size_t first = frame.state.header_folded ? listing.header_lines : 0;
  Stretch stretch;
  std::vector<float> barriers;
  std::size_t rows = 0;
  for (std::size_t i = first; i < listing.lines.size(); ++i) {
    if (const auto fold = fold_of(folds, i + 1); fold != folds.end()) {
      rows += i + 1 == fold->first ? 1 : 0;
      continue;
    }
    ++rows;
    const auto found = notes.find(static_cast<std::uint32_t>(i + 1));
    const LineNotes here = found == notes.end() ? LineNotes{} : found->second;
    if (!here.barriers.empty()) {
      barriers.push_back(static_cast<float>(rows) * height);
    }
    if (is_sought(frame, here, listing.lines[i], i + 1, sought)) {
      stretch.end = static_cast<float>(rows) * height;
      stretch.top = stretch.top < 0.0F ? stretch.end - height : stretch.top;
    }
  }
  if (stretch.top >= 0.0F && sought.wanted) {
    take_neighbours(stretch, height, room, static_cast<float>(rows) * height);
  } else if (stretch.top >= 0.0F) {
    take_barriers(stretch, std::move(barriers), height, room);
  }
  return stretch;
}

// Where to scroll to from `now`: all that is sought where there is room, with some lines before;
// else its beginning. What was in sight stays there when the room gets less.
float brought_into_sight(const Frame& frame, float height, float room, float now,
                         const std::vector<LineRun>& folds) {
  const auto asked = std::exchange(frame.state.source_scroll, State::Scroll::none);
  const float before = std::exchange(frame.cache.source_room, room);
  if (asked == State::Scroll::none && room >= before) {
    return now;
  }
  const Sought sought{.another_kernel = asked == State::Scroll::from_start,
                      .wanted = wanted_line(frame),
                      .mended = lines_to_mend(frame.state)};
  const Stretch found = sought_stretch(frame, height, room, folds, sought);
  const float from = sought.another_kernel ? 0.0F : now;
  const bool was_out_of_sight = asked == State::Scroll::none && !found.seen(from, before);
  if (found.top < 0.0F || found.seen(from, room) || was_out_of_sight) {
    return from;
  }
  const float spare = std::max(0.0F, room - (found.end - found.top) - height);
  const float most = sought.wanted ? 0.5F * spare : 0.4F * room;
  const float above = std::floor(std::min(most, spare) / height) * height;
  return std::max(0.0F, found.top - above);
}

// A cursor that has moved is followed; into the header, which is then unfolded.
void follow_cursor(const Frame& frame, float line_height, float room) {
  Editor& editor = frame.state.of<Editor>();
  const Sheet* sheet = editor.focused.empty() ? nullptr : shown_sheet(frame);
  if (sheet == nullptr || !std::exchange(editor.reveal, false)) {
    return;
  }
  const std::size_t line = sheet->buffer.place_of(sheet->buffer.cursor()).line;
  frame.state.header_folded &= line >= listing_of(frame).header_lines;
  const std::size_t first = frame.state.header_folded ? listing_of(frame).header_lines : 0;
  const float top = static_cast<float>(line - first) * line_height;
  if (top < ImGui::GetScrollY()) {
    ImGui::SetScrollY(top);
  } else if (top + line_height > ImGui::GetScrollY() + room) {
    ImGui::SetScrollY(std::ceil((top + line_height - room) / line_height) * line_height);
  }
}

// Lines that are shown, and as many as a message below one of them takes at most.
float count_rows(const Frame& frame, const std::vector<LineRun>& folds) {
  constexpr std::size_t kMessage = 5;
  const GlslListing& listing = listing_of(frame);
  std::size_t rows = line_error(frame) ? kMessage : 0;
  for (std::size_t i = frame.state.header_folded ? listing.header_lines : 0;
       i < listing.lines.size(); ++i) {
    const auto fold = fold_of(folds, i + 1);
    rows += fold == folds.end() || i + 1 == fold->first ? 1 : 0;
  }
  return static_cast<float>(rows);
}

// Returns what this frame is scrolled to: the window itself follows in the next one.
float scroll(const Frame& frame, float line_height, float room, const std::vector<LineRun>& folds) {
  // Lines are shown whole, the first one stays when they get larger, and none is left below the
  // last: not even by what is typed into, which fills the panel wherever it was scrolled to.
  const float known = std::exchange(frame.cache.source_line, line_height);
  const float before = known > 0.0F ? known : line_height;
  frame.cache.source_room *= line_height / before;
  const float first = std::round(ImGui::GetScrollY() / before);
  const float rows = count_rows(frame, folds) - std::floor(room / line_height);
  const float most = std::max(0.0F, rows) * line_height;
  const float now = std::min(first * line_height, most);
  const float wanted = std::min(brought_into_sight(frame, line_height, room, now, folds), most);
  ImGui::SetScrollY(wanted);
  follow_cursor(frame, line_height, room);
  if (const int lines = std::exchange(frame.state.scroll_lines, 0); lines != 0) {
    const float by = static_cast<float>(lines) * line_height;
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
  }
  return wanted;
}

std::uint32_t draw_lines(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Scrolled listing(frame, canvas, "listing", area, ImGuiWindowFlags_HorizontalScrollbar);
  Rect seen = area;
  seen.high.y -= ImGui::GetScrollMaxX() > 0.0F ? ImGui::GetStyle().ScrollbarSize : 0.0F;
  const float line = canvas.line_height(pen::mono);
  const auto folds = source_folds(frame, static_cast<std::size_t>(seen.height() / line));
  const float later = ImGui::GetScrollY() - scroll(frame, line, seen.height(), folds);
  return draw_listing(frame, listing.canvas(), seen, listing.top().y, later, folds);
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
    told.fitting({"The kernel is made ready; its text appears here", "The kernel is made ready"},
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
    rest.wrap("The kernel's source appears here once the lab has read it.", pen::dim);
    return;
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

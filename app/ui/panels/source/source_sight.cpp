#include "ui/panels/source/source_sight.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ui/editor/editor.h"
#include "ui/edits.h"
#include "ui/lesson/lesson_panel.h"

namespace ui {
namespace {

// The view shows accesses, and says which lines they come from.
bool shows_inside(const Frame& frame) {
  const std::string view = current_view(frame.state.view, frame.model.result);
  return view == "tile" || view == "banks" || view == "advice";
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

// The lines of the finding that the source is about; a view that shows accesses is about those.
std::optional<LineRun> told_here(const Frame& frame) {
  const bool told = frame.model.result.refused() || !shows_inside(frame);
  return told ? told_lines(frame) : std::nullopt;
}

// The lines that a lesson's step wants in sight, in one file: where a finding is told, in the
// finding's. Empty: there are none, or another kernel is shown.
std::vector<LineOfFile> wanted_lines(const Frame& frame) {
  const std::vector<std::string> parts = lines_in_sight(frame.state);
  const core::Result& result = frame.model.result;
  if (parts.empty() || (chosen_finding(frame.state.view, result) != nullptr && !result.refused())) {
    return {};
  }
  const ShownKernel kernel = frame.kernel();
  const bool told = told_here(frame).has_value();
  std::vector<LineOfFile> wanted;
  for (std::size_t i = 0; i < std::max<std::size_t>(kernel.files.size(), 1) && wanted.empty();
       ++i) {
    const std::string& text = i == kernel.file ? kernel.source : kernel.files[i].text;
    if (!told || i == kernel.file) {
      for (const std::size_t line : core::lines_with(text, parts)) {
        wanted.push_back({i, line});
      }
    }
  }
  return wanted;
}

// What the source is about, beside its kernel: when that becomes something else, its lines are
// brought into sight. In grids a pointed-at tile: following the pointer would be restless.
std::string subject(const Frame& frame) {
  const State& state = frame.state;
  const core::Result& result = frame.model.result;
  if (result.text_only) {
    const auto error = line_error(frame);
    return error ? fmt::format("error in line {}", error->line) : std::string();
  }
  if (chosen_finding(state.view, result) != nullptr) {
    return fmt::format("finding {}", state.view.finding);
  }
  if (const auto race = told_here(frame)) {
    return fmt::format("race between {} and {}", race->first, race->last);
  }
  // While it is typed into, its cursor is followed.
  const bool typed_into = !frame.state.of<Editor>().focused.empty();
  if (!wanted_lines(frame).empty() && !typed_into) {
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
  } else if (const auto wanted = wanted_lines(frame); !wanted.empty()) {
    const std::size_t file = wanted.front().file;
    state.source_path = file > 0 ? kernel.files[file].path : std::string();
  } else if (finding == nullptr && lines_to_mend(state)) {
    state.source_path.clear();
  } else if (finding == nullptr && !state.lit_lines.empty() &&
             std::ranges::none_of(state.lit_lines, [&kernel](const core::SourcePlace& at) {
               return kernel.shows(at.file);
             })) {
    state.source_path = state.lit_lines.front().file;
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
  std::vector<LineOfFile> wanted;
  std::optional<LineRun> mended;
};

Sought sought_in(const Frame& frame) {
  return {.wanted = wanted_lines(frame), .mended = lines_to_mend(frame.state)};
}

// What a lesson's step wants, a finding is at, or a question asks about; nothing: nobody speaks of
// lines.
std::optional<bool> is_spoken_of(const Frame& frame, const LineNotes& notes, std::size_t number,
                                 const Sought& sought) {
  if (frame.model.result.text_only) {
    const auto error = line_error(frame);
    return error && error->line == number;
  }
  const bool wanted = std::ranges::find(sought.wanted, LineOfFile{frame.kernel().file, number}) !=
                      sought.wanted.end();
  if (chosen_finding(frame.state.view, frame.model.result) != nullptr ||
      frame.model.result.refused()) {
    return wanted || notes.mark == LineMark::chosen;
  }
  if (const auto race = told_here(frame)) {
    return wanted || number == race->first || number == race->last;
  }
  if (!sought.wanted.empty()) {
    return wanted;
  }
  if (const core::BarrierEdits* asked = asked_barriers(frame)) {
    return std::ranges::any_of(notes.barriers,
                               [asked](std::uint32_t k) { return asked->contains(k); });
  }
  if (sought.mended) {
    return sought.mended->has(number) && frame.kernel().file == 0;
  }
  return std::nullopt;
}

// Else of another kernel its barriers, or what the source is about.
bool is_sought(const Frame& frame, const LineNotes& notes, const GlslLine& line, std::size_t number,
               const Sought& sought, bool another_kernel) {
  if (const auto spoken = is_spoken_of(frame, notes, number, sought)) {
    return *spoken;
  }
  const bool told = shows_inside(frame) && !frame.state.lit_lines.empty();
  return another_kernel && !told ? has_barrier(frame, notes) : is_lit(frame, line, number);
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

// The first line that begins there or further down: none is seen without its beginning.
float top_of_line(const SourceLines& lines, float from, float height) {
  float top = 0.0F;
  for (std::size_t line = lines.first; line <= lines.listing.lines.size() && top < from; ++line) {
    top += static_cast<float>(lines.rows_of(line)) * height;
  }
  return top;
}

// A line that a text speaks of is read with those around it, where there is room for them.
void take_neighbours(Stretch& stretch, const SourceLines& lines, float height, float room,
                     float all) {
  const float spare = std::floor(0.5F * (room - (stretch.end - stretch.top)) / height);
  const float around = std::clamp(spare, 0.0F, 2.0F) * height;
  stretch.top = top_of_line(lines, std::max(0.0F, stretch.top - around), height);
  stretch.end = std::min(all, stretch.end + around);
}

Stretch sought_stretch(const Frame& frame, const SourceLines& lines, float height, float room,
                       const Sought& sought, bool another_kernel) {
  Stretch stretch;
  std::vector<float> barriers;
  std::size_t rows = 0;
  for (std::size_t line = lines.first; line <= lines.listing.lines.size(); ++line) {
    const float top = static_cast<float>(rows) * height;
    rows += lines.rows_of(line);
    if (lines.fold_of(line) != nullptr) {
      continue;
    }
    const float end = static_cast<float>(rows) * height;
    const LineNotes here = lines.notes_of(line);
    if (!here.barriers.empty()) {
      barriers.push_back(end);
    }
    if (is_sought(frame, here, lines.listing.lines[line - 1], line, sought, another_kernel)) {
      stretch.end = end;
      stretch.top = stretch.top < 0.0F ? top : stretch.top;
    }
  }
  if (stretch.top >= 0.0F && !sought.wanted.empty()) {
    take_neighbours(stretch, lines, height, room, static_cast<float>(rows) * height);
  } else if (stretch.top >= 0.0F) {
    take_barriers(stretch, std::move(barriers), height, room);
  }
  return stretch;
}

// The beginning of the line there.
float top_before(const SourceLines& lines, float at, float height) {
  float top = 0.0F;
  for (std::size_t line = lines.first; line <= lines.listing.lines.size(); ++line) {
    const float next = top + static_cast<float>(lines.rows_of(line)) * height;
    if (next > at + 1.0F) {
      return top;
    }
    top = next;
  }
  return at;
}

// The line that a row belongs to, and which of its rows that is.
std::pair<std::size_t, std::size_t> line_at(const SourceLines& lines, std::size_t row) {
  for (std::size_t line = lines.first; line <= lines.listing.lines.size(); ++line) {
    const std::size_t rows = lines.rows_of(line);
    if (row < rows) {
      return {line, row};
    }
    row -= rows;
  }
  return {0, 0};
}

// The row that was at the top stays there, whatever is wrapped or folded above it by now; as long
// as nobody has scrolled.
float kept_first(const Frame& frame, const SourceLines& lines, float first) {
  const std::size_t top = frame.cache.source_top;
  if (first != std::round(frame.cache.source_first) || top < lines.first) {
    return first;
  }
  std::size_t rows = 0;
  for (std::size_t line = lines.first; line < std::min(top, lines.listing.lines.size() + 1);
       ++line) {
    rows += lines.rows_of(line);
  }
  const std::size_t own = top <= lines.listing.lines.size() ? lines.rows_of(top) : 0;
  return static_cast<float>(rows + (own > 1 ? std::min(frame.cache.source_row, own - 1) : 0));
}

// The number of shown rows, with those of the message below a line.
float count_rows(const SourceLines& lines) {
  std::size_t rows = lines.message_rows;
  for (std::size_t line = lines.first; line <= lines.listing.lines.size(); ++line) {
    rows += lines.rows_of(line);
  }
  return static_cast<float>(rows);
}

// As far as is needed for [begin, end) to be seen.
float scrolled_to(float now, float room, float begin, float end) {
  return begin < now ? begin : std::max(now, end - room);
}

// The cursor's line, while it is typed into; `first` is the one at the top of all.
std::optional<Stretch> cursor_line(const Frame& frame, const SourceLines& lines, float height,
                                   std::size_t first) {
  const Sheet* sheet = frame.state.of<Editor>().focused.empty() ? nullptr : shown_sheet(frame);
  if (sheet == nullptr) {
    return std::nullopt;
  }
  const std::size_t cursor = sheet->buffer.place_of(sheet->buffer.cursor()).line + 1;
  std::size_t rows = 0;
  for (std::size_t line = first; line < cursor; ++line) {
    rows += lines.rows_of(line);
  }
  const float top = static_cast<float>(rows) * height;
  return Stretch{top, top + static_cast<float>(lines.rows_of(cursor)) * height};
}

// Where to scroll to from `now`: all that is sought where there is room, with some lines before;
// else its beginning. What was in sight stays there when the room gets less, or other rows more,
// and the line that is typed into whatever is found meanwhile.
float brought_into_sight(const Frame& frame, const SourceLines& lines, float height, float room,
                         float now) {
  const auto asked = std::exchange(frame.state.source_scroll, State::Scroll::none);
  const float before = std::exchange(frame.cache.source_room, room);
  const float rows = count_rows(lines);
  const bool as_it_was = std::exchange(frame.cache.source_rows, rows) == rows && room >= before;
  if (asked == State::Scroll::none && as_it_was) {
    return now;
  }
  const bool another_kernel = asked == State::Scroll::from_start;
  const Sought sought = sought_in(frame);
  const Stretch found = sought_stretch(frame, lines, height, room, sought, another_kernel);
  const float from = another_kernel ? 0.0F : now;
  const glm::vec2 last = std::exchange(frame.cache.source_sought, glm::vec2(found.top, found.end));
  const bool was_out_of_sight =
      asked == State::Scroll::none && !Stretch{last.x, last.y}.seen(from, before);
  if (found.top < 0.0F || found.seen(from, room) || was_out_of_sight) {
    return from;
  }
  const float spare = std::max(0.0F, room - (found.end - found.top) - height);
  const float most = !sought.wanted.empty() ? 0.5F * spare : 0.4F * room;
  const float above = std::floor(std::min(most, spare) / height) * height;
  const float to = top_of_line(lines, std::max(0.0F, found.top - above), height);
  const auto cursor = cursor_line(frame, lines, height, lines.first);
  return cursor ? scrolled_to(to, std::floor(room / height) * height, cursor->top, cursor->end)
                : to;
}

// A cursor that has moved is followed; into the header, which is then unfolded.
void follow_cursor(const Frame& frame, const Canvas& canvas, const SourceLines& lines,
                   const Rect& seen) {
  Editor& editor = frame.state.of<Editor>();
  const Sheet* sheet = editor.focused.empty() ? nullptr : shown_sheet(frame);
  if (sheet == nullptr || !std::exchange(editor.reveal, false)) {
    return;
  }
  const auto [line, column] = sheet->buffer.place_of(sheet->buffer.cursor());
  frame.state.header_folded &= line >= lines.listing.header_lines;
  const std::size_t first = frame.state.header_folded ? lines.listing.header_lines : 0;
  const float height = canvas.line_height(pen::mono);
  const Stretch own = cursor_line(frame, lines, height, first + 1).value_or(Stretch{});
  const float down = scrolled_to(ImGui::GetScrollY(), seen.height(), own.top, own.end);
  ImGui::SetScrollY(std::ceil(down / height) * height);
  // With some letters on both sides of it.
  constexpr float kAround = 4.0F;
  const float letter = canvas.width("0", pen::mono);
  const float x = lines.wrapped.contains(line + 1) ? 0.0F : static_cast<float>(column) * letter;
  ImGui::SetScrollX(scrolled_to(ImGui::GetScrollX(), seen.width() - lines.gutter.width(),
                                std::max(0.0F, x - kAround * letter), x + kAround * letter));
}

}  // namespace

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

bool is_sealed(const Frame& frame) {
  return frame.state.of<LessonState>().sealed();
}

std::size_t length_of(const GlslLine& line) {
  std::size_t length = 0;
  for (const Token& token : line.tokens) {
    length += token.text.size();
  }
  return length;
}

std::string text_of(const GlslLine& line) {
  std::string text;
  for (const Token& token : line.tokens) {
    text += token.text;
  }
  return text;
}

const GlslListing& listing_of(const Frame& frame) {
  const core::Result& result = frame.model.result;
  const ShownKernel kernel = shown_kernel(frame.state, result);
  const std::string& source = kernel.source;
  Cache& cache = frame.cache;
  if (cache.tokens_of != source) {
    std::vector<std::string> names;
    for (const core::BufferSpec& buffer : result.buffers) {
      names.push_back(buffer.name);
    }
    std::ranges::move(buffer_arrays(source), std::back_inserter(names));
    for (const core::SourceFile& file : kernel.files) {  // they may name them otherwise
      std::ranges::move(buffer_arrays(file.text), std::back_inserter(names));
    }
    cache.tokens_of = source;
    cache.listing = tokenize_glsl(cache.tokens_of, names);
  }
  return cache.listing;
}

bool is_lit(const Frame& frame, const GlslLine& line, std::size_t number) {
  if (shows_inside(frame)) {
    const ShownKernel kernel = frame.kernel();
    return std::ranges::any_of(frame.state.lit_lines, [&](const core::SourcePlace& at) {
      return at.line == number && kernel.shows(at.file);
    });
  }
  return frame.state.view.tile >= 0 && !line.globals.empty();
}

LineNotes SourceLines::notes_of(std::size_t line) const {
  const auto found = notes.find(static_cast<std::uint32_t>(line));
  return found == notes.end() ? LineNotes{} : found->second;
}

const LineRun* SourceLines::fold_of(std::size_t line) const {
  const auto found = std::ranges::find_if(folds, [line](const LineRun& f) { return f.has(line); });
  return found == folds.end() ? nullptr : &*found;
}

std::vector<RowPart> SourceLines::parts_of(std::size_t line) const {
  const auto found = wrapped.find(line);
  return found == wrapped.end() ? std::vector{RowPart{0, length_of(listing.lines[line - 1]), 0}}
                                : found->second;
}

std::size_t SourceLines::rows_of(std::size_t line) const {
  if (const LineRun* fold = fold_of(line)) {
    return line == fold->first ? 1 : 0;
  }
  const auto found = wrapped.find(line);
  return found == wrapped.end() ? 1 : found->second.size();
}

namespace {

// The lines that are seen together, and a fold between each two; what was mended is one piece.
std::size_t rows_kept(const Frame& frame, const SourceLines& lines, const Sought& sought) {
  const bool told = told_lines(frame).has_value();
  std::size_t kept = (told ? 2 : 0) + sought.wanted.size();
  for (const auto& [line, notes] : lines.notes) {
    kept += std::ranges::any_of(
                notes.barriers,
                [&frame](std::uint32_t k) { return frame.state.wanted.barriers.contains(k); })
                ? 1
                : 0;
  }
  const bool mending = sought.mended && !told && sought.wanted.empty() && frame.kernel().file == 0;
  const std::size_t mended = mending ? sought.mended->last + 1 - sought.mended->first : 1;
  return std::max(2 * std::max<std::size_t>(kept, 1) - 1, mended);
}

// Letters of code that the words behind a line take; 0: there are none.
std::size_t letters_behind(const Canvas& canvas, const LineNotes& notes) {
  if (notes.tag.empty()) {
    return 0;
  }
  const float words = canvas.width(notes.tag) + 2.0F * canvas.theme().gap.large;
  return static_cast<std::size_t>(std::ceil(words / canvas.width("0", pen::mono)));
}

// The lines from the first to the last that a finding is at.
std::size_t marked_lines(const SourceLines& lines) {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  for (const auto& [line, notes] : lines.notes) {
    if (notes.mark == LineMark::chosen) {
      first = first == 0 ? line : first;
      last = line;
    }
  }
  return first == 0 ? 0 : last + 1 - first;
}

// What is spoken of is seen whole, on as many of the panel's rows as it takes; then what the view
// lights; of a sealed step all. Returns the rows that are left to fold the others into.
std::size_t wrap_spoken_of(const Frame& frame, const Canvas& canvas, SourceLines& lines,
                           const Sought& sought, std::size_t columns, std::size_t rows) {
  std::size_t needed = rows_kept(frame, lines, sought);
  for (const bool first : {true, false}) {
    for (std::size_t line = lines.first; line <= lines.listing.lines.size(); ++line) {
      const GlslLine& text = lines.listing.lines[line - 1];
      const bool spoken_of =
          is_spoken_of(frame, lines.notes_of(line), line, sought).value_or(false);
      const bool lit = shows_inside(frame) && is_lit(frame, text, line);
      // A value takes the place of the comment behind its name: on one row.
      const bool has_value = !lines.notes_of(line).value.empty();
      if (spoken_of != first || !(spoken_of || lit || is_sealed(frame)) || has_value) {
        continue;
      }
      auto parts = row_parts(text_of(text), columns);
      // What stands between the lines of a finding matters more than what is said beside them.
      const std::size_t behind = letters_behind(canvas, lines.notes_of(line));
      if (auto tagged = row_parts(text_of(text), columns, behind);
          tagged.size() - 1 + std::max(needed, marked_lines(lines)) <= rows) {
        parts = std::move(tagged);
      }
      if (parts.size() > 1 && parts.size() - 1 + needed <= rows) {
        rows -= spoken_of || lit ? parts.size() - 1 : 0;
        lines.wrapped.emplace(line, std::move(parts));
      }
    }
    needed += first && !sought.wanted.empty() ? 1 : 0;
  }
  return rows;
}

}  // namespace

std::size_t message_rows(const Canvas& canvas, const std::string& message, float width) {
  constexpr std::size_t kMost = 4;
  const Theme& theme = canvas.theme();
  const auto lines = canvas.wrap(message, theme.fonts.text, width - theme.gap.medium);
  const float high = static_cast<float>(std::min(lines.size(), kMost)) * canvas.line_height();
  return static_cast<std::size_t>(std::ceil(high / canvas.line_height(pen::mono)));
}

SourceLines source_lines(const Frame& frame, const Canvas& canvas, const Rect& seen) {
  const GlslListing& listing = listing_of(frame);
  SourceLines lines{.listing = listing, .notes = source_notes(frame.model.result, frame.state)};
  lines.gutter = measure_gutter(canvas, frame.kernel(), lines.notes);
  lines.first = 1 + (frame.state.header_folded ? listing.header_lines : 0);
  const float width = seen.width() - lines.gutter.width() - canvas.theme().gap.large;
  const auto columns =
      static_cast<std::size_t>(std::max(0.0F, width) / canvas.width("0", pen::mono));
  if (const auto error = line_error(frame)) {
    lines.message_rows = message_rows(canvas, error->message, seen.width() - lines.gutter.width());
  }
  const Sought sought = sought_in(frame);
  const std::size_t room =
      wrap_spoken_of(frame, canvas, lines, sought, columns,
                     static_cast<std::size_t>(seen.height() / canvas.line_height(pen::mono)));
  std::vector<std::size_t> wanted;
  for (const LineOfFile& line : sought.wanted) {
    if (line.file == frame.kernel().file) {
      wanted.push_back(line.line);
    }
  }
  lines.folds = source_folds(frame, wanted, room);
  return lines;
}

namespace {

// From the start of the text to the line of its error. A lesson says itself which lines it is
// about, and the cursor is followed where the text is typed into.
void follow_error(const Frame& frame) {
  State& state = frame.state;
  const auto error = line_error(frame);
  const std::string about =
      fmt::format("{}, error in line {}", frame.model.result.variant.id(), error ? error->line : 0);
  const bool another = std::exchange(state.source_about, about) != about;
  if (another && error && state.of<Editor>().focused.empty() && !state.of<LessonState>().lesson) {
    state.source_of.clear();
    state.source_path.clear();
    state.source_scroll = State::Scroll::from_start;
  }
}

}  // namespace

void follow_subject(const Frame& frame) {
  State& state = frame.state;
  if (frame.model.result.text_only) {
    return follow_error(frame);
  }
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

float scroll_source(const Frame& frame, const Canvas& canvas, const SourceLines& lines,
                    const Rect& seen) {
  // Lines are shown whole, the first one stays when they get larger, and none is left below the
  // last: not even by what is typed into, which fills the panel wherever it was scrolled to.
  const float height = canvas.line_height(pen::mono);
  const float room = seen.height();
  const float known = std::exchange(frame.cache.source_line, height);
  const float before = known > 0.0F ? known : height;
  frame.cache.source_room *= height / before;
  frame.cache.source_sought *= height / before;
  // Of lines that were not there in the frame before not all can be scrolled to yet.
  const bool stopped = ImGui::GetScrollY() > ImGui::GetScrollMaxY() - 1.0F;
  const float first =
      std::max(std::round(ImGui::GetScrollY() / before), stopped ? frame.cache.source_first : 0.0F);
  const float rows = count_rows(lines) - std::floor(room / height);
  const float most = std::max(0.0F, rows) * height;
  const float now = std::min(kept_first(frame, lines, first) * height, most);
  const float sought = brought_into_sight(frame, lines, height, room, now);
  // Brought to the last rows, it begins with a line all the same.
  const float wanted =
      sought > most && sought != now ? top_before(lines, most, height) : std::min(sought, most);
  ImGui::SetScrollY(wanted);
  frame.cache.source_first = wanted / height;
  std::tie(frame.cache.source_top, frame.cache.source_row) =
      line_at(lines, static_cast<std::size_t>(std::max(0.0F, std::round(wanted / height))));
  follow_cursor(frame, canvas, lines, seen);
  if (const int by = std::exchange(frame.state.scroll_lines, 0); by != 0) {
    const float to = ImGui::GetScrollY() + static_cast<float>(by) * height;
    ImGui::SetScrollY(std::clamp(to, 0.0F, ImGui::GetScrollMaxY()));
  }
  return wanted;
}

}  // namespace ui

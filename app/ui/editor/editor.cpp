#include "ui/editor/editor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/editor/text_keys.h"

namespace ui {
namespace {

constexpr double kRest = 0.5;  // seconds after the last key

using Step = TextBuffer::Step;

void with_ctrl(Editor& editor, const KeyPress& key) {
  if (key.character == U'f') {
    editor.finding = true;
    editor.found = true;
  }
}

// While something is looked for, keys write what; Enter goes to the next place, Esc back.
void take_sought(Editor& editor, TextBuffer& buffer, const KeyPress& key) {
  if (key.key == Key::escape) {
    editor.finding = false;
    return;
  }
  if (key.key == Key::enter || (key.ctrl && key.character == U'f')) {
    editor.found = buffer.find(editor.sought, key.shift ? -1 : 1);
    return;
  }
  if (key.key == Key::backspace && !editor.sought.empty()) {
    TextBuffer line(editor.sought);
    line.move(Step::all, 1, false);
    line.erase(Step::letter, -1);
    editor.sought = line.text();
  } else if (key.key == Key::space) {
    editor.sought += ' ';
  } else if (key.key == Key::character && !key.ctrl) {
    editor.sought += utf8(key.character);
  } else {
    return;
  }
  buffer.move_to(buffer.selection().first, false);
  editor.found = editor.sought.empty() || buffer.find(editor.sought, 1);
}

void take_key(Editor& editor, Sheet& sheet, const KeyPress& key) {
  TextBuffer& buffer = sheet.buffer;
  if (editor.finding) {
    return take_sought(editor, buffer, key);
  }
  if (key.key == Key::escape) {
    editor.focused.clear();
    return;
  }
  if (key.key == Key::tab) {
    buffer.indent(key.shift ? -1 : 1);
  } else if (key.key == Key::enter) {
    buffer.new_line();
  } else if (!take_text_key(buffer, key)) {
    with_ctrl(editor, key);
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace

Sheet* Editor::sheet_of(const std::string& variant) {
  const auto at = sheets.find(variant);
  return at == sheets.end() ? nullptr : &at->second;
}

bool Editor::busy() const {
  return std::ranges::any_of(sheets, [](const auto& entry) { return entry.second.waits(); });
}

Sheet* shown_sheet(const Frame& frame) {
  return frame.state.of<Editor>().sheet_of(frame.kernel().sheet());
}

namespace {

// The text of a compiled kernel is for reading: saving it would replace the module's file.
bool is_compiled(const core::Variant& variant) {
  return variant.file.extension() == ".spv" || variant.file.filename() == "dispatch.toml";
}

}  // namespace

Sheet* open_sheet(const Frame& frame) {
  State& state = frame.state;
  Editor& editor = state.of<Editor>();
  const ShownKernel kernel = shown_kernel(state, frame.model.result);
  if (kernel.source.empty() || is_compiled(frame.model.result.variant)) {
    return nullptr;
  }
  const std::string name = kernel.sheet();
  if (editor.sheet_of(name) == nullptr) {
    Sheet sheet{.buffer = TextBuffer(kernel.source),
                .begun = kernel.source,
                .sent = kernel.source,
                .included = kernel.file > 0,
                .seen = kernel.source};
    editor.sheets.emplace(name, std::move(sheet));
  }
  editor.focused = name;
  editor.finding = false;
  return editor.sheet_of(name);
}

void save_shown_text(const Frame& frame) {
  const Sheet* sheet = shown_sheet(frame);
  if (sheet != nullptr) {
    frame.requests.save_kernel = KernelText{frame.kernel().sheet(), sheet->buffer.text()};
  } else {
    frame.state.toast = "Nothing to save: the text was not changed";
    frame.state.toast_until = ImGui::GetTime() + 5.0;
  }
}

void discard_sheet(const Frame& frame) {
  Editor& editor = frame.state.of<Editor>();
  const ShownKernel kernel = frame.kernel();
  if (editor.sheets.erase(kernel.sheet()) > 0) {
    frame.requests.edit = EditedKernel{kernel.sheet(), std::nullopt, kernel.file > 0};
    editor.focused.clear();
  }
}

bool take_file(Sheet& sheet, const std::string& text) {
  if (sheet.seen == text) {
    return false;
  }
  const bool first = !sheet.seen;
  sheet.seen = text;
  sheet.theirs.reset();
  if (text == sheet.buffer.text()) {
    sheet.begun = text;
    return false;
  }
  if (sheet.typed()) {
    // Of a draft from before nobody knows what it was begun with.
    if (first && sheet.begun.empty()) {
      sheet.begun = text;
    } else if (text != sheet.begun) {
      sheet.theirs = text;
    }
    return false;
  }
  sheet.buffer.select_all();
  sheet.buffer.insert(text);
  sheet.buffer.move_to(0, false);
  sheet.begun = sheet.sent = text;
  return std::exchange(sheet.given, false);
}

void end_conflict(const Frame& frame, bool keep_mine) {
  Sheet* sheet = shown_sheet(frame);
  if (sheet == nullptr || !sheet->theirs) {
    return;
  }
  const std::string theirs = *std::exchange(sheet->theirs, std::nullopt);
  sheet->begun = theirs;
  if (!keep_mine) {
    sheet->buffer.select_all();
    sheet->buffer.insert(theirs);
    sheet->buffer.move_to(0, false);
  }
}

namespace {

// Once its keys rest. At most one a frame.
void give(const Frame& frame, const std::string& name, Sheet& sheet, double now) {
  if (!sheet.waits() || now - sheet.changed_at < kRest || frame.requests.edit) {
    return;
  }
  sheet.sent = sheet.buffer.text();
  sheet.given = sheet.sent != sheet.seen;
  const auto text = sheet.given ? std::optional(sheet.sent) : std::nullopt;
  frame.requests.edit = EditedKernel{name, text, sheet.included};
}

// A second after the last draft, whether keys rest or not: what was typed outlives a crash.
void keep_draft(const Frame& frame, const std::string& name, Sheet& sheet, double now) {
  constexpr double kLongest = 1.0;
  if (sheet.typed() && sheet.kept != sheet.buffer.text() && now - sheet.kept_at >= kLongest) {
    sheet.kept = sheet.buffer.text();
    sheet.kept_at = now;
    frame.requests.draft = KernelText{(sheet.included ? std::string(included_draft) : "") + name,
                                      sheet.kept, sheet.begun};
  }
}

}  // namespace

void take_editor_keys(const Frame& frame) {
  Editor& editor = frame.state.of<Editor>();
  if (std::exchange(editor.asked, false)) {
    Sheet* sheet = open_sheet(frame);
    if (sheet != nullptr && sheet->buffer.cursor() == 0) {  // below the header
      sheet->buffer.move_to(sheet->buffer.byte_of({frame.cache.listing.header_lines, 0}), false);
    }
    editor.reveal = sheet != nullptr;
    editor.finding = std::exchange(editor.asked_to_find, false);
  }
  const std::string name = frame.kernel().sheet();
  if (!editor.focused.empty() && editor.focused != name) {
    editor.focused.clear();
  }
  Sheet* sheet = editor.sheet_of(name);
  const double now = ImGui::GetTime();
  for (const KeyPress& key : std::exchange(editor.pressed, {})) {
    if (sheet == nullptr || editor.focused.empty()) {
      break;
    }
    const std::string before = sheet->buffer.text();
    take_key(editor, *sheet, key);
    sheet->changed_at = sheet->buffer.text() != before ? now : sheet->changed_at;
    editor.reveal = true;
  }
  for (auto& [its_name, its] : editor.sheets) {
    if (its_name == name || its.included) {
      give(frame, its_name, its, now);
    }
  }
  if (sheet != nullptr) {
    keep_draft(frame, name, *sheet, now);
  }
}

EditorState editor_state(const Frame& frame, const Sheet& sheet) {
  const core::Result& result = frame.model.result;
  if (result.text_only && !sheet.waits()) {
    return result.error ? EditorState{"does not compile", false, true} : EditorState{"compiling …"};
  }
  const std::string& runs = frame.kernel().runs;
  if (runs == sheet.buffer.text()) {
    return {sheet.begun == runs ? "unchanged" : "edited text runs"};
  }
  if (!sheet.waits() && result.error) {
    return {"does not compile; the last text that compiled runs", true, true};
  }
  return {sheet.waits() ? "the previous text runs" : "compiling …", true};
}

std::vector<std::uint32_t> lines_before(std::string_view before, std::string_view now) {
  const auto old_lines = lines_of(before);
  const auto lines = lines_of(now);
  const std::size_t most = std::min(old_lines.size(), lines.size());
  std::size_t start = 0;
  while (start < most && old_lines[start] == lines[start]) {
    ++start;
  }
  std::size_t end = 0;
  while (end < most - start &&
         old_lines[old_lines.size() - 1 - end] == lines[lines.size() - 1 - end]) {
    ++end;
  }
  std::vector<std::uint32_t> of(lines.size(), 0);
  for (std::size_t i = 0; i < start; ++i) {
    of[i] = static_cast<std::uint32_t>(i + 1);
  }
  for (std::size_t i = 0; i < end; ++i) {
    of[lines.size() - 1 - i] = static_cast<std::uint32_t>(old_lines.size() - i);
  }
  return of;
}

}  // namespace ui

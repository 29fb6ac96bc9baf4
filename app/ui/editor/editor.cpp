#include "ui/editor/editor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ui {
namespace {

constexpr double kRest = 0.5;  // seconds after the last key

using Step = TextBuffer::Step;

std::string utf8(char32_t c) {
  const auto part = [](char32_t bits, unsigned lead) {
    return static_cast<char>(static_cast<unsigned char>(lead | static_cast<unsigned>(bits)));
  };
  if (c < 0x80) {
    return {static_cast<char>(c)};
  }
  if (c < 0x800) {
    return {part(c >> 6U, 0xC0U), part(c & 0x3FU, 0x80U)};
  }
  if (c < 0x10000) {
    return {part(c >> 12U, 0xE0U), part(c >> 6U & 0x3FU, 0x80U), part(c & 0x3FU, 0x80U)};
  }
  return {part(c >> 18U, 0xF0U), part(c >> 12U & 0x3FU, 0x80U), part(c >> 6U & 0x3FU, 0x80U),
          part(c & 0x3FU, 0x80U)};
}

void copy(const TextBuffer& buffer) {
  if (const std::string selected = buffer.selected(); !selected.empty()) {
    ImGui::SetClipboardText(selected.c_str());
  }
}

void paste(TextBuffer& buffer) {
  if (const char* text = ImGui::GetClipboardText(); text != nullptr) {
    buffer.insert(text);
  }
}

void with_ctrl(const Frame& frame, Editor& editor, TextBuffer& buffer, const KeyPress& key) {
  switch (key.character) {
    case U'z':
      static_cast<void>(key.shift ? buffer.redo() : buffer.undo());
      break;
    case U'y':
      buffer.redo();
      break;
    case U'a':
      buffer.select_all();
      break;
    case U'c':
      copy(buffer);
      break;
    case U'x':
      ImGui::SetClipboardText(buffer.cut().c_str());
      break;
    case U'v':
      paste(buffer);
      break;
    case U'f':
      editor.finding = true;
      editor.found = true;
      break;
    case U's':
      frame.requests.save_kernel = KernelText{editor.focused, buffer.text()};
      break;
    default:
      break;
  }
}

void move_or_erase(TextBuffer& buffer, const KeyPress& key) {
  struct Move {
    Key key;
    Step step;
    int by;
  };
  const Step aside = key.ctrl ? Step::word : Step::letter;
  const Step end = key.ctrl ? Step::all : Step::line_end;
  for (const Move& move :
       {Move{Key::left, aside, -1}, Move{Key::right, aside, 1}, Move{Key::up, Step::line, -1},
        Move{Key::down, Step::line, 1}, Move{Key::page_up, Step::page, -1},
        Move{Key::page_down, Step::page, 1}, Move{Key::home, end, -1}, Move{Key::end, end, 1}}) {
    if (key.key == move.key) {
      return buffer.move(move.step, move.by, key.shift);
    }
  }
  switch (key.key) {
    case Key::backspace:
      return buffer.erase(aside, -1);
    case Key::erase:
      return buffer.erase(aside, 1);
    case Key::tab:
      return buffer.indent(key.shift ? -1 : 1);
    case Key::enter:
      return buffer.new_line();
    case Key::space:
      return buffer.type(" ");
    default:
      return;
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

void take_key(const Frame& frame, Editor& editor, Sheet& sheet, const KeyPress& key) {
  TextBuffer& buffer = sheet.buffer;
  if (editor.finding) {
    return take_sought(editor, buffer, key);
  }
  if (key.key == Key::escape) {
    editor.focused.clear();
    return;
  }
  if (key.ctrl && key.key == Key::character) {
    return with_ctrl(frame, editor, buffer, key);
  }
  if (key.key == Key::character) {
    return buffer.type(utf8(key.character));
  }
  move_or_erase(buffer, key);
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
  const ShownKernel kernel = frame.kernel();
  return kernel.file == 0 ? frame.state.of<Editor>().sheet_of(kernel.id) : nullptr;
}

Sheet* open_sheet(const Frame& frame) {
  State& state = frame.state;
  Editor& editor = state.of<Editor>();
  const ShownKernel kernel = shown_kernel(state, frame.model.result);
  if (kernel.source.empty()) {
    return nullptr;
  }
  if (kernel.file > 0) {
    state.toast = "Only the kernel's own file is edited here; this one is included by it";
    state.toast_until = ImGui::GetTime() + 5.0;
    return nullptr;
  }
  if (editor.sheet_of(kernel.id) == nullptr) {
    Sheet sheet{.buffer = TextBuffer(kernel.source), .begun = kernel.source, .sent = kernel.source};
    editor.sheets.emplace(kernel.id, std::move(sheet));
  }
  editor.focused = kernel.id;
  editor.finding = false;
  return editor.sheet_of(kernel.id);
}

void discard_sheet(const Frame& frame) {
  Editor& editor = frame.state.of<Editor>();
  const std::string id = frame.kernel().id;
  if (editor.sheets.erase(id) > 0) {
    frame.requests.edit = EditedKernel{id, std::nullopt};
    editor.focused.clear();
  }
}

void take_editor_keys(const Frame& frame) {
  Editor& editor = frame.state.of<Editor>();
  const ShownKernel kernel = frame.kernel();
  if (std::exchange(editor.asked, false)) {
    Sheet* sheet = open_sheet(frame);
    if (sheet != nullptr && sheet->buffer.cursor() == 0) {  // below the header
      sheet->buffer.move_to(sheet->buffer.byte_of({frame.cache.listing.header_lines, 0}), false);
    }
    editor.reveal = sheet != nullptr;
    editor.finding = std::exchange(editor.asked_to_find, false);
  }
  if (!editor.focused.empty() && editor.focused != kernel.id) {
    editor.focused.clear();
  }
  Sheet* sheet = editor.sheet_of(kernel.id);
  const double now = ImGui::GetTime();
  for (const KeyPress& key : std::exchange(editor.pressed, {})) {
    if (sheet == nullptr || editor.focused.empty()) {
      break;
    }
    const std::string before = sheet->buffer.text();
    take_key(frame, editor, *sheet, key);
    sheet->changed_at = sheet->buffer.text() != before ? now : sheet->changed_at;
    editor.reveal = true;
  }
  if (sheet != nullptr && sheet->waits() && now - sheet->changed_at >= kRest &&
      !frame.requests.edit) {
    sheet->sent = sheet->buffer.text();
    frame.requests.edit = EditedKernel{kernel.id, sheet->sent};
  }
}

EditorState editor_state(const Frame& frame, const Sheet& sheet) {
  const core::Result& result = frame.model.result;
  const std::string& runs = running_source(frame.state, result);
  if (runs == sheet.buffer.text()) {
    return {sheet.begun == runs ? "as it was" : "your text runs"};
  }
  if (!sheet.waits() && result.error) {
    return {"does not compile: the last good text runs on", true, true};
  }
  return {sheet.waits() ? "an older text runs" : "compiling …", true};
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

// The editor in the source panel: a sheet of text for each kernel that is edited. Half a second
// after the last key the lab is asked to compile it; until it does, the last good one runs on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/editor/text_buffer.h"
#include "ui/keys.h"
#include "ui/panels/panels.h"

namespace ui {

/// A file that is edited: a kernel's own, or one that it includes.
struct Sheet {
  TextBuffer buffer;
  std::string begun;         ///< the text it was begun with, or saved as
  std::string sent;          ///< the text that the lab was last given
  double changed_at = -1.0;  ///< ImGui time of the last key, seconds
  bool included = false;     ///< it is known by its path
  bool given = false;        ///< the lab has it, instead of its file
  /// Its file's text when that was last looked at; nothing: not yet.
  std::optional<std::string> seen = {};
  /// Its file's text, where that was changed while other things were typed here: to be asked about.
  std::optional<std::string> theirs = {};
  std::string kept = {};  ///< the text that is in the draft
  double kept_at = 0.0;
  [[nodiscard]] bool waits() const { return sent != buffer.text(); }
  [[nodiscard]] bool typed() const { return begun != buffer.text(); }
};

/// Drafts of included files are known by their path behind this.
inline constexpr std::string_view included_draft = "included:";

struct Editor final : ViewState {
  std::map<std::string, Sheet> sheets;  ///< by variant; of an included file by its path
  std::string focused;                  ///< the one that the keyboard types into; empty: none
  bool asked = false;                   ///< a key wants to edit the kernel that is shown
  bool asked_to_find = false;
  bool finding = false;  ///< keys go to what is looked for
  std::string sought;
  bool found = true;    ///< `sought` is in the text
  bool reveal = false;  ///< the cursor is to be brought into sight
  std::vector<KeyPress> pressed;

  [[nodiscard]] Sheet* sheet_of(const std::string& variant);
  /// Something was typed that the lab has yet to be given.
  [[nodiscard]] bool busy() const override;
};

/// A file was looked at. What was not changed here becomes what it is now; what was is kept, and
/// asked about. True: the file's text is to run again.
[[nodiscard]] bool take_file(Sheet& sheet, const std::string& text);
/// The answer: what was typed here stays, or the file's text takes its place (and can be undone).
void end_conflict(const Frame& frame, bool keep_mine);

/// The sheet of the shown file; null: it is not edited.
[[nodiscard]] Sheet* shown_sheet(const Frame& frame);
/// Begins to edit the shown kernel, or goes on; null: it can't be edited.
Sheet* open_sheet(const Frame& frame);
/// Asks for the text of the shown file to be saved; says so if it is not edited.
void save_shown_text(const Frame& frame);
/// Gives up what was typed: the file's own text runs again.
void discard_sheet(const Frame& frame);
/// Acts on keys that were pressed, and asks the lab to compile once they rest.
void take_editor_keys(const Frame& frame);

/// How the text stands to what runs, in a few words.
struct EditorState {
  std::string words;
  bool older_runs = false;  ///< what is seen of the run is of an older text
  bool broken = false;      ///< the text does not compile
};
[[nodiscard]] EditorState editor_state(const Frame& frame, const Sheet& sheet);

/// For each line of `now`, counted from 1: the line of `before` that it is, 0 where it is changed.
/// What is alike at the start and at the end is taken to be the same.
[[nodiscard]] std::vector<std::uint32_t> lines_before(std::string_view before,
                                                      std::string_view now);

}  // namespace ui

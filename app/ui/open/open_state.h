// What can be opened, as a list that is filtered by what is typed: recent ones, files of a folder,
// the catalogue. Pure data; the studio reads folders, the panel draws.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "ui/editor/text_buffer.h"
#include "ui/keys.h"
#include "ui/view_state.h"

namespace ui {

/// Of a folder: another one, or a file that can be opened.
struct FolderEntry {
  std::string name;
  bool folder = false;
  bool whole = false;  ///< a folder that is opened as one: a workload, a saved launch
  std::string note;    ///< "scene", "kernel", "saved launch"
};
struct FolderListing {
  std::string folder;  ///< as it was asked for, "~/kernels/"
  std::vector<FolderEntry> entries;
  std::size_t others = 0;  ///< files that can't be opened
  std::size_t scenes = 0;  ///< of the entries
  std::string error;       ///< why it can't be read
};

/// A kernel of the folder or project that the window is open on.
struct TreeKernel {
  std::string path;
  std::string name;     ///< relative to the folder
  std::string verdict;  ///< "clean", "racy, 2 findings"; empty: its check has not ended yet
  std::size_t findings = 0;
  std::string why;  ///< it was not checked
  bool operator==(const TreeKernel&) const = default;
};
struct KernelTree {
  std::string folder;               ///< empty: none is open
  std::vector<TreeKernel> kernels;  ///< by name
  std::string error;                ///< why there are none
  bool listed = false;              ///< the folder was read
};

struct OpenState final : ViewState {
  bool shown = false;
  KernelTree tree;
  std::set<std::string> folded;  ///< folders of the tree
  std::string question;          ///< whether commands of a project may run; empty: none is open
  std::optional<bool> answer;    ///< to it, once
  std::string here = "./";       ///< the folder whose files are listed for a name
  TextBuffer line;               ///< what was typed
  std::size_t chosen = 0;        ///< row
  std::vector<std::string> recent;
  FolderListing listing;
  std::string refused;  ///< why the last one can't be opened
  std::vector<KeyPress> pressed;

  void show(std::string text = {});
};

/// A row of the list.
struct OpenRow {
  std::string target;  ///< what is opened; of a folder that is gone into, its path with a "/"
  std::string label;
  std::string note;
  bool enter = false;  ///< Enter goes into it
  bool fold = false;   ///< Enter folds or unfolds this folder of the tree
  bool found = false;  ///< a kernel with findings
  bool operator==(const OpenRow&) const = default;
};

/// The folder whose files are to be listed: that of a path that is being typed, else `here`.
[[nodiscard]] std::string wanted_folder(const std::string& typed, const std::string& here = "./");
/// The rows for what is typed: of a path the entries of its folder that begin with its last part,
/// then those that have it; else the kernels of the tree whose names and verdicts have each word,
/// recent ones, files here and kernels of the catalogue. Only the tree if nothing is typed.
[[nodiscard]] std::vector<OpenRow> open_rows(const OpenState& state,
                                             const core::Catalogue& catalogue);
/// The path of the next or previous kernel of the tree that has findings, behind `from`. Empty if
/// there is none.
[[nodiscard]] std::string next_found(const KernelTree& tree, const std::string& from, int by);
/// What Tab makes of it: as far as all entries that begin so agree; a folder alone is gone into.
[[nodiscard]] std::string completed(const OpenState& state);

/// A scene of a folder, in a list that is stepped through.
struct SceneEntry {
  std::string file;
  std::string title;
  std::string notes;
};
struct SceneList final : ViewState {
  std::vector<SceneEntry> scenes;  ///< empty: none is open
  std::size_t at = 0;
};

}  // namespace ui

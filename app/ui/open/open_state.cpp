#include "ui/open/open_state.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace ui {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_path(const std::string& typed) {
  return typed.starts_with("/") || typed.starts_with("~") || typed.starts_with("./") ||
         typed.starts_with("../");
}

std::string last_part(const std::string& typed) {
  const std::size_t slash = typed.rfind('/');
  return slash == std::string::npos ? typed : typed.substr(slash + 1);
}

// Each word is somewhere in it.
bool has_words(const std::string& text, const std::string& words) {
  std::istringstream stream(lower(words));
  const std::string in = lower(text);
  for (std::string word; stream >> word;) {
    if (in.find(word) == std::string::npos) {
      return false;
    }
  }
  return true;
}

OpenRow row_of(const std::string& folder, const FolderEntry& entry) {
  const bool enter = entry.folder && !entry.whole;
  return {folder + entry.name + (enter ? "/" : ""), entry.name + (entry.folder ? "/" : ""),
          entry.note.empty() && entry.folder ? "folder" : entry.note, enter};
}

void add_folder_rows(const OpenState& state, const std::string& typed, std::vector<OpenRow>& rows) {
  const std::string folder = wanted_folder(typed);
  const std::string part = lower(last_part(typed));
  if (state.listing.folder != folder) {
    return;
  }
  if (part.empty() && state.listing.scenes > 0) {
    rows.push_back({folder, "all scenes of this folder in sequence",
                    std::to_string(state.listing.scenes) + " scenes", false});
  }
  for (const bool begins : {true, false}) {
    for (const FolderEntry& entry : state.listing.entries) {
      const std::size_t at = lower(entry.name).find(part);
      if (begins ? at == 0 : at != 0 && at != std::string::npos) {
        rows.push_back(row_of(folder, entry));
      }
    }
  }
}

std::string verdict_of(const TreeKernel& kernel) {
  return kernel.verdict.empty() ? "waiting"
         : kernel.why.empty()   ? kernel.verdict
                                : kernel.verdict + ": " + kernel.why;
}

// "12 kernels: 2 racy, 10 clean"
std::string summary_of(const KernelTree& tree, const std::string& folder) {
  std::map<std::string, std::size_t> counts;
  std::size_t all = 0;
  for (const TreeKernel& kernel : tree.kernels) {
    if (kernel.name.starts_with(folder)) {
      ++counts[kernel.verdict.empty() ? "waiting"
                                      : kernel.verdict.substr(0, kernel.verdict.find(','))];
      ++all;
    }
  }
  std::string text = fmt::format("{} kernel{}", all, all == 1 ? "" : "s");
  for (const char* separator = ": "; const auto& [verdict, count] : counts) {
    text += fmt::format("{}{} {}", std::exchange(separator, ", "), count, verdict);
  }
  return text;
}

// The folders and kernels; of a filtered tree the kernels alone, with their folders.
void add_tree_rows(const OpenState& state, const std::string& typed, std::vector<OpenRow>& rows) {
  std::vector<std::string> open;  // folders, each inside the one before
  std::string folded;
  for (const TreeKernel& kernel : state.tree.kernels) {
    const std::string verdict = verdict_of(kernel);
    if (!typed.empty()) {
      if (has_words(kernel.name + " " + verdict, typed)) {
        rows.push_back({kernel.path, kernel.name, verdict, false, false, kernel.findings > 0});
      }
      continue;
    }
    if (!folded.empty() && kernel.name.starts_with(folded)) {
      continue;
    }
    while (!open.empty() && !kernel.name.starts_with(open.back())) {
      open.pop_back();
    }
    folded.clear();
    std::size_t from = open.empty() ? 0 : open.back().size();
    for (std::size_t end = kernel.name.find('/', from); end != std::string::npos && folded.empty();
         end = kernel.name.find('/', from)) {
      const std::string folder = kernel.name.substr(0, end + 1);
      const bool closed = state.folded.contains(folder);
      rows.push_back({folder,
                      std::string(2 * open.size(), ' ') + (closed ? "▶ " : "▼ ") +
                          kernel.name.substr(from, end + 1 - from),
                      summary_of(state.tree, folder), false, true});
      open.push_back(folder);
      folded = closed ? folder : "";
      from = end + 1;
    }
    if (folded.empty()) {
      rows.push_back({kernel.path, std::string(2 * open.size(), ' ') + kernel.name.substr(from),
                      verdict, false, false, kernel.findings > 0});
    }
  }
}

}  // namespace

void OpenState::show(std::string text) {
  shown = true;
  line = TextBuffer(std::move(text));
  line.move(TextBuffer::Step::all, 1, false);
  chosen = 0;
  refused.clear();
  pressed.clear();
}

std::string wanted_folder(const std::string& typed, const std::string& here) {
  if (!is_path(typed)) {
    return here;
  }
  return typed == "~" ? "~/" : typed.substr(0, typed.rfind('/') + 1);
}

std::string next_found(const KernelTree& tree, const std::string& from, int by) {
  const auto& kernels = tree.kernels;
  const auto at = std::ranges::find(kernels, from, &TreeKernel::path);
  const auto count = std::ssize(kernels);
  const auto start = at != kernels.end() ? at - kernels.begin() : by > 0 ? -1 : count;
  for (std::ptrdiff_t step = 1; step <= count; ++step) {
    const auto next = ((start + by * step) % count + count) % count;
    const TreeKernel& kernel = kernels[static_cast<std::size_t>(next)];
    if (kernel.findings > 0) {
      return kernel.path;
    }
  }
  return "";
}

std::vector<OpenRow> open_rows(const OpenState& state, const core::Catalogue& catalogue) {
  std::vector<OpenRow> rows;
  const std::string& typed = state.line.text();
  if (is_path(typed)) {
    add_folder_rows(state, typed, rows);
    return rows;
  }
  if (typed.starts_with("-")) {
    rows.push_back({typed, "for the shown kernel: " + typed,
                    "-I FOLDER, -D NAME=VALUE or --reference KERNEL", false});
    return rows;
  }
  add_tree_rows(state, typed, rows);
  if (typed.empty() && !rows.empty()) {
    return rows;
  }
  for (const std::string& name : state.recent) {
    if (has_words(name, typed)) {
      rows.push_back({name, name, "recent", false});
    }
  }
  const bool here = state.listing.folder == state.here;
  for (const FolderEntry& entry : state.listing.entries) {
    if (here && (!entry.folder || entry.whole) && has_words(entry.name, typed)) {
      rows.push_back(row_of(state.here, entry));
    }
  }
  for (const core::Variant& variant : catalogue.all()) {
    const std::string& title = variant.title.empty() ? variant.name : variant.title;
    const bool recent = std::ranges::find(state.recent, variant.id()) != state.recent.end();
    if (!recent && has_words(variant.id() + " " + title, typed)) {
      rows.push_back({variant.id(), variant.id(), title, false});
    }
  }
  return rows;
}

std::string completed(const OpenState& state) {
  const std::string typed = state.line.text() == "~" ? "~/" : state.line.text();
  const std::string folder = wanted_folder(typed);
  if (!is_path(typed) || state.listing.folder != folder) {
    return typed;
  }
  const std::string part = lower(last_part(typed));
  std::vector<const FolderEntry*> fitting;
  for (const FolderEntry& entry : state.listing.entries) {
    if (lower(entry.name).starts_with(part)) {
      fitting.push_back(&entry);
    }
  }
  if (fitting.empty()) {
    return typed;
  }
  std::string common = fitting.front()->name;
  for (const FolderEntry* entry : fitting) {
    const auto ends = std::ranges::mismatch(common, entry->name);
    common.resize(static_cast<std::size_t>(ends.in1 - common.begin()));
  }
  const bool alone = fitting.size() == 1 && fitting.front()->folder;
  return folder + (common.size() < part.size() ? last_part(typed) : common) + (alone ? "/" : "");
}

}  // namespace ui

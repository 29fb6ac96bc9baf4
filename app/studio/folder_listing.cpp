#include "studio/folder_listing.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "core/base/files.h"
#include "core/work/experiment.h"
#include "lab/files/dispatch_file.h"
#include "lab/files/open.h"
#include "lab/files/workload_file.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 5000;

std::optional<ui::FolderEntry> entry_of(const fs::path& path) {
  ui::FolderEntry entry{.name = path.filename().string()};
  if (core::is_folder(path)) {
    entry.folder = true;
    const bool launch = core::is_file(path / lab::kDispatchFile);
    entry.whole = launch || core::is_file(path / lab::kWorkloadFile);
    entry.note = launch ? "saved launch" : entry.whole ? "workload" : "";
    return entry;
  }
  if (lab::names_a_scene(path)) {
    const auto text = core::read_file(path);
    entry.note = "scene";
    return text && text->find("tilescope_scene") != std::string::npos ? std::optional(entry)
                                                                      : std::nullopt;
  }
  entry.note = "kernel";
  return core::names_a_file(path.string()) ? std::optional(entry) : std::nullopt;
}

}  // namespace

std::string expanded(const std::string& name) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const bool own = name == "~" || name.starts_with("~/");
  return own && home != nullptr ? home + name.substr(1) : name;
}

ui::FolderListing list_folder(const std::string& folder) {
  ui::FolderListing listing{.folder = folder, .entries = {}, .others = 0, .scenes = 0, .error = {}};
  std::error_code failed;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(expanded(folder), failed), end;
       !failed && entry != end && seen < kMostEntries; entry.increment(failed), ++seen) {
    if (entry->path().filename().string().starts_with(".")) {
      continue;
    }
    if (auto row = entry_of(entry->path())) {
      listing.scenes += row->note == "scene" ? 1 : 0;
      listing.entries.push_back(std::move(*row));
    } else {
      ++listing.others;
    }
  }
  if (failed) {
    listing.error = fmt::format("cannot read {}: {}", folder, failed.message());
  }
  std::ranges::sort(listing.entries, {}, [](const ui::FolderEntry& entry) {
    return std::pair(!entry.folder, entry.name);
  });
  return listing;
}

}  // namespace studio

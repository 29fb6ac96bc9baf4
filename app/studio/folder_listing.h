// What of a folder can be opened, for the list that the interface shows.
#pragma once

#include <filesystem>
#include <string>

#include "ui/open/open_state.h"

namespace studio {

/// "~/x" as the home folder has it; any other name stays as it is.
[[nodiscard]] std::string expanded(const std::string& name);
/// Folders, kernels, scenes and saved launches of it, each kind by name; at most 5000 entries are
/// looked at. What is hidden (".x") is left out.
[[nodiscard]] ui::FolderListing list_folder(const std::string& folder);

}  // namespace studio

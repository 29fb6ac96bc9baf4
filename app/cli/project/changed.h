// `check --since REV`: what changed in a git repository.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/project/check_items.h"
#include "core/base/error.h"

namespace cli {

/// Returns the files that differ from a revision, new and removed ones too, as absolute paths.
/// `folder` is in the repository. Fails if it is in none, or if there is no such revision.
[[nodiscard]] core::Expected<std::set<std::filesystem::path>> files_changed_since(
    const std::string& revision, const std::filesystem::path& folder);

/// Keeps the items that have a changed file: the kernel, a file that it includes, its reference,
/// the contents of its buffers, or its project file.
[[nodiscard]] core::Expected<void> keep_changed(const std::string& revision,
                                                const ExperimentFlags& flags,
                                                std::vector<CheckItem>& items);

}  // namespace cli

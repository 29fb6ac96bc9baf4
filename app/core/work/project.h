// The project that a file belongs to.
#pragma once

#include <filesystem>

namespace core {

/// Returns the nearest folder at or above `folder` that holds a version control system's folder
/// (.git, .hg, .svn, .jj) or a tilescope.toml. Empty if there is none. A home folder under version
/// control and the file system's root are no projects.
[[nodiscard]] std::filesystem::path project_of(const std::filesystem::path& folder);

}  // namespace core

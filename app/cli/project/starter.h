// The text of a new project file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cli {

/// The entry of one kernel in a new project file.
struct KernelStart {
  std::string path;                 ///< in the project
  std::string verdict;              ///< of a check; empty: it was not checked
  std::vector<std::string> chosen;  ///< flags with the values that the check chose
  std::string error;                ///< why it was not checked
};

/// Returns the folders of a code base, relative to it, in which the kernels' includes lie that are
/// not found without -I.
[[nodiscard]] std::vector<std::string> include_folders_for(const std::filesystem::path& folder,
                                                           const std::vector<std::string>& kernels);

/// Returns a project file with the chosen values as comments.
[[nodiscard]] std::string starter_text(const std::vector<std::string>& include_folders,
                                       const std::vector<KernelStart>& kernels);

}  // namespace cli

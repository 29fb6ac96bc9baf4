// The commands of project files that the user allowed, by folder: a file in the XDG configuration
// folder. A code base from elsewhere must not run a command because one of its kernels is opened.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace lab {

/// $XDG_CONFIG_HOME/tilescope/allowed.toml, or below ~/.config. Empty if neither is known.
[[nodiscard]] std::filesystem::path consent_file();

/// Returns true if the user allowed exactly these commands for a folder.
[[nodiscard]] bool has_consent(const std::filesystem::path& folder,
                               const std::vector<std::string>& commands);

/// Keeps the consent; it replaces an older one for the same folder. A damaged file is moved aside.
[[nodiscard]] core::Expected<void> keep_consent(const std::filesystem::path& folder,
                                                const std::vector<std::string>& commands);

/// Returns the question to the user, with the commands.
[[nodiscard]] std::string consent_question(const std::string& file,
                                           const std::vector<std::string>& commands);

}  // namespace lab

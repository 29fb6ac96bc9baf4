// Files that Tilescope keeps for the user in the folders of the XDG base directory specification.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace core {

/// $VARIABLE/tilescope/NAME, or ~/OTHERWISE/tilescope/NAME; empty if neither folder is known.
[[nodiscard]] std::filesystem::path user_file(const char* variable, const char* otherwise,
                                              const char* name);

/// $XDG_CACHE_HOME/tilescope/NAME, or below ~/.cache; empty if neither folder is known.
[[nodiscard]] std::filesystem::path cache_file(const char* name);

/// Returns the name of a cached result: 32 hexadecimal digits that are equal for equal texts and
/// otherwise almost always differ (FNV-1a by Fowler, Noll and Vo, with two starts).
[[nodiscard]] std::string fingerprint(std::string_view text);

/// Removes the oldest files of a folder until at most `most` are left.
void keep_newest(const std::filesystem::path& folder, std::size_t most);

}  // namespace core

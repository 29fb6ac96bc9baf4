// Files that are read whole, files that are written whole or not at all, and those that Tilescope
// keeps for the user in the folders of the XDG base directory specification.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/limits.h"

namespace core {

/// The whole content of a regular file, up to `most` bytes. Fault::usage with the system's reason
/// for what can't be read (no such file, a name that is too long, a link to itself), and for what
/// is no file: of a pipe or a device the end might never come.
[[nodiscard]] Expected<std::string> read_file(const std::filesystem::path& file,
                                              std::size_t most = limits::text_bytes);

/// A regular file that is there; false for what can't even be asked for.
[[nodiscard]] bool is_file(const std::filesystem::path& file) noexcept;
[[nodiscard]] bool is_folder(const std::filesystem::path& folder) noexcept;

/// Writes beside the target and renames onto it, so that no half-written file is ever seen under
/// its name. Fault::usage with the system's reason when the folder can't be written to. Of a large
/// file `go_on` is asked now and then; when it says no, nothing stays written, and that is an
/// error.
[[nodiscard]] Expected<void> write_file(const std::filesystem::path& file,
                                        std::span<const std::byte> content,
                                        const std::function<bool()>& go_on = {});

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

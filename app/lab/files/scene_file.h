// Scenes as TOML files. Every field has its default when it is left out; an unknown key is an
// error, so that a misspelt one does not pass unnoticed.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/work/scene.h"

namespace lab {

/// The file's text; parse_scene(format_scene(s)) == s.
[[nodiscard]] std::string format_scene(const core::Scene& scene);
/// Errors name `origin` and the line.
[[nodiscard]] core::Expected<core::Scene> parse_scene(const std::string& text,
                                                      const std::string& origin);

/// Fault::usage when the file is not there, damaged, or of a later version of the format.
[[nodiscard]] core::Expected<core::Scene> read_scene(const std::filesystem::path& file);
/// Written whole or not at all.
[[nodiscard]] core::Expected<void> write_scene(const std::filesystem::path& file,
                                               const core::Scene& scene);

}  // namespace lab

// Scenes as TOML files. Every field has its default when it is left out; an unknown key is an
// error, so that a misspelt one does not pass unnoticed. Which keys the views have, the caller
// says.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/work/scene.h"

namespace lab {

/// The file's text; parse_scene(format_scene(s)) == s where the views have s's settings.
[[nodiscard]] std::string format_scene(const core::Scene& scene);
/// Errors name `origin` and the line. `fields` are those of all views (ui::view_fields()).
[[nodiscard]] core::Expected<core::Scene> parse_scene(const std::string& text,
                                                      const std::string& origin,
                                                      std::span<const core::ViewField> fields);

/// Fault::usage when the file is not there, damaged, or of a later version of the format.
[[nodiscard]] core::Expected<core::Scene> read_scene(const std::filesystem::path& file,
                                                     std::span<const core::ViewField> fields);
/// Written whole or not at all.
[[nodiscard]] core::Expected<void> write_scene(const std::filesystem::path& file,
                                               const core::Scene& scene);

}  // namespace lab

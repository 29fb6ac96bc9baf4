// TOML from anywhere: scenes, settings, tunings, kernels' headers, workloads. toml++ recurses
// through tables, so what is nested too deeply would end the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "core/base/error.h"

namespace lab {

/// 0, or the first line whose key has more parts than core::limits::toml_parts.
[[nodiscard]] int too_deep(std::string_view toml);

/// The text of a file, ready for toml::parse. Fault::usage where it can't be read, is no regular
/// file, is too large or nested too deeply.
[[nodiscard]] core::Expected<std::string> read_toml(const std::filesystem::path& file);

/// The line that it starts in, from 1.
[[nodiscard]] int line_of(const toml::node& node);

/// Returns why a file is not read whose key `key` ("tilescope_scene") has a newer version of the
/// format than `newest`. Empty if this program reads it. A missing version is 1.
[[nodiscard]] std::string newer_version(const toml::table& root, const char* key,
                                        std::int64_t newest);

}  // namespace lab

// How far somebody has come in the lessons: a small TOML file in the XDG state folder.
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/lessons/progress.h"

namespace lab {

/// $XDG_STATE_HOME/tilescope/lessons.toml, or below ~/.local/state; empty where neither is known.
[[nodiscard]] std::filesystem::path lesson_progress_file();

/// A file that is not there is no progress. A damaged one is moved aside, to lessons.toml.damaged,
/// and the error says so.
[[nodiscard]] core::Expected<core::LessonProgress> read_progress(const std::filesystem::path& file);
/// Written whole or not at all.
[[nodiscard]] core::Expected<void> write_progress(const std::filesystem::path& file,
                                                  const core::LessonProgress& progress);

}  // namespace lab

// A lesson as a folder: one page of HTML that needs no server, and its pictures.
#pragma once

#include <filesystem>

#include "cli/lesson/lesson_run.h"

namespace cli {

/// Runs every step for it. The page is written whole or not at all, after its pictures; returns its
/// name.
[[nodiscard]] core::Expected<std::filesystem::path> write_handout(
    const Bench& bench, const Library& library, const core::Lesson& lesson,
    const std::filesystem::path& folder, bool validation);

}  // namespace cli

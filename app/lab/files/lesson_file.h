// Lessons as TOML files, assets/lessons/<name>.toml:
//   title, about   text
//   order          a whole number: lessons are listed by it, then by name; the first is offered
//   [[step]]       one after the other:
//     text         what is said, or asked
//     variant, size, tile, barriers = { 1 = "off" }, set = { PAD = 1 }, view
//                  what is shown, as in a scene; what is left out stays as the step before has it,
//                  but barriers, which are as written, and settings, which are the kernel's own
//     fact         makes it a question: what of the run decides (core/lessons/lesson.h). What is
//     shown
//                  is then what the answer is tried with, after it was given. A fact of the traced
//                  workgroup needs a view that traces one: tile, banks or advice
//     choices      answers; left out: a number is asked for
//     means        { racy = 2, … }: which choice, from 1, a value of the fact makes right
//     told         what is said after the answer
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/lessons/lesson.h"

namespace lab {

/// Errors name the file and the line.
[[nodiscard]] core::Expected<core::Lesson> read_lesson(const std::filesystem::path& file);
/// All of a folder, in their order. One that is damaged is left out and said in `warnings`.
[[nodiscard]] std::vector<core::Lesson> read_lessons(const std::filesystem::path& folder,
                                                     std::vector<std::string>& warnings);

}  // namespace lab

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
//                  A fact that is a place (racing tile_a) asks for a click on it, in the view tile
//                  or, of workgroups, grid; that view shows the step before until it is answered
//     told         what is said after the answer
//     mend         true: the kernel is to be mended in the editor; passes once it compiles, is
//     right
//                  and free of races
//     given        [{ from = "…", to = "…" }]: what is made wrong with its text before
//     solution     the same, of the text as given: one way to mend it; left out: undoing `given`
//     against, at-most
//                  "matmul/naive" and 0.5: it also takes at most half of that variant's time,
//                  measured in the same run
//     look         settings of the views, as in a scene: { phase = 2 }
//     workgroup    the one that is looked into, in launch order from 0 (a scene's `tile`);
//                  left out: the view's own choice, whatever the step before has
//     source       "tile_a[row][k]": the first line of the kernel's files that contains it is
//                  brought into sight, before the answer and after it, unless what was mended is to
//                  be seen; never one of the header. ["barrier();", "barrier();"]: several of one
//                  file, each behind the one before; what lies between is folded away where there
//                  is no room. Beside a race's lines only where they are in its file.
//                  `lesson --check` refuses what no line contains
//     notes        for whoever teaches: shown only when asked for
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

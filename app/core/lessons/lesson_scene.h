// What stands on the screen at a step of a lesson, before its answer and after it: the window, its
// pictures and a test all ask here.
#pragma once

#include <cstddef>
#include <string>

#include "core/lessons/lesson.h"

namespace core {

struct LessonScene {
  Experiment experiment;
  std::string view;  ///< empty: as it was
  ViewSettings look;
  std::int64_t workgroup = -1;  ///< as a step has it
  /// What the run says of it is kept back, and its text is what one judges by: no verdict, no time
  /// and no view before the answer.
  bool sealed = false;

  bool operator==(const LessonScene&) const = default;
};

/// A question about another text (another kernel, other barriers) shows that text, sealed. One
/// about what is on the screen already, in other sizes at most, leaves it there. What is clicked on
/// is seen in the step's own view, of the run before and set as that was, but in the step's own
/// phase. A first question is asked of the kernel as it is written. `open`: it was answered, or
/// asks nothing.
[[nodiscard]] LessonScene lesson_scene(const Lesson& lesson, std::size_t step, bool open);

/// What is left of a result before the answer: what is run and its text. Nothing that was measured,
/// checked or traced, and not that it was refused.
[[nodiscard]] Result sealed_result(const Result& result);

}  // namespace core

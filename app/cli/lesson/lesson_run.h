// The runs that a lesson's steps are answered by, without a window.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "core/lessons/lesson.h"
#include "core/work/scene.h"

namespace cli {

/// What a step's run gave.
struct StepRun {
  std::shared_ptr<const core::Result> result;
  core::Scene scene;          ///< as it is shown
  std::string said;           ///< "shown", "verdict is racy: A race", "mended: …"
  std::string value;          ///< of a question's fact; of a click, the places in words
  std::size_t choice = 0;     ///< the right one, from 1; 0: there was no choice
  std::string given, mended;  ///< of a step that mends: the two texts
};

/// Goes through the steps in their order; steps in a row with one experiment share a run.
class LessonRuns {
 public:
  /// All of it must outlive this.
  LessonRuns(const Bench& bench, const Library& library, const core::Lesson& lesson);

  /// Runs a step, and reads off it what it asks. An error: it can't be run, or it asks what its run
  /// doesn't tell, or none of its choices is right, or what is to be mended is whole, or the
  /// solution is none, or no line of its kernel is the one that it wants in sight.
  [[nodiscard]] core::Expected<StepRun> run(std::size_t step);

 private:
  [[nodiscard]] core::Expected<core::Result> capture(const core::LessonStep& step,
                                                     const core::Steps& needs,
                                                     const core::Catalogue& catalogue) const;
  [[nodiscard]] core::Steps needs_from(std::size_t step) const;
  [[nodiscard]] core::Expected<void> measure_rivals(std::size_t step, core::Result& result) const;
  [[nodiscard]] core::Expected<void> mend(const core::LessonStep& step, StepRun& run) const;

  const Bench& bench_;
  const Library& library_;
  const core::Lesson& lesson_;
  std::optional<std::size_t> ran_;  ///< the step that `result_` is of
  std::shared_ptr<const core::Result> result_;
};

/// A catalogue in which the variant's own file has another text.
[[nodiscard]] core::Catalogue with_text(const core::Catalogue& catalogue,
                                        const core::Variant& variant, const std::string& text);

/// With the kernel that a step gives to be mended, or mended in the author's way; else as it is.
[[nodiscard]] core::Expected<core::Catalogue> as_given(const core::Catalogue& catalogue,
                                                       const core::LessonStep& step,
                                                       bool mended = false);

/// An error where the step's launch has no such workgroup.
[[nodiscard]] core::Expected<void> has_workgroup(const core::LessonStep& step,
                                                 const core::Result& result);

}  // namespace cli

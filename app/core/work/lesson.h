// A lesson: text and steps, each of which sets an experiment. A step may ask before it shows; what
// is right is never stored but read off the run that the answer is tried with.
// lab/files/lesson_file.h reads the files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/work/experiment.h"
#include "core/work/result.h"

namespace core {

struct LessonStep {
  std::string text;
  Experiment experiment;  ///< of a question: what the answer is tried with
  std::string view;       ///< "grid", "tile" …; empty: as it was

  std::string fact;                  ///< what is asked for, one of lesson_facts(); empty: nothing
  std::vector<std::string> choices;  ///< empty: a number is asked for
  std::map<std::string, std::size_t> means;  ///< the fact's value: the choice, from 1, that says so
  std::string told;                          ///< after the answer, right or wrong

  [[nodiscard]] bool asks() const { return !fact.empty(); }
};

struct Lesson {
  std::string name;  ///< of its file, "barriers"
  std::string title;
  std::string about;  ///< one line
  std::vector<LessonStep> steps;
};

/// What a step may ask for: "verdict" (of the race check), "answer" (right or wrong), "barriers",
/// "workgroups", "invocations" (of a workgroup), "idle" (invocations without work).
[[nodiscard]] std::vector<std::string> lesson_facts();
/// The fact's value in a result; nothing: it is not known yet.
[[nodiscard]] std::optional<std::string> lesson_fact(const std::string& fact, const Result& result);
/// The result is of what the step tries, and is not on its way to it still.
[[nodiscard]] bool shows_step(const LessonStep& step, const Result& result);

struct LessonVerdict {
  bool right = false;
  std::string value;       ///< what the run gave
  std::size_t choice = 0;  ///< the right one, from 1; 0: none of them, or a number was asked for
};
/// `answer` is the choice, from 1, or the number. Nothing: the run has not shown it yet.
[[nodiscard]] std::optional<LessonVerdict> judge(const LessonStep& step, const Result& result,
                                                 std::uint64_t answer);

}  // namespace core

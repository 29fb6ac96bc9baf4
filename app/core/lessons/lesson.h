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
#include "core/work/step.h"

namespace core {

struct LessonStep {
  std::string text;
  Experiment experiment;  ///< of a question: what the answer is tried with
  std::string view;       ///< "grid", "tile" …; empty: as it was

  std::string fact;                          ///< what is asked for (lesson_facts); empty: nothing
  std::vector<std::string> choices;          ///< empty: a number is asked for
  std::map<std::string, std::size_t> means;  ///< the fact's value: the choice, from 1, that says so
  std::string told;                          ///< after the answer, right or wrong

  [[nodiscard]] bool asks() const { return !fact.empty(); }
};

struct Lesson {
  std::string name;  ///< of its file, "barriers"
  std::string title;
  std::string about;  ///< one line
  int order = 0;      ///< among the others; then by name
  std::vector<LessonStep> steps;
};

/// What a step may ask for, for messages. Of the launch: "verdict" (of the race check), "hazards"
/// ("none", "RAW, WAR"), "answer" (right or wrong), "barriers", "launches", "workgroups",
/// "invocations" (of a workgroup), "results" (work items that it covers), "idle" (invocations
/// without work), "shared-bytes" (of a workgroup, as declared); "fit-h200", "limit-h200":
/// workgroups that a multiprocessor of an NVIDIA H200 would hold by warps, places and shared memory
/// alone, and which of them runs out first (modelled, core/model/occupancy.h).
///
/// Of the traced workgroup: "phases" (as lived through), "global-reads" and "shared-reads" (scalars
/// that it reads for each of its results, rounded). Of an array, "times a": "reads" and "writes"
/// (scalars, of the invocation with most), "atomics" (of the workgroup), "times" (that the element
/// that is read most is read), "elements" (that are read at all), "readers" (invocations), "tiling"
/// (core/report/advice.h). Of an array or of all, by 32 lanes: "ways" (of the worst conflict),
/// "sectors" (of the worst instruction), "used" (of bytes fetched, percent, rounded), "requests"
/// (instructions).
[[nodiscard]] std::vector<std::string> lesson_facts();
[[nodiscard]] bool is_lesson_fact(const std::string& fact);
/// What must be known of a run to read it off, beside the launch and its check.
[[nodiscard]] Steps lesson_needs(const std::string& fact);
/// The fact's value in a result; nothing: it is not known, or not yet.
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

// A lesson: text and steps, each of which sets an experiment. A step may ask before it shows; what
// is right is never stored but read off the run that the answer is tried with.
// lab/files/lesson_file.h reads the files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/work/experiment.h"
#include "core/work/result.h"
#include "core/work/step.h"
#include "core/work/view_settings.h"

namespace core {

/// How a step wants its answer.
enum class AnswerBy { nothing, choice, number, click, edit };

/// What is clicked on for an answer.
struct ClickedOn {
  enum class What { cells, invocations, tiles };
  What what = What::cells;
  std::string array;                   ///< of cells: the shared variable whose they are
  std::optional<std::uint64_t> about;  ///< the element of it that is spoken of
  std::vector<std::uint32_t> by;       ///< the invocation that is spoken of; empty: none
};

/// A piece of a kernel's text, and what stands in its place.
struct Replacement {
  std::string from, to;
};

struct LessonStep {
  std::string text;
  std::string notes;            ///< for whoever teaches; shown only when asked for
  Experiment experiment;        ///< of a question: what the answer is tried with
  std::string view;             ///< "grid", "tile" …; empty: as it was
  ViewSettings look;            ///< of the views, as in a scene: { phase = 2 }
  std::int64_t workgroup = -1;  ///< that is looked into, in launch order; -1: the view's own choice
  /// Brought into sight together: parts of lines of one of the kernel's files, one behind the
  /// other.
  std::vector<std::string> source;

  std::string fact;                          ///< what is asked for (lesson_facts); empty: nothing
  std::vector<std::string> choices;          ///< empty: a number is asked for, or a click
  std::map<std::string, std::size_t> means;  ///< the fact's value: the choice, from 1, that says so
  std::string told;                          ///< after the answer, right or wrong
  /// Before the answer its text alone is shown, or not; nothing: as lesson_scene() has it.
  std::optional<bool> sealed = {};

  /// The kernel is to be mended: it passes once it compiles, is right and free of races.
  bool mend = false;
  std::vector<Replacement> given;     ///< of the file's text: what is wrong with it; may be empty
  std::vector<Replacement> solution;  ///< of the text as given: one way; empty: the file's own text
  std::string against;                ///< a variant, with a tile "matmul/naive@16"; empty: none
  double at_most = 0.0;               ///< of its time, measured in the same run

  [[nodiscard]] bool asks() const { return mend || !fact.empty(); }
  /// The answer is worked out from published figures, not from the run.
  [[nodiscard]] bool asks_model() const { return fact.ends_with("-h200"); }
  [[nodiscard]] AnswerBy by() const;
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
/// without work), "shared-bytes" (of a workgroup, as declared); "faster VARIANT" or "faster
/// VARIANT@TILE": "faster", "slower" or "alike" (the times of the two overlap), both measured in
/// this run. Of the streamed multiplication: "accelerators", "share-rows" (of C, of the first one),
/// "share-columns" (of B, that come to it). "fit-h200", "limit-h200":
/// workgroups that a multiprocessor of an NVIDIA H200 would hold by warps, places and shared memory
/// alone, and which of them runs out first; "waves-h200", "filled-h200": waves of the launch on its
/// 132 multiprocessors, and percent of the places that are taken in the last one, rounded (all
/// modelled, core/model/occupancy.h).
///
/// Of the traced workgroup: "phases" (as lived through), "global-reads" and "shared-reads" (scalars
/// that it reads for each of its results, rounded). Of an array, "times a": "reads" and "writes"
/// (scalars, of the invocation with most), "atomics" (of the workgroup), "times" (that the element
/// that is read most is read), "elements" (that are read at all), "readers" (invocations), "tiling"
/// (core/report/advice.h). Of an array or of all, by 32 lanes: "ways" (of the worst conflict),
/// "sectors" (of the worst instruction), "used" (of bytes fetched, percent, rounded), "requests"
/// (instructions).
///
/// Answered by a click on a place: clicked_on().
[[nodiscard]] std::vector<std::string> lesson_facts();
[[nodiscard]] bool is_lesson_fact(const std::string& fact);
/// What must be known of a run to read it off, beside the launch and its check.
[[nodiscard]] Steps lesson_needs(const std::string& fact);
/// The fact's value in a result; nothing: it is not known, or not yet.
[[nodiscard]] std::optional<std::string> lesson_fact(const std::string& fact, const Result& result);
/// Of "faster": the other one. Else empty.
[[nodiscard]] std::string lesson_rival(const std::string& fact);
/// The rung of a variant, of that tile where one is named and of any else; null: not measured.
[[nodiscard]] const Rung* measured_rung(const Result& result, const std::string& rival);

/// The variant that a step's time is held against; empty: none.
[[nodiscard]] std::string rival_of(const LessonStep& step);

/// Facts that are places. Cells of a shared array of the traced workgroup: "racing ARRAY";
/// "read-by X,Y,Z ARRAY", "written-by X,Y,Z ARRAY" (one invocation's); "bank-of I ARRAY" (those in
/// the bank of element I, itself left out). Its invocations: "readers-of I ARRAY", "writers-of I
/// ARRAY". Workgroups: "idle-tiles" (where some invocation has no work), "tile-of ROW,COLUMN" (that
/// computes this result). Nothing: the fact is no place.
[[nodiscard]] std::optional<ClickedOn> clicked_on(const std::string& fact);
/// The right places, ascending: elements in memory order, local indices of invocations, workgroups
/// in launch order. Nothing: not known yet.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> lesson_places(const std::string& fact,
                                                                      const Result& result);
/// "tile_a[3][7]", "invocation (5, 0)", "workgroup (1, 2)".
[[nodiscard]] std::string place_words(const ClickedOn& on, std::uint64_t place,
                                      const Result& result);

/// Of each part the first line of a file, from 1, that contains it, behind that of the part before;
/// its header (//!) is left out, which the window folds away. Empty: one of them is in none.
[[nodiscard]] std::vector<std::size_t> lines_with(std::string_view file,
                                                  std::span<const std::string> parts);
/// A file of the kernel that is run (its own, or one that it includes) has the lines of the step's
/// `source`, or there is none.
[[nodiscard]] bool has_source(const LessonStep& step, const Result& result);

/// The result is of what the step tries, and is not on its way to it still.
[[nodiscard]] bool shows_step(const LessonStep& step, const Result& result);

struct LessonVerdict {
  bool right = false;
  std::string value;       ///< what the run gave
  std::size_t choice = 0;  ///< the right one, from 1; 0: none of them, or it was no choice
  std::vector<std::uint64_t> places;  ///< of a click: the right ones
};
/// `answer` is the choice, from 1, the number, or the place. Nothing: the run has not shown it yet.
[[nodiscard]] std::optional<LessonVerdict> judge(const LessonStep& step, const Result& result,
                                                 std::uint64_t answer);

/// The text that the reader is given: the file's with the step's replacements. An error where one
/// of them isn't there.
[[nodiscard]] Expected<std::string> given_text(const LessonStep& step, const std::string& file);
/// The author's way to mend it.
[[nodiscard]] Expected<std::string> mended_text(const LessonStep& step, const std::string& file);

/// One thing that a mended kernel must be.
struct MendPoint {
  enum class State { pending, no, yes };
  std::string words;  ///< what is asked, and what the run says
  State state = State::pending;
};
/// `given` is the text as the reader got it, `typed` as it stands now, `runs` the one that the
/// result is of.
[[nodiscard]] std::vector<MendPoint> judge_mending(const LessonStep& step, const Result& result,
                                                   const std::string& given,
                                                   const std::string& typed,
                                                   const std::string& runs);
[[nodiscard]] bool passes(const std::vector<MendPoint>& points);

}  // namespace core

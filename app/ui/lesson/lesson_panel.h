// A lesson beside the view, or below it where there is no room: what a step says, what it asks, and
// what the run said to the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"
#include "core/lessons/progress.h"
#include "ui/canvas/layout.h"
#include "ui/panels/panels.h"
#include "ui/panels/source/source_fold.h"

namespace ui {

/// A kernel that is mended: lent to the editor while its step lasts.
struct Lent {
  std::string variant;
  std::string given;                ///< the text that the reader got
  std::string file;                 ///< that of its file
  std::optional<std::string> kept;  ///< what stood in the editor before
  bool awaited = true;              ///< what runs is still the kernel before
};

struct LessonState final : ViewState {
  std::vector<core::Lesson> lessons;  ///< those that there are
  core::LessonProgress progress;      ///< the window keeps it
  bool offered = false;               ///< the first one is offered, until anything is done
  bool offer_stood = false;           ///< in the frame before
  bool choosing = false;              ///< their list is open
  std::size_t coming = 0;             ///< the one that the list goes on with
  std::optional<std::size_t> lesson;  ///< that is gone through; nothing: none
  std::size_t step = 0;
  std::optional<std::uint64_t> answer;  ///< a choice from 1, a number, a place that was clicked on
  std::string typed;                    ///< of a number
  struct Standing {
    std::size_t step = 0;
    bool open = false;
    bool operator==(const Standing&) const = default;
  };
  std::optional<Standing> set;  ///< what was asked for: the step's scene, or that before it
  std::int64_t workgroup = -1;  ///< that it asked for; -1: none
  bool found = false;           ///< what the run found was pointed at
  bool low = false;             ///< there is little room: what is new comes first
  bool clicked = false;         ///< that key was a clicker's, which tells answers
  bool revealed = false;        ///< the answer is told, and nobody has given one
  bool notes = false;           ///< those of the teacher are shown
  std::optional<Lent> lent;
  std::string trouble;  ///< why a kernel can't be given to be mended
  int steps = 0;        ///< asked for by a key

  [[nodiscard]] const core::LessonStep* current() const;
  /// What the run says of the step may be seen.
  [[nodiscard]] bool open() const;
  /// The step that is asked, or a later one of the same run, asks for this fact ("idle"), of this
  /// array where one is named.
  [[nodiscard]] bool asks_yet(const std::string& fact, const std::string& array = {}) const;
  /// The step's text is seen, and nothing else of it (core/lessons/lesson_scene.h).
  [[nodiscard]] bool sealed() const;
  /// A kernel that is to be mended is made ready: its text is seen.
  [[nodiscard]] bool awaited() const { return lent && lent->awaited; }
};

/// The list goes on with the first lesson that was not gone through to its end.
void find_coming(LessonState& state);
/// What is seen of a result that the step seals; nothing: all of it.
[[nodiscard]] std::optional<core::Result> sealed_result(State& state, const Model& model);
/// Goes to a step of a lesson.
void begin_lesson(LessonState& state, std::size_t number);
/// On or back by a step, or to the list at an end; what was lent is taken back.
void go_in_lesson(const Frame& frame, LessonState& state, int by);
void end_lesson(const Frame& frame, LessonState& state);
/// Takes the view's scene where the step wants it.
void show_lesson_scene(const Frame& frame, LessonState& state);
/// The text that the editor holds of the lent kernel.
[[nodiscard]] std::vector<core::MendPoint> mend_points(const Frame& frame,
                                                       const LessonState& state);
/// All of them hold.
[[nodiscard]] bool is_mended(const Frame& frame, const LessonState& state);
/// Of the lent kernel: what was made wrong with it, and once it is changed, what was changed.
[[nodiscard]] std::optional<LineRun> lines_to_mend(State& state);
/// What the step wants in sight of its kernel's text: parts of lines. Empty: nothing, or the reader
/// has changed the lent kernel, of which that is seen.
[[nodiscard]] std::vector<std::string> lines_in_sight(State& state);
/// Puts one way to mend it into the editor.
void show_solution(const Frame& frame, LessonState& state);
/// A question that waits has the keyboard: digits and Enter give a number, letters a choice. True
/// if the key is taken; letters and digits always are.
[[nodiscard]] bool take_answer_key(LessonState& state, const KeyPress& key);
/// The step's question is answered, or there is none.
[[nodiscard]] bool may_go_on(const Frame& frame, const LessonState& state);

/// Before the views are drawn: acts on keys, asks for scenes, and takes the lesson's place off the
/// layout. Returns the place; empty where no lesson is on.
[[nodiscard]] Rect begin_lesson_frame(const Frame& frame, Layout& layout);
/// `area` is what begin_lesson_frame() has returned; the offer and the list lie over the view.
void draw_lesson(const Frame& frame, const Rect& area, const Rect& view);
/// In place of panels whose numbers would answer what the lesson asks.
void draw_kept_back(const Frame& frame, const Rect& area);

}  // namespace ui

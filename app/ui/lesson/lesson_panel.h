// A lesson over the lower part of the view: what a step says, what it asks, and what the run said
// to the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"
#include "ui/panels/panels.h"

namespace ui {

struct LessonState final : ViewState {
  std::vector<core::Lesson> lessons;  ///< those that there are
  bool offered = false;               ///< the first one is offered, until anything is done
  bool offer_stood = false;           ///< in the frame before
  bool choosing = false;              ///< their list is open
  std::size_t coming = 0;             ///< the one that the list goes on with
  std::optional<std::size_t> lesson;  ///< that is gone through; nothing: none
  std::size_t step = 0;
  std::optional<std::uint64_t> answer;  ///< to the step's question: a choice from 1, or a number
  std::string typed;                    ///< of a number
  std::optional<std::size_t> shown;     ///< the step whose scene was asked for
  int steps = 0;                        ///< asked for by a key

  [[nodiscard]] const core::LessonStep* current() const;
};

/// Takes the view's scene where the step wants it, and draws; nothing where no lesson is on.
void draw_lesson(const Frame& frame, const Rect& view);

}  // namespace ui

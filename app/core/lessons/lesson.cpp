#include "core/lessons/lesson.h"

#include <algorithm>

namespace core {

bool shows_step(const LessonStep& step, const Result& result) {
  const Experiment& wanted = step.experiment;
  const Experiment& got = result.experiment;
  return got.variant == wanted.variant && got.barriers == wanted.barriers &&
         (wanted.size.empty() || got.size == wanted.size) &&
         (wanted.tile == 0 || got.tile == wanted.tile) &&
         std::ranges::includes(got.settings, wanted.settings) && result.tiles.group_count() > 0;
}

std::optional<LessonVerdict> judge(const LessonStep& step, const Result& result,
                                   std::uint64_t answer) {
  const auto value = shows_step(step, result) ? lesson_fact(step.fact, result) : std::nullopt;
  if (!value) {
    return std::nullopt;
  }
  LessonVerdict verdict{.value = *value};
  if (step.choices.empty()) {
    verdict.right = std::to_string(answer) == *value;
    return verdict;
  }
  if (const auto meant = step.means.find(*value); meant != step.means.end()) {
    verdict.choice = meant->second;
    verdict.right = meant->second == answer;
  }
  return verdict;
}

}  // namespace core

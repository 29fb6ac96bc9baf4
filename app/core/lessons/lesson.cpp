#include "core/lessons/lesson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace core {
namespace {

using State = MendPoint::State;

Expected<std::string> replaced(std::string text, const std::vector<Replacement>& all) {
  for (const Replacement& one : all) {
    const std::size_t at = one.from.empty() ? std::string::npos : text.find(one.from);
    if (at == std::string::npos) {
      return usage_error("the source of the kernel does not contain \"" + one.from +
                         "\", which the step replaces");
    }
    text.replace(at, one.from.size(), one.to);
  }
  return text;
}

State state_of(bool known, bool good) {
  return !known ? State::pending : good ? State::yes : State::no;
}

MendPoint compiles(const Result& result, const std::string& given, const std::string& typed,
                   const std::string& runs) {
  if (typed == given) {
    return {.words = "changed", .state = State::pending};
  }
  if (typed != runs && result.error) {
    return {.words = "compiles: " + result.error->message, .state = State::no};
  }
  return {.words = "compiles", .state = state_of(typed == runs, true)};
}

std::string times_text(double number) {
  std::array<char, 32> text{};
  static_cast<void>(std::snprintf(text.data(), text.size(), "%.3g", number));
  return text.data();
}

MendPoint fast_enough(const LessonStep& step, const Result& result, bool runs) {
  constexpr std::size_t kEnough = 5;  // samples
  const Rung* rung = measured_rung(result, step.against);
  const Spread& own = result.timing.spread;
  const bool known = runs && rung != nullptr && own.count >= kEnough && rung->spread.median > 0.0;
  const double ratio = known ? own.median / rung->spread.median : 0.0;
  const std::string wanted =
      "takes at most " + times_text(step.at_most) + " times as long as " + step.against;
  return {.words = known ? wanted + "; it takes " + times_text(ratio) + " times as long" : wanted,
          .state = state_of(known, ratio <= step.at_most)};
}

}  // namespace

AnswerBy LessonStep::by() const {
  return mend               ? AnswerBy::edit
         : fact.empty()     ? AnswerBy::nothing
         : clicked_on(fact) ? AnswerBy::click
         : !choices.empty() ? AnswerBy::choice
                            : AnswerBy::number;
}

std::vector<std::size_t> lines_with(std::string_view file, std::span<const std::string> parts) {
  std::vector<std::size_t> found;
  for (std::size_t number = 1, at = 0; at < file.size() && found.size() < parts.size(); ++number) {
    const std::string_view line = file.substr(at, file.find('\n', at) - at);
    if (!line.starts_with("//!") && line.contains(parts[found.size()])) {
      found.push_back(number);
    }
    at += line.size() + 1;
  }
  return found.size() == parts.size() ? found : std::vector<std::size_t>();
}

bool has_source(const LessonStep& step, const Result& result) {
  const auto in = [&step](const std::string& text) {
    return !lines_with(text, step.source).empty();
  };
  if (step.source.empty() || result.launches.empty()) {
    return step.source.empty() || in(result.variant.source);
  }
  const Launch& launch = result.launches[result.launch];
  return in(launch.source) || std::ranges::any_of(launch.sources, in, &SourceFile::text);
}

bool shows_step(const LessonStep& step, const Result& result) {
  const Experiment& wanted = step.experiment;
  const Experiment& got = result.experiment;
  return got.variant == wanted.variant && got.barriers == wanted.barriers &&
         (wanted.size.empty() || got.size == wanted.size) &&
         (wanted.tile == 0 || got.tile == wanted.tile) &&
         std::ranges::includes(got.settings, wanted.settings) && result.tiles.group_count() > 0;
}

namespace {

// What is told of a workgroup is told of the step's.
bool traces_step(const LessonStep& step, const Result& result) {
  if (step.workgroup < 0 || !lesson_needs(step.fact).contains(Step::trace)) {
    return true;
  }
  const auto place = static_cast<std::uint64_t>(step.workgroup);
  if (!result.trace || place >= result.tiles.group_count()) {
    return false;
  }
  const glm::uvec3 group = result.tiles.group_at(place);
  return result.trace->workgroup == std::array{group.x, group.y, group.z};
}

}  // namespace

std::optional<LessonVerdict> judge(const LessonStep& step, const Result& result,
                                   std::uint64_t answer) {
  if (!shows_step(step, result) || !traces_step(step, result)) {
    return std::nullopt;
  }
  if (const auto on = clicked_on(step.fact)) {
    const auto places = lesson_places(step.fact, result);
    if (!places) {
      return std::nullopt;
    }
    return LessonVerdict{
        .right = std::ranges::binary_search(*places, answer),
        .value = places->empty() ? "none" : place_words(*on, places->front(), result),
        .places = *places};
  }
  const auto value = lesson_fact(step.fact, result);
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

Expected<std::string> given_text(const LessonStep& step, const std::string& file) {
  return replaced(file, step.given);
}

Expected<std::string> mended_text(const LessonStep& step, const std::string& file) {
  if (step.solution.empty()) {
    return file;
  }
  auto given = given_text(step, file);
  return given ? replaced(std::move(*given), step.solution) : given;
}

std::vector<MendPoint> judge_mending(const LessonStep& step, const Result& result,
                                     const std::string& given, const std::string& typed,
                                     const std::string& runs) {
  const bool here = shows_step(step, result) && typed == runs && typed != given;
  std::vector<MendPoint> points{compiles(result, given, typed, runs)};
  const bool refused = here && result.refused();
  points.push_back(
      {.words = "correct",
       .state = refused ? State::no : state_of(here && result.check.done, result.check.correct)});
  const bool checked = here && result.races != nullptr;
  const bool clean = checked && result.races->verdict == Verdict::clean;
  points.push_back({.words = checked && !clean ? "free of races: the verdict is " +
                                                     to_string(result.races->verdict)
                                               : "free of races",
                    .state = state_of(checked, clean)});
  if (!step.against.empty()) {
    points.push_back(fast_enough(step, result, here && !refused));
  }
  return points;
}

bool passes(const std::vector<MendPoint>& points) {
  return std::ranges::all_of(points, [](const MendPoint& p) { return p.state == State::yes; });
}

}  // namespace core

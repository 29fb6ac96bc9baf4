#include "core/work/lesson.h"

#include <array>

namespace core {
namespace {

using Value = std::optional<std::string>;

struct Fact {
  const char* name;
  Value (*of)(const Result& result);
};

Value verdict(const Result& result) {
  return result.races ? Value(to_string(result.races->verdict)) : std::nullopt;
}

Value answer(const Result& result) {
  return result.check.done ? Value(result.check.correct ? "right" : "wrong") : std::nullopt;
}

Value barriers(const Result& result) {
  return result.facts ? Value(std::to_string(result.facts->barriers.size())) : std::nullopt;
}

Value workgroups(const Result& result) {
  return std::to_string(result.tiles.group_count());
}

Value invocations(const Result& result) {
  const glm::uvec3 size = result.tiles.local_size;
  return std::to_string(std::uint64_t{size.x} * size.y * size.z);
}

Value idle(const Result& result) {
  return std::to_string(result.tiles.invocations() - result.tiles.useful_invocations());
}

constexpr std::array kFacts{Fact{"verdict", verdict},         Fact{"answer", answer},
                            Fact{"barriers", barriers},       Fact{"workgroups", workgroups},
                            Fact{"invocations", invocations}, Fact{"idle", idle}};

}  // namespace

std::vector<std::string> lesson_facts() {
  std::vector<std::string> names;
  for (const Fact& fact : kFacts) {
    names.emplace_back(fact.name);
  }
  return names;
}

std::optional<std::string> lesson_fact(const std::string& name, const Result& result) {
  for (const Fact& fact : kFacts) {
    if (fact.name == name) {
      return fact.of(result);
    }
  }
  return std::nullopt;
}

bool shows_step(const LessonStep& step, const Result& result) {
  const Experiment& wanted = step.experiment;
  const Experiment& got = result.experiment;
  return got.variant == wanted.variant && got.barriers == wanted.barriers &&
         (wanted.size.empty() || got.size == wanted.size) &&
         (wanted.tile == 0 || got.tile == wanted.tile) && result.tiles.group_count() > 0;
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

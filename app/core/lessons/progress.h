// How far somebody has come in the lessons.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace core {

struct LessonProgress {
  std::map<std::string, std::size_t> passed;  ///< by lesson: steps that were gone past
  bool declined = false;                      ///< none is to be offered any more
  bool operator==(const LessonProgress&) const = default;

  [[nodiscard]] std::size_t of(const std::string& lesson) const {
    const auto found = passed.find(lesson);
    return found == passed.end() ? 0 : found->second;
  }
};

}  // namespace core

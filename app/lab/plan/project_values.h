// Expressions in the texts of a project file's launch: "{4 * width * height}:random".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/expression.h"

namespace lab {

/// The named values of one launch. A value may be a text with expressions over the others.
class ProjectValues {
 public:
  void add(const std::string& name, std::string text) { texts_[name] = std::move(text); }

  /// Returns the text with each {EXPRESSION} replaced by its value. Fails if an expression is
  /// wrong, or if a value depends on itself.
  [[nodiscard]] core::Expected<std::string> expand(std::string_view text);

 private:
  [[nodiscard]] core::Expected<std::string> evaluate(const std::string& expression);
  [[nodiscard]] core::Expected<core::Number> number(const std::string& name);

  std::map<std::string, std::string> texts_;
  std::map<std::string, core::Number> known_;
  std::vector<std::string> open_;  // names whose values are being computed
};

}  // namespace lab

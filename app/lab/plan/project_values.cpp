#include "lab/plan/project_values.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"

namespace lab {
namespace {

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The words of an expression that may be names.
std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && in_name(expression[end])) {
      ++end;
    }
    if (end > at && std::isdigit(static_cast<unsigned char>(expression[at])) == 0) {
      names.emplace_back(expression.substr(at, end - at));
    }
    at = end > at ? end : at + 1;
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

std::string number_text(core::Number number) {
  constexpr double kLargestWhole = 9007199254740992.0;  // 2^53
  if (const auto* whole = std::get_if<std::int64_t>(&number)) {
    return std::to_string(*whole);
  }
  const double real = std::get<double>(number);
  return real == std::floor(real) && std::abs(real) < kLargestWhole
             ? std::to_string(static_cast<std::int64_t>(real))
             : fmt::format("{}", real);
}

}  // namespace

core::Expected<core::Number> ProjectValues::number(const std::string& name) {
  if (const auto found = known_.find(name); found != known_.end()) {
    return found->second;
  }
  open_.push_back(name);
  if (std::ranges::count(open_, name) > 1) {
    return core::usage_error(
        fmt::format("\"{}\" depends on itself: {}", name, fmt::join(open_, " → ")));
  }
  const auto text = TRY(expand(texts_.at(name)));
  open_.pop_back();
  if (const auto whole = core::whole_number<std::int64_t>(text)) {
    return known_[name] = *whole;
  }
  if (const auto real = core::real_number<>(text)) {
    return known_[name] = *real;
  }
  return core::usage_error(fmt::format("{} must be a number, not \"{}\"", name, text));
}

core::Expected<std::string> ProjectValues::evaluate(const std::string& expression) {
  std::vector<std::string> names;
  std::vector<core::Number> numbers;
  for (const std::string& name : names_in(expression)) {
    if (!texts_.contains(name)) {
      continue;  // a function, or a name that the parser reports
    }
    const auto value = TRY(number(name));
    names.push_back(name);
    numbers.push_back(value);
  }
  const auto parsed = core::Expression::parse(expression, names);
  const auto value = parsed ? parsed->evaluate(numbers) : std::unexpected(parsed.error());
  return value ? core::Expected<std::string>(number_text(*value)) : std::unexpected(value.error());
}

core::Expected<std::string> ProjectValues::expand(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    result += text.substr(at, open - at);
    if (open == text.size()) {
      break;
    }
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) {
      return core::usage_error(fmt::format("\"{}\": a closing }} is missing", text));
    }
    const auto value = evaluate(std::string(text.substr(open + 1, close - open - 1)));
    if (!value) {
      return value;
    }
    result += *value;
    at = close + 1;
  }
  return result;
}

}  // namespace lab

#include "core/work/view_settings.h"

#include <algorithm>
#include <charconv>

namespace core {
namespace {

// "0.5", "4", "100000": without trailing zeros.
std::string plain(double value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  return {std::begin(digits), end};
}

std::optional<std::string> outside(const ViewField& field, double value) {
  return value >= field.low && value <= field.high
             ? std::nullopt
             : std::optional(field.key + " must be from " + plain(field.low) + " to " +
                             plain(field.high));
}

std::string listed(const std::vector<std::string>& choices) {
  std::string text;
  for (const std::string& choice : choices) {
    text += choice.empty() ? "" : (text.empty() ? "" : ", ") + choice;
  }
  return text;
}

}  // namespace

std::optional<std::string> unfit(const ViewField& field, const ViewSetting& value) {
  static constexpr const char* kKinds[] = {"true or false", "a whole number", "a number",
                                           "a string"};
  const auto kind = static_cast<std::size_t>(field.kind);
  if (value.index() != kind) {
    return field.key + " must be " + kKinds[kind];
  }
  switch (field.kind) {
    case ViewField::Kind::truth:
      return std::nullopt;
    case ViewField::Kind::whole:
      return outside(field, static_cast<double>(std::get<std::int64_t>(value)));
    case ViewField::Kind::number:
      return outside(field, std::get<double>(value));
    case ViewField::Kind::text:
      break;
  }
  const bool known =
      field.choices.empty() ||
      std::ranges::find(field.choices, std::get<std::string>(value)) != field.choices.end();
  return known ? std::nullopt
               : std::optional(field.key + " must be one of: " + listed(field.choices));
}

}  // namespace core

#include "lab/ready/constant_limits.h"

#include <bit>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lab {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

std::optional<std::uint64_t> factor(const std::string& text, const ConstantValues& values) {
  if (const auto named = values.find(text); named != values.end()) {
    return named->second;
  }
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, number);
  return status == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

// Nothing where the header gives none, or where a name is not known.
std::optional<std::uint64_t> value_of(const core::Factors& product, const ConstantValues& values) {
  std::optional<std::uint64_t> all;
  for (const std::string& text : product) {
    const auto next = factor(text, values);
    if (!next) {
      return {};
    }
    all = std::min(all.value_or(1) * std::min(*next, kMost), kMost);
  }
  return all;
}

// "INVOCATIONS (128)", "UNROLL·SHARES (128)", "8".
std::string in_words(const core::Factors& product, std::uint64_t value) {
  const std::string text = fmt::format("{}", fmt::join(product, "·"));
  const std::string number = std::to_string(value);
  return text == number ? number : fmt::format("{} ({})", text, number);
}

std::string bounds(const core::ConstantRule& rule, const ConstantValues& values) {
  const auto least = value_of(rule.least, values);
  const auto most = value_of(rule.most, values);
  if (least && most) {
    return fmt::format("{} to {}", in_words(rule.least, *least), in_words(rule.most, *most));
  }
  return least ? fmt::format("at least {}", in_words(rule.least, *least))
               : fmt::format("at most {}", in_words(rule.most, most.value_or(kMost)));
}

// What it would have to be, as a verb; empty when it is.
std::string out_of_bounds(std::uint64_t value, const core::ConstantRule& rule,
                          const ConstantValues& values) {
  const bool inside = value >= value_of(rule.least, values).value_or(0) &&
                      value <= value_of(rule.most, values).value_or(kMost);
  return inside ? "" : "must be " + bounds(rule, values);
}

std::string wrong_kind(std::uint64_t value, const core::ConstantRule& rule,
                       const ConstantValues& values) {
  if (rule.power_of_two && !std::has_single_bit(value)) {
    return "must be a power of two";
  }
  if (const auto unit = value_of(rule.multiple_of, values);
      unit && (*unit == 0 || value % *unit != 0)) {
    return "must be a multiple of " + in_words(rule.multiple_of, *unit);
  }
  if (const auto whole = value_of(rule.divides, values);
      whole && (value == 0 || *whole % value != 0)) {
    return "must divide " + in_words(rule.divides, *whole);
  }
  return "";
}

}  // namespace

core::Expected<void> check_constants(const core::Variant& variant, const ConstantValues& values) {
  // Bounds first: 96 is no multiple of a tile of 0, but the tile is what is wrong.
  for (const auto& wrong_with : {out_of_bounds, wrong_kind}) {
    for (const auto& [name, rule] : variant.constants) {
      const auto value = values.find(name);
      if (value == values.end()) {
        continue;
      }
      if (const std::string wrong = wrong_with(value->second, rule, values); !wrong.empty()) {
        return core::usage_error(
            fmt::format("{} of {} {}, not {}", name, variant.id(), wrong, value->second));
      }
    }
  }
  return {};
}

}  // namespace lab

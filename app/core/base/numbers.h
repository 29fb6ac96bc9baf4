// Numbers as people write them: all of the text is the number, or it is none.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace core {

/// "1000", "-3" where the type has a sign, "0x10".
template <class T>
[[nodiscard]] std::optional<T> whole_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value, base);
  return status == std::errc{} && rest == end && !text.empty() ? std::optional(value)
                                                               : std::nullopt;
}

/// "0.5", "1e6", "3".
template <class T = double>
[[nodiscard]] std::optional<T> real_number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  return status == std::errc{} && rest == end && !text.empty() ? std::optional(value)
                                                               : std::nullopt;
}

}  // namespace core

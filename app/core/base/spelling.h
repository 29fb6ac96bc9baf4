// Names as people type them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Letters to insert, remove or replace to make one word of the other (Levenshtein 1966). `most`
/// for words whose lengths differ by as many.
[[nodiscard]] inline std::size_t letters_apart(std::string_view a, std::string_view b,
                                               std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) {
    return most;
  }
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t before = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, before + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      before = above;
    }
  }
  return row[b.size()];
}

/// Returns the name that `word` may be a misspelling of: at most two letters differ, and fewer than
/// it has. Empty if there is none.
[[nodiscard]] inline std::string nearest_of(std::string_view word,
                                            const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t least = std::min<std::size_t>(3, word.size());
  for (const std::string& name : names) {
    const std::size_t distance = letters_apart(word, name, least);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/// A value of the call for a message: cut after 80 bytes.
[[nodiscard]] inline std::string shortened(const std::string& value) {
  constexpr std::size_t kMost = 80;
  if (value.size() <= kMost) {
    return value;
  }
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U) {
    --end;  // not within a character of UTF-8
  }
  return value.substr(0, end) + "… (" + std::to_string(value.size()) + " bytes)";
}

/// A message whose words are cut as by shortened() if they are longer than any usual path.
[[nodiscard]] inline std::string with_short_words(const std::string& message) {
  constexpr std::size_t kLongest = 256;
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find(' ', at), message.size());
    const std::string word = message.substr(at, end - at);
    text += word.size() > kLongest ? shortened(word) : word;
    text += end < message.size() ? " " : "";
    at = end + 1;
  }
  return text;
}

}  // namespace core

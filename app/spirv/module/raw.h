// The words of a module as instructions that are not read yet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

namespace spirv {

/// An instruction with its first word, which has its length and its opcode.
using Raw = std::span<const std::uint32_t>;

inline constexpr std::size_t header_words = 5;

[[nodiscard]] inline bool is(Raw i, spv::Op op) {
  return (i[0] & 0xFFFFU) == static_cast<std::uint32_t>(op);
}

/// The string that begins at that word.
[[nodiscard]] inline std::string text_at(Raw i, std::size_t word) {
  std::string text;
  for (; word < i.size(); ++word) {
    for (std::uint32_t byte = 0; byte < 4; ++byte) {
      const char c = static_cast<char>(i[word] >> (8 * byte) & 0xFFU);
      if (c == 0) {
        return text;
      }
      text += c;
    }
  }
  return text;
}

/// The instructions of a module. Empty if the words are not a module.
[[nodiscard]] inline std::vector<Raw> instructions_of(Raw words) {
  std::vector<Raw> found;
  if (words.size() < header_words || words[0] != spv::MagicNumber) {
    return found;
  }
  for (std::size_t at = header_words; at < words.size();) {
    const std::size_t length = words[at] >> 16U;
    if (length == 0 || length > words.size() - at) {
      return {};
    }
    found.push_back(words.subspan(at, length));
    at += length;
  }
  return found;
}

}  // namespace spirv

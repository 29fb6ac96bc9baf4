#include "fuzz/mutate_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "core/base/lines.h"

namespace fuzz {
namespace {

constexpr std::array<const char*, 14> kNumbers{"0",   "1",    "2",          "3",          "7",
                                               "16",  "31",   "32",         "63",         "64",
                                               "65u", "255u", "2147483647", "4294967295u"};
constexpr std::array<const char*, 18> kOperators{
    "+",  "-", "*",  "/", "%",  "&",  "|",  "^",  "<<",
    ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

struct Token {
  std::size_t first = 0;
  std::size_t size = 0;
};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Words (names or numbers, by their first character) or operators.
enum class Kind { name, number, sign };

std::vector<Token> tokens(const std::string& text, Kind wanted) {
  std::vector<Token> found;
  for (std::size_t at = text.find("main"); at < text.size();) {
    std::size_t end = at + 1;
    Kind kind = Kind::sign;
    if (in_word(text[at])) {
      while (end < text.size() && in_word(text[end])) {
        ++end;
      }
      kind = std::isdigit(static_cast<unsigned char>(text[at])) != 0 ? Kind::number : Kind::name;
    } else if (end < text.size() &&
               std::ranges::find(kOperators, text.substr(at, 2)) != kOperators.end()) {
      ++end;
    }
    const bool sign = kind != Kind::sign ||
                      std::ranges::find(kOperators, text.substr(at, end - at)) != kOperators.end();
    if (kind == wanted && sign) {
      found.push_back({at, end - at});
    }
    at = end;
  }
  return found;
}

void change_lines(std::string& text, Dice& dice) {
  auto lines = core::lines_of(text);
  if (lines.size() < 2) {
    return;
  }
  const std::size_t a = dice.roll(lines.size());
  const std::size_t b = dice.roll(lines.size());
  switch (dice.roll(3)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(b), lines[a]);
      break;
    default:
      std::swap(lines[a], lines[b]);
      break;
  }
  text = joined(lines);
}

void change_token(std::string& text, Kind kind, Dice& dice) {
  const auto all = tokens(text, kind);
  if (all.empty()) {
    return;
  }
  const Token& token = all[dice.roll(all.size())];
  std::string other;
  switch (kind) {
    case Kind::number:
      other = kNumbers[dice.roll(kNumbers.size())];
      break;
    case Kind::sign:
      other = kOperators[dice.roll(kOperators.size())];
      break;
    case Kind::name: {
      const Token& name = all[dice.roll(all.size())];
      other = text.substr(name.first, name.size);
      break;
    }
  }
  text.replace(token.first, token.size, other);
}

}  // namespace

void mutate_text(std::string& text, Dice& dice) {
  switch (dice.roll(4)) {
    case 0:
      return change_lines(text, dice);
    case 1:
      return change_token(text, Kind::number, dice);
    case 2:
      return change_token(text, Kind::sign, dice);
    default:
      return change_token(text, Kind::name, dice);
  }
}

}  // namespace fuzz

#include "ui/widgets/glsl_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace ui {
namespace {

constexpr std::array<std::string_view, 32> kKeywords{
    "const",    "in",       "out",     "inout",   "uniform", "buffer",   "shared",   "layout",
    "if",       "else",     "for",     "while",   "do",      "switch",   "case",     "default",
    "break",    "continue", "return",  "discard", "struct",  "restrict", "readonly", "writeonly",
    "coherent", "volatile", "precise", "highp",   "mediump", "lowp",     "true",     "false"};
constexpr std::array<std::string_view, 12> kTypes{"void",     "bool",    "int",       "uint",
                                                  "float",    "double",  "float16_t", "int64_t",
                                                  "uint64_t", "uint8_t", "f16vec2",   "f16vec4"};
constexpr std::array<std::string_view, 8> kBarriers{"barrier",
                                                    "controlBarrier",
                                                    "memoryBarrier",
                                                    "memoryBarrierShared",
                                                    "groupMemoryBarrier",
                                                    "memoryBarrierBuffer",
                                                    "subgroupBarrier",
                                                    "subgroupMemoryBarrier"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool is_vector_type(std::string_view word) {
  const std::size_t at = word.find("vec") != word.npos ? word.find("vec") : word.find("mat");
  return at <= 1 && word.size() >= at + 4 && is_digit(word[at + 3]);
}

// Names of buffer blocks that have one: "data" of "buffer Data { float x[]; } data;".
std::set<std::string_view> block_names(std::string_view source) {
  constexpr std::string_view kBlock = "buffer ";
  std::set<std::string_view> names;
  for (std::size_t at = source.find(kBlock); at != source.npos;
       at = source.find(kBlock, at + kBlock.size())) {
    const std::size_t close = std::min(source.find('}', at), source.size());
    std::string_view name = source.substr(close);
    name.remove_prefix(std::min(name.size(), name.find_first_not_of("} \n")));
    const auto letters = std::ranges::find_if_not(name, is_word) - name.begin();
    if (letters > 0) {
      names.insert(name.substr(0, static_cast<std::size_t>(letters)));
    }
  }
  return names;
}

class Tokenizer {
 public:
  Tokenizer(std::string_view source, const std::vector<std::string>& buffers)
      : rest_(source), blocks_(block_names(source)) {
    for (const std::string& name : buffers) {
      buffers_.insert(lower(name));
    }
  }

  GlslListing run() {
    bool at_top = true;
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      listing_.lines.emplace_back();
      at_top = at_top && (line_.empty() || line_.starts_with("//!") || line_.starts_with("#"));
      listing_.header_lines += at_top ? 1 : 0;
      if (at_top && line_.starts_with("//!")) {
        push(TokenKind::header, line_.size());
      }
      read_line();
    }
    return std::move(listing_);
  }

 private:
  GlslLine& current() { return listing_.lines.back(); }

  void push(TokenKind kind, std::size_t length) {
    behind_dot_ = length > 0 && line_[length - 1] == '.';
    current().tokens.push_back({kind, line_.substr(0, length)});
    line_.remove_prefix(length);
  }

  void read_line() {
    const std::size_t first = line_.find_first_not_of(" \t");
    declares_shared_ = false;
    behind_dot_ = false;
    if (!in_comment_ && first != line_.npos && line_[first] == '#') {
      push(TokenKind::preprocessor, line_.size());
    }
    while (!line_.empty()) {
      read_token();
    }
  }

  void read_token() {
    if (in_comment_ || line_.starts_with("/*")) {
      const std::size_t end = line_.find("*/", in_comment_ ? 0 : 2);
      in_comment_ = end == line_.npos;
      push(TokenKind::comment, in_comment_ ? line_.size() : end + 2);
    } else if (line_.starts_with("//")) {
      push(TokenKind::comment, line_.size());
    } else if (is_digit(line_[0])) {
      read_number();
    } else if (is_word(line_[0])) {
      read_word();
    } else {
      std::size_t length = 1;
      while (length < line_.size() && !is_word(line_[length]) && line_[length] != '/') {
        ++length;
      }
      push(TokenKind::plain, length);
    }
  }

  void read_number() {
    std::size_t length = 1;
    while (length < line_.size() && (is_word(line_[length]) || line_[length] == '.')) {
      ++length;
    }
    push(TokenKind::number, length);
  }

  void read_word() {
    std::size_t length = 1;
    while (length < line_.size() && is_word(line_[length])) {
      ++length;
    }
    const std::string_view word = line_.substr(0, length);
    const std::string_view after = line_.substr(length);
    push(classify(word, after), length);
  }

  TokenKind classify(std::string_view word, std::string_view after) {
    const auto in = [word](const auto& set) { return std::ranges::find(set, word) != set.end(); };
    if (word == "shared") {
      declares_shared_ = true;
      return TokenKind::shared;
    }
    if (in(kBarriers)) {
      return TokenKind::barrier;
    }
    if (in(kKeywords)) {
      return TokenKind::keyword;
    }
    if (in(kTypes) || is_vector_type(word)) {
      return TokenKind::type;
    }
    if (behind_dot_) {  // a component or a member, whatever else has its name
      return TokenKind::plain;
    }
    const bool indexed = after.starts_with("[");
    if (declares_shared_ && (indexed || after.starts_with(";") || after.starts_with(","))) {
      shared_.insert(std::string(word));
    }
    if (shared_.contains(std::string(word))) {
      return TokenKind::shared;
    }
    const bool block = after.starts_with(".") && blocks_.contains(word);
    if (block || (indexed && buffers_.contains(lower(word)))) {
      current().globals.push_back(lower(word));
      return TokenKind::global;
    }
    return TokenKind::plain;
  }

  std::string_view rest_;
  std::string_view line_;
  std::set<std::string> buffers_;
  std::set<std::string_view> blocks_;
  std::set<std::string> shared_;
  bool in_comment_ = false;
  bool declares_shared_ = false;
  bool behind_dot_ = false;
  GlslListing listing_;
};

}  // namespace

GlslListing tokenize_glsl(std::string_view source, const std::vector<std::string>& buffers) {
  return Tokenizer(source, buffers).run();
}

std::vector<std::string> buffer_arrays(std::string_view source) {
  constexpr std::string_view kBlock = "buffer ";
  std::vector<std::string> names;
  for (std::size_t at = source.find(kBlock); at != std::string_view::npos;
       at = source.find(kBlock, at + kBlock.size())) {
    const std::size_t open = source.find_first_of("{;", at);
    const std::size_t close = source.find('}', at);
    if (open == std::string_view::npos || close == std::string_view::npos || source[open] == ';') {
      continue;
    }
    for (std::size_t i = open; i < close; ++i) {
      if (source[i] == '[') {
        std::size_t first = i;
        while (first > open && is_word(source[first - 1])) {
          --first;
        }
        names.emplace_back(source.substr(first, i - first));
      }
    }
  }
  return names;
}

}  // namespace ui

#include "cli/lsp/kernel_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "cli/lsp/text_positions.h"

namespace cli {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t after_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// The text with blanks in place of comments: each byte stays where it is.
std::string without_comments(std::string_view text) {
  std::string plain(text);
  for (std::size_t at = 0; at + 1 < plain.size(); ++at) {
    if (plain[at] != '/' || (plain[at + 1] != '/' && plain[at + 1] != '*')) {
      continue;
    }
    const bool line = plain[at + 1] == '/';
    std::size_t end = line ? plain.find('\n', at) : plain.find("*/", at + 2);
    end = end == std::string::npos ? plain.size() : end + (line ? 0 : 2);
    std::replace_if(
        plain.begin() + static_cast<std::ptrdiff_t>(at),
        plain.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    at = end - 1;
  }
  return plain;
}

std::uint32_t line_of_byte(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, at), '\n'));
}

// The byte at which a word stands on its own.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
      return at;
    }
  }
  return std::string_view::npos;
}

// "void main(" with any blanks between.
std::size_t find_main(std::string_view text) {
  for (std::size_t at = find_word(text, "void"); at != std::string_view::npos;
       at = find_word(text, "void", at + 1)) {
    const std::size_t name = after_blanks(text, at + 4);
    const std::size_t open = after_blanks(text, name + 4);
    if (text.substr(name).starts_with("main") && open < text.size() && text[open] == '(') {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string language_of_file(const std::filesystem::path& file) {
  const std::string end = file.extension().string();
  static constexpr std::array kOtherStages{".vert",  ".frag",  ".geom", ".tesc", ".tese",
                                           ".mesh",  ".task",  ".rgen", ".rint", ".rahit",
                                           ".rchit", ".rmiss", ".rcall"};
  const auto is_other = [&](const std::string& name) {
    return std::ranges::find(kOtherStages, name) != kOtherStages.end();
  };
  if (is_other(end) || is_other(file.stem().extension().string()) || end == ".spv" ||
      end == ".spvasm" || end == ".toml") {
    return "";
  }
  if (end == ".hlsl" || end == ".hlsli") {
    return "hlsl";
  }
  return end == ".wgsl" ? "wgsl" : "glsl";
}

std::uint32_t entry_line_of(std::string_view text, const std::string& language) {
  const std::string plain = without_comments(text);
  const std::size_t at = language == "hlsl"   ? find_word(plain, "numthreads")
                         : language == "wgsl" ? plain.find("@compute")
                                              : find_main(plain);
  return at == std::string::npos ? 0 : line_of_byte(plain, at);
}

std::string barrier_statement(const std::string& language) {
  return language == "hlsl"   ? "GroupMemoryBarrierWithGroupSync();"
         : language == "wgsl" ? "workgroupBarrier();"
                              : "barrier();";
}

std::uint32_t statement_line(std::string_view text, std::uint32_t line) {
  const std::string plain = without_comments(text);
  for (; line > 1; --line) {
    std::string_view before = line_at(plain, line - 2);
    const std::size_t last = before.find_last_not_of(" \t");
    before = last == std::string_view::npos ? std::string_view() : before.substr(0, last + 1);
    const std::size_t first = before.find_first_not_of(" \t");
    if (before.empty() || before[first] == '#' ||
        std::string_view(";{}:").find(before.back()) != std::string_view::npos) {
      break;
    }
  }
  return line;
}

std::string indentation_of(std::string_view text, std::uint32_t line) {
  const std::string_view whole = line_at(text, line - 1);
  return std::string(whole.substr(0, std::min(whole.find_first_not_of(" \t"), whole.size())));
}

WordInLine word_at(std::string_view line, std::size_t byte) {
  std::size_t begin = std::min(byte, line.size());
  std::size_t end = begin;
  while (begin > 0 && is_word(line[begin - 1])) {
    --begin;
  }
  while (end < line.size() && is_word(line[end])) {
    ++end;
  }
  return {begin, end};
}

}  // namespace cli

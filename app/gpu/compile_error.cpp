#include "gpu/compile_error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/base/lines.h"

namespace gpu {
namespace {

constexpr std::string_view kUnknownExtension = "extension not supported: ";
const std::string kNotKnown = "the built-in compiler does not support ";
constexpr const char* kAnother = "; use another compiler with --compiler LANGUAGE=COMMAND";

struct Message {
  std::string file;
  int line = 0;
  std::string text;
};

// shaderc words it as "FILE:LINE: error: TEXT", or "FILE: error: TEXT" without a line.
std::optional<Message> parse_error_line(const std::string& line) {
  const std::size_t at = line.find(": error: ");
  if (at == std::string::npos) {
    return {};
  }
  Message message{line.substr(0, at), 0, line.substr(at + 9)};
  if (const std::size_t colon = message.file.rfind(':'); colon != std::string::npos) {
    const char* begin = message.file.data() + colon + 1;
    const char* end = message.file.data() + message.file.size();
    if (const auto [rest, status] = std::from_chars(begin, end, message.line);
        status == std::errc{} && rest == end) {
      message.file.resize(colon);
    }
  }
  return message;
}

// What gpu/includes.h says is a sentence without glslang's words around it.
std::string plain_words(std::string text) {
  if (const std::string directive = "'#include' : "; text.starts_with(directive)) {
    text.erase(0, directive.size());
    text.resize(std::min(text.find(" for header name: "), text.size()));
  }
  return text;
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> words_in(std::string_view line) {
  line = line.substr(0, line.find("//"));
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && in_word(line[end])) {
      ++end;
    }
    if (end > at) {
      words.emplace_back(line.substr(at, end - at));
    }
    at = end + 1;
  }
  return words;
}

// As macros are written: capitals, digits and underscores.
bool like_a_macro(const std::string& word) {
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  return word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::ranges::any_of(word, upper) && std::ranges::none_of(word, lower);
}

// The words that a text declares: "uint N = 4", "void F(", "float A[4]".
std::set<std::string> declared_in(const std::string& text) {
  std::set<std::string> names;
  std::string before;
  for (std::size_t at = 0; at < text.size();) {
    if (!in_word(text[at])) {
      before = std::isspace(static_cast<unsigned char>(text[at])) != 0 ? before : "";
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_word(text[end])) {
      ++end;
    }
    const std::string word = text.substr(at, end - at);
    const std::size_t next = text.find_first_not_of(" \t", end);
    const bool ends = next != std::string::npos && std::string("=;[(,){").contains(text[next]);
    if (ends && !before.empty() && before != "return" && !like_a_macro(before)) {
      names.insert(word);
    }
    before = word;
    at = end;
  }
  return names;
}

std::set<std::string> all_words_in(const std::string& text) {
  std::set<std::string> names;
  for (const std::string& line : core::lines_of(text)) {
    for (std::string& word : words_in(line)) {
      names.insert(std::move(word));
    }
  }
  return names;
}

// The names that the sources define, also in parts that the preprocessor leaves out.
std::set<std::string> macros_in(std::span<const core::SourceFile> sources) {
  std::set<std::string> names;
  for (const core::SourceFile& source : sources) {
    for (const std::string& line : core::lines_of(source.text)) {
      const std::size_t hash = line.find_first_not_of(" \t");
      const auto words = words_in(line);
      if (hash != std::string::npos && line[hash] == '#' && words.size() > 1 &&
          words[0] == "define") {
        names.insert(words[1]);
      }
    }
  }
  return names;
}

// The first word that looks like a macro, or that the sources define elsewhere, where the compiler
// stumbled, and is none: the preprocessor leaves it as it is.
std::string missing_macro(const Message& message, std::span<const core::SourceFile> sources,
                          std::span<const Define> defines, const std::string& preprocessed) {
  const bool unknown = message.text.find("undeclared identifier") != std::string::npos;
  if (!unknown && message.text.find("syntax error") == std::string::npos) {
    return "";
  }
  const auto source = std::ranges::find(sources, message.file, &core::SourceFile::path);
  if (source == sources.end() || message.line < 1) {
    return "";
  }
  const auto lines = core::lines_of(source->text);
  const auto number = static_cast<std::size_t>(message.line);
  const std::string there = unknown ? message.text.substr(0, message.text.find(':'))
                                    : (number <= lines.size() ? lines[number - 1] : std::string());
  const auto left = all_words_in(preprocessed);
  const auto declared = unknown ? std::set<std::string>() : declared_in(preprocessed);
  const auto macros = macros_in(sources);
  for (const std::string& word : words_in(there)) {
    if ((like_a_macro(word) || macros.contains(word)) && left.contains(word) &&
        !declared.contains(word) &&
        std::ranges::find(defines, word, &Define::first) == defines.end()) {
      return word;
    }
  }
  return "";
}

std::vector<std::string> unknown_extensions(const std::vector<std::string>& lines) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    if (const std::size_t at = line.find(kUnknownExtension); at != std::string::npos) {
      names.push_back(line.substr(at + kUnknownExtension.size()));
    }
  }
  return names;
}

core::Error tell(const Message& message, const std::string& kernel) {
  core::Error error{.fault = core::Fault::usage};
  const std::string name = message.file.empty() ? kernel : message.file;
  error.line = name == kernel ? message.line : 0;
  error.message = name + (message.line > 0 ? ":" + std::to_string(message.line) : "") + ": ";
  return error;
}

}  // namespace

core::Error compile_error(const std::string& messages, std::span<const core::SourceFile> sources,
                          std::span<const Define> defines, const std::string& preprocessed) {
  const std::string& kernel = sources.front().path;
  const auto lines = core::lines_of(messages);
  const auto unknown = unknown_extensions(lines);
  for (const std::string& line : lines) {
    const auto message = parse_error_line(line);
    if (!message) {
      continue;
    }
    core::Error error = tell(*message, kernel);
    error.fault = unknown.empty() ? core::Fault::usage : core::Fault::device;
    if (message->text.find(kUnknownExtension) != std::string::npos) {
      error.message += kNotKnown + unknown.front() + kAnother;
      return error;
    }
    error.message += plain_words(message->text);
    if (!unknown.empty()) {
      error.message += "; " + (kNotKnown + unknown.front()) + kAnother;
    } else if (const std::string macro = missing_macro(*message, sources, defines, preprocessed);
               !macro.empty()) {
      error.message += "; " + macro + " is not defined; define it with -D " + macro + "=VALUE";
    }
    return error;
  }
  const auto other = std::ranges::find_if(lines, [](const std::string& line) {
    return !line.empty() && line.find(": warning: ") == std::string::npos;
  });
  return {.fault = core::Fault::usage,
          .message = other != lines.end() ? *other : kernel + " does not compile"};
}

}  // namespace gpu

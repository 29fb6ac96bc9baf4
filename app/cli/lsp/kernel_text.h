// The text of a kernel as an editor shows it: entry point, statements, words. No parser: what these
// functions return is good enough to place a hint or an edit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cli {

/// Returns "glsl", "hlsl" or "wgsl", from the end of a file's name. "" for files that are not
/// source text or belong to another shader stage.
[[nodiscard]] std::string language_of_file(const std::filesystem::path& file);

/// Returns the line of the entry point of a compute kernel, from 1. 0 if the text has none.
[[nodiscard]] std::uint32_t entry_line_of(std::string_view text, const std::string& language);

/// Returns the statement that orders shared memory and waits for all invocations of a workgroup.
[[nodiscard]] std::string barrier_statement(const std::string& language);

/// Returns the line, from 1, in which the statement begins that a line belongs to.
[[nodiscard]] std::uint32_t statement_line(std::string_view text, std::uint32_t line);

/// Returns the blanks at the start of a line, counted from 1.
[[nodiscard]] std::string indentation_of(std::string_view text, std::uint32_t line);

/// A word of a line: [begin, end) in bytes. Empty if there is none at a byte.
struct WordInLine {
  std::size_t begin = 0;
  std::size_t end = 0;
};
[[nodiscard]] WordInLine word_at(std::string_view line, std::size_t byte);

}  // namespace cli

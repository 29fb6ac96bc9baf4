// Lines of decompiled text for the instructions of a module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spirv/module/debug_text.h"
#include "spirv/module/module.h"

namespace spirv {

/// The instructions of a module's functions, numbered from 1 in the order of the module, and what a
/// decompiler made of them. Holds pointers into the module.
///
/// The decompiler gets the numbers as lines (numbers()), writes each as a directive ("#line 17")
/// where it comes to the instruction, and the text after a directive is that of the instruction. It
/// prints an expression where its value is used: an instruction without text has the line of its
/// first user. It can't write `for (...)` with directives inside of the parentheses: the blocks of
/// a loop that belong there get no numbers and have the line of that statement.
class CodeLines {
 public:
  explicit CodeLines(const Module& module);

  /// The line that each instruction gets for the decompiler; 0: none.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;
  /// Reads the decompiler's text. Returns false if a loop did not become a statement that its
  /// blocks can be on; numbers() then has numbers for them, for another try.
  [[nodiscard]] bool read(std::string_view text);
  /// The text without directives, and the lines in it.
  [[nodiscard]] Listing listing() const;

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  struct Entry {
    const Instruction* instruction = nullptr;  // null: OpLabel, OpFunctionEnd
    std::size_t block = kNone;
  };
  struct CodeBlock {
    const Block* block = nullptr;
    std::size_t first = 0;     // its label
    std::size_t last = 0;      // its terminator
    std::size_t loop = kNone;  // whose parentheses it belongs to
    bool is_continue = false;
  };
  struct Loop {
    std::size_t header = 0;
    std::vector<std::size_t> entries;  // terminators that enter the loop
    bool quiet = true;                 // no numbers for the header and the block of the condition
    bool quiet_continue = true;
    std::uint32_t line = 0;  // of its statement, 0: not found
    std::uint32_t end = 0;   // of "} while (...);", 0: there is none
  };
  struct Range {
    std::size_t begin = 0, end = 0;  // of text lines, from 0
  };

  void add_loop(std::size_t header);
  void take(std::string_view line);
  void find_loop_lines(Loop& loop) const;
  [[nodiscard]] bool is_quiet(const CodeBlock& block) const;
  [[nodiscard]] std::uint32_t own_line(std::size_t number) const;
  [[nodiscard]] std::uint32_t loop_line(std::size_t number) const;
  void fill(std::vector<std::uint32_t>& lines) const;

  std::vector<Entry> entries_;
  std::vector<CodeBlock> blocks_;
  std::vector<Loop> loops_;
  std::unordered_map<Id, std::size_t> block_of_label_;
  std::vector<std::string> text_;
  std::unordered_map<std::size_t, Range>
      ranges_;                // by instruction, from 0: the text after its line
  std::size_t open_ = kNone;  // the instruction whose text is being read
};

}  // namespace spirv

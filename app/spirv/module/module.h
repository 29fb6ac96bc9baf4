// A SPIR-V module as data: instructions in the order of the file, blocks and functions, every
// instruction with the source line it came from. Reading and writing are inverse up to OpLine,
// which is attached to instructions when read and put back where it changes when written.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "core/base/error.h"

namespace spirv {

using core::Expected;
using Id = std::uint32_t;
using Words = std::vector<std::uint32_t>;

/// Where in the kernel's source an instruction came from. Zero: not known.
struct SourceLine {
  Id file = 0;  ///< the OpString that names the file
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourceLine&) const = default;
};

/// One word of an instruction after its result.
struct Operand {
  std::uint32_t word = 0;
  bool is_id = false;
};

[[nodiscard]] constexpr Operand ref(Id id) {
  return {id, true};
}
[[nodiscard]] constexpr Operand literal(std::uint32_t word) {
  return {word, false};
}

struct Instruction {
  spv::Op op = spv::Op::OpNop;
  Id type = 0;    ///< result type, 0: none
  Id result = 0;  ///< 0: none
  std::vector<Operand> operands;
  SourceLine at;
  bool carried = false;  ///< the line is that of the block before: none was told in this one

  /// The word of an operand; 0 where there is none, so that a malformed module reads as zeros.
  [[nodiscard]] std::uint32_t word(std::size_t index) const {
    return index < operands.size() ? operands[index].word : 0;
  }
};

struct Block {
  Id label = 0;
  SourceLine at;
  std::vector<Instruction> body;  ///< ends with the terminator
  [[nodiscard]] const Instruction& terminator() const { return body.back(); }
  [[nodiscard]] Instruction& terminator() { return body.back(); }
  /// Labels that the terminator names, each once, in its order.
  [[nodiscard]] std::vector<Id> successors() const;
};

struct Function {
  Instruction header;  ///< OpFunction
  std::vector<Instruction> parameters;
  std::vector<Block> blocks;  ///< empty: a declaration
  SourceLine end;
  [[nodiscard]] Id id() const { return header.result; }
};

struct Module {
  std::uint32_t version = 0x00010000;
  std::uint32_t generator = 0;
  Id bound = 1;                       ///< larger than every id
  std::vector<Instruction> preamble;  ///< all before the first function
  std::vector<Function> functions;

  [[nodiscard]] Id fresh() { return bound++; }
};

/// Ids of a module read from a file are below this: the universal limit of the SPIR-V
/// specification, section 2.17.
inline constexpr Id id_limit = 0x3FFFFF + 1;

/// Reads a module. Any words at all are safe; errors are of fault usage and say at which word the
/// reading failed. Checks the grammar and the nesting of functions and blocks, not the rest of
/// validity: that is validate(). Lines that the compiler left out are filled in (line_repair.h).
[[nodiscard]] Expected<Module> parse(std::span<const std::uint32_t> words);
[[nodiscard]] Words write(const Module& module);

/// A string operand that starts at operand `first`; how many operands it takes goes to `length`.
[[nodiscard]] std::string text(const Instruction& instruction, std::size_t first,
                               std::size_t* length = nullptr);
/// The operands of a string: UTF-8 with a closing zero, four bytes a word.
[[nodiscard]] std::vector<Operand> text_operands(const std::string& text);

[[nodiscard]] bool is_terminator(spv::Op op);

/// The first GLCompute entry point's instruction; null: there is none.
[[nodiscard]] const Instruction* compute_entry(const Module& module);

/// What each id is: its defining instruction and its name. Holds pointers into the module, so it is
/// to be made again after an edit.
class Definitions {
 public:
  explicit Definitions(const Module& module);
  /// The defining instruction; an OpNop for an id that nothing defines.
  [[nodiscard]] const Instruction& of(Id id) const;
  [[nodiscard]] spv::Op op(Id id) const { return of(id).op; }
  /// OpName; empty where there is none.
  [[nodiscard]] std::string name(Id id) const;
  [[nodiscard]] std::string member_name(Id type, std::uint32_t member) const;
  /// The decoration's instruction of an id, or of a member of a struct; null: not decorated.
  [[nodiscard]] const Instruction* decoration(Id id, spv::Decoration decoration) const;
  [[nodiscard]] const Instruction* decoration(Id type, std::uint32_t member,
                                              spv::Decoration decoration) const;

 private:
  void note(const Instruction& instruction);
  std::vector<const Instruction*> defined_;
  std::vector<std::vector<const Instruction*>> about_;  ///< names and decorations, by target
};

}  // namespace spirv

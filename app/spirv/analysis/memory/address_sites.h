// Every place in the text that reads or writes memory by its address (a buffer reference), and what
// is known of where it goes before the kernel runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/memory_layout.h"
#include "spirv/analysis/values/intervals.h"

namespace spirv {

/// Where a pointer into addressed memory begins.
struct AddressRoot {
  Id value = 0;  ///< a pointer, a 64-bit integer or two words: an address in the memory meant
  std::optional<std::uint32_t> buffer;  ///< that memory, a place in Launch::buffers; none: unknown
  bool start = false;                   ///< it is its first byte, and the pointer is `value`
};

/// `pointer` is what the path of an access begins at (Program::addressed_path).
[[nodiscard]] AddressRoot address_root(const Program& program, Id pointer);

struct AddressSite {
  std::size_t block = 0;
  std::size_t instruction = 0;  ///< of the block
  std::uint32_t operand = 0;    ///< of the instruction: the pointer
  Id pointer = 0;
  SourceLine at;
  AddressRoot root;
  std::optional<MemoryPlace> place;  ///< from the path's begin; none: of a type not understood
  std::uint64_t offset = 0;          ///< bytes from there, the constant part
  std::uint64_t bytes = 0;           ///< that the access spans, at least 1
  bool writes = false;
  std::uint32_t alignment = 1;  ///< bytes, that the access declares for its address
  bool aligned = false;         ///< the address is a multiple of it in every invocation
  std::string member;           ///< innermost thing that it names; may be empty
  bool proven = false;          ///< inside its memory in every invocation
};

class AddressSites {
 public:
  AddressSites(const Program& program, const Intervals& intervals);

  [[nodiscard]] const std::vector<AddressSite>& all() const { return sites_; }
  /// Accesses that no site stands for, in words with their lines.
  [[nodiscard]] const std::vector<std::string>& not_understood() const { return problems_; }
  /// Elements that a site's first index may name, given so many bytes; none: it has no index.
  [[nodiscard]] static std::optional<std::uint64_t> length(const AddressSite& site,
                                                           std::uint64_t bytes);

 private:
  void add(std::size_t block, std::size_t instruction, std::uint32_t operand, bool writes);
  [[nodiscard]] std::uint32_t alignment_of(const Instruction& i, std::uint32_t operand) const;
  [[nodiscard]] bool proven(const AddressSite& site, const Intervals& intervals) const;

  const Program& program_;
  MemoryLayout layout_;
  std::vector<AddressSite> sites_;
  std::vector<std::string> problems_;
};

}  // namespace spirv

// Keeps a kernel that follows addresses (buffer references, SPV_KHR_physical_storage_buffer) inside
// the memory that it was given them of. An address is a number: no driver looks at what is read or
// written through one, so that a wrong one reaches anything, or ends the program.
//
// A launch has a table of its ranges, in a storage buffer. An access looks its own up: that which
// begins last before the address which it starts from, the root. One that is not wholly inside of
// it goes to memory which is there for that: what it reads is 0, and what it writes is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spirv/module/constants.h"
#include "spirv/module/emitter.h"
#include "spirv/module/module.h"
#include "spirv/reflection/addresses.h"

namespace spirv {

/// The table of a launch, 64-bit words: the address of kAddressSink zeros, and of as many bytes
/// that may be written; then a row for each range, by address, its first byte's and how many there
/// are. Row 0 is of no range, all zeros; rows behind the last one begin at 2^64 − 1.
struct AddressTable {
  static constexpr std::uint32_t zeros = 0;
  static constexpr std::uint32_t lost = 1;
  static constexpr std::uint32_t rows = 2;
  static constexpr std::uint32_t row_words = 2;
  static constexpr std::uint32_t begin = 0;
  static constexpr std::uint32_t bytes = 1;

  std::uint32_t binding = 0;  ///< of set 0
  std::uint32_t ranges = 0;

  /// Rows that a table has: a power of two, more than there are ranges.
  [[nodiscard]] static std::uint32_t row_count(std::uint32_t ranges);
};

/// Writes what an access does.
class AddressGuard {
 public:
  /// `definitions` are those of the module before the edit.
  AddressGuard(Emitter& emitter, const Definitions& definitions, AddressTable table);

  /// A range, found when the kernel runs.
  struct Range {
    Id row = 0;    ///< a word
    Id begin = 0;  ///< 64-bit
    Id bytes = 0;  ///< 64-bit
  };
  struct Kept {
    Id pointer = 0;  ///< inside whatever happens
    Id outside = 0;  ///< a boolean
    Id offset = 0;   ///< bytes from the range's begin, 64-bit
  };
  /// To be written first, where a function begins: the memory that accesses go to instead. A driver
  /// may load through an address that all invocations share where none of them is active any more
  /// (Mesa 26's lavapipe, behind a `break`), and what is read from a buffer there is 0.
  void begin(std::vector<Instruction>& code);
  /// `root`: a pointer, a 64-bit integer or two words.
  [[nodiscard]] Range range_of(std::vector<Instruction>& code, Id root);
  [[nodiscard]] Kept keep(std::vector<Instruction>& code, Id pointer, const Range& range,
                          std::uint64_t bytes, bool writes);
  Id emit(std::vector<Instruction>& code, spv::Op op, Id type, std::vector<Operand> operands);

 private:
  [[nodiscard]] Id word_at(std::vector<Instruction>& code, Id index);
  [[nodiscard]] Id row_word(std::vector<Instruction>& code, Id row, std::uint32_t word);
  [[nodiscard]] Id as_long(std::vector<Instruction>& code, Id value);

  Emitter& emitter_;
  const Definitions& definitions_;
  AddressTable table_;
  Id buffer_ = 0;
  Id zeros_ = 0;
  Id lost_ = 0;
};

/// Behind the variables of a function, where its code begins.
[[nodiscard]] std::size_t first_instruction(const Function& function);

/// What an access to memory that is not there becomes where there is no range at all.
void drop_access(Emitter& emitter, const Definitions& definitions, Instruction& i);

/// Every access of any module. What is left that may reach outside, in words; empty: nothing is.
[[nodiscard]] std::string keep_addresses(Module& module, const SpecValues& values,
                                         const AddressTable& table);

}  // namespace spirv

// What an instruction does to memory, through which of its operands.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module/module.h"

namespace spirv {

struct MemoryAccess {
  std::uint32_t operand = 0;  ///< the pointer
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  bool copy_source = false;  ///< the reading side of an OpCopyMemory
};

/// Of loads, stores, copies and atomics; none of others. Of a copy its reading side comes first.
[[nodiscard]] std::vector<MemoryAccess> memory_accesses(const Instruction& i);
/// The operand with the memory operands' mask of a load, a store or a copy; past the last operand
/// if there is none. A copy may have a second mask, which is for its source.
[[nodiscard]] std::size_t memory_operands(const Instruction& i, bool copy_source);
/// A whole subgroup loads or stores a matrix.
[[nodiscard]] bool touches_matrix(spv::Op op);

}  // namespace spirv

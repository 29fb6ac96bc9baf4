#include "spirv/reflection/accesses.h"

#include "spirv/reflection/barriers.h"

namespace spirv {

std::vector<MemoryAccess> memory_accesses(const Instruction& i) {
  switch (i.op) {
    case spv::Op::OpLoad:
      return {{.reads = true}};
    case spv::Op::OpStore:
      return {{.writes = true}};
    case spv::Op::OpCopyMemory:
      return {{.operand = 1, .reads = true, .copy_source = true}, {.writes = true}};
    default:
      break;
  }
  if (!is_atomic(i.op)) {
    return {};
  }
  return {{.reads = i.op != spv::Op::OpAtomicStore,
           .writes = i.op != spv::Op::OpAtomicLoad,
           .atomic = true}};
}

std::size_t memory_operands(const Instruction& i, bool copy_source) {
  const std::size_t first = i.op == spv::Op::OpLoad ? 1 : 2;
  if (i.op != spv::Op::OpCopyMemory || !copy_source) {
    return first;
  }
  using Mask = spv::MemoryAccessMask;
  std::size_t second = first + 1;
  for (const Mask with_operand :
       {Mask::Aligned, Mask::MakePointerAvailable, Mask::MakePointerVisible}) {
    second += (i.word(first) & static_cast<std::uint32_t>(with_operand)) != 0 ? 1 : 0;
  }
  return second < i.operands.size() ? second : first;
}

bool touches_matrix(spv::Op op) {
  return op == spv::Op::OpCooperativeMatrixLoadNV || op == spv::Op::OpCooperativeMatrixStoreNV;
}

}  // namespace spirv

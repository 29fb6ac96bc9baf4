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

bool touches_matrix(spv::Op op) {
  return op == spv::Op::OpCooperativeMatrixLoadNV || op == spv::Op::OpCooperativeMatrixStoreNV;
}

}  // namespace spirv

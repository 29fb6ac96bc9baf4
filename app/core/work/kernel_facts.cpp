#include "core/work/kernel_facts.h"

namespace core {

void KernelPhase::note(MemoryKind memory, Access access, bool writes) {
  const bool shared = memory == MemoryKind::shared;
  (shared ? reads_shared : reads_global) |= access != Access::write;
  (shared ? writes_shared : writes_global) |= writes;
}

std::string KernelPhase::name() const {
  if (writes_shared && reads_shared) {
    return "read and write";
  }
  if (writes_shared) {
    return !reads_global ? "write" : writes_global ? "load and store" : "load";
  }
  if (reads_shared) {
    return writes_global && !reads_global ? "store" : "compute";
  }
  if (reads_global) {
    return writes_global ? "global memory only" : "read";
  }
  return writes_global ? "store" : "empty";
}

}  // namespace core

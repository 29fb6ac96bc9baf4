#include "core/work/kernel_facts.h"

namespace core {

std::string KernelPhase::name() const {
  if (writes_shared && reads_shared) {
    return "read and write";
  }
  if (writes_shared) {
    return reads_global ? "load" : "write";
  }
  if (reads_shared) {
    return writes_global && !reads_global ? "store" : "compute";
  }
  return writes_global ? "store" : "no shared memory";
}

}  // namespace core

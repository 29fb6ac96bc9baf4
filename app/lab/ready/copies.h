// The buffers that a probed launch of a variant works on, so that the experiment's stay as they
// are.
#pragma once

#include <vector>

#include "lab/ready/workbench.h"
#include "spirv/module/reflect.h"

namespace lab {

/// The buffers that the kernel writes, apart from the experiment's own; and those that take turns
/// with them from step to step, which may no longer hold what they held at the start. Both must
/// outlive this.
class Copies {
 public:
  Copies(Workbench& bench, const Setup& setup) : bench_(bench), setup_(setup) {}

  /// Once for each kernel that is launched. Fault::device when there is no room for them.
  [[nodiscard]] core::Expected<void> make(const spirv::Interface& interface);
  /// In binding order: the copies, and the experiment's where the kernel only reads.
  [[nodiscard]] std::vector<const gpu::Buffer*> buffers() const;
  /// Makes the copies as their originals are at the start; outputs are filled with NaN, scratch
  /// with zeros.
  [[nodiscard]] core::Expected<void> fill() const;

 private:
  Workbench& bench_;
  const Setup& setup_;
  std::vector<gpu::Buffer> copies_;  // by binding; empty: the experiment's is only read
};

}  // namespace lab

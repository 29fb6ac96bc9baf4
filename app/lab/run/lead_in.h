// What a probe of one launch of a run finds in memory: what the launches before it leave there.
// They run plainly, on the probe's own buffers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "gpu/device.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"
#include "lab/run/launch.h"

namespace lab {

class LeadIn {
 public:
  /// Makes the pipelines of `before`, in turn; none for none. `memory` is what they will work on.
  [[nodiscard]] static core::Expected<LeadIn> make(gpu::Device& device,
                                                   std::span<const Turn> before,
                                                   const Memory& memory);
  /// That memory as it is at the start, then the launches on it.
  [[nodiscard]] core::Expected<void> prepare(Memory& memory) const;

 private:
  std::vector<std::unique_ptr<gpu::Kernel>> kernels_;
  std::unique_ptr<Launcher> launcher_;  // null: nothing comes before
};

/// The turns before the first one on a grid.
[[nodiscard]] std::span<const Turn> before_grid(const Turns& turns, std::size_t grid);

}  // namespace lab

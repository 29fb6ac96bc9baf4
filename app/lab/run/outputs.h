// Which elements of a kernel's outputs no invocation wrote: what is written to alone is filled with
// a pattern before the checked launch, and where that still stands nobody wrote.
#pragma once

#include <cstdint>
#include <vector>

#include "core/report/check_report.h"
#include "gpu/device.h"
#include "lab/ready/memory.h"
#include "lab/ready/specimen.h"
#include "lab/run/implied_lengths.h"

namespace lab {

class Outputs {
 public:
  /// Buffers that the kernel writes and never reads, of a size that is quickly read back; of an
  /// array of descriptors each. Of a buffer whose length Tilescope chose only the elements that the
  /// launch implies; none where it implies no number of them.
  explicit Outputs(Specimen& specimen);

  /// Fills them, where `memory` has them.
  [[nodiscard]] core::Expected<void> fill(gpu::Device& device, const Memory& memory) const;
  /// Counts what was not written, once the launch is done.
  [[nodiscard]] core::Expected<void> read(gpu::Device& device, const Memory& memory,
                                          core::CheckReport& report) const;

 private:
  struct Output {
    std::size_t resource = 0;
    std::string name;
    std::uint64_t words = 0;          // that belong to elements
    std::uint64_t element_words = 1;  // words an element
  };
  void add(const spirv::Binding& binding, std::size_t number, const core::Resource& resource);

  std::vector<Output> outputs_;
  ImpliedLengths implied_;
};

}  // namespace lab

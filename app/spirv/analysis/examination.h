// All that is known about a kernel's shared memory before it runs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "spirv/analysis/flow/phases.h"
#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/flow/synchronization.h"
#include "spirv/analysis/flow/uniformity.h"
#include "spirv/analysis/memory/buffer_sites.h"
#include "spirv/analysis/memory/proofs.h"
#include "spirv/analysis/memory/sites.h"
#include "spirv/reflection/barriers.h"

namespace spirv {

/// Neither copied nor moved: the parts refer to each other.
class Examination {
 public:
  /// Any valid module. Barrier edits are made first. Errors as of canonical(), edit_barriers() and
  /// Program::open(), and Fault::device for more than core::limits::accesses.
  [[nodiscard]] static Expected<std::unique_ptr<Examination>> of(
      std::span<const std::uint32_t> words, const SpecValues& spec_values,
      const BarrierEdits& edits = {});
  /// A module that is in canonical form already; with a launch what is known holds for that alone.
  [[nodiscard]] static Expected<std::unique_ptr<Examination>> of_canonical(
      std::span<const std::uint32_t> words, Launch launch = {});
  Examination(const Examination&) = delete;
  Examination& operator=(const Examination&) = delete;

 private:
  std::unique_ptr<Program> program_;

 public:
  const Program& program;
  const Phases phases;
  const Uniformity uniformity;
  const Sites sites;
  const Phases buffer_phases;
  const Phases image_phases;
  const BufferSites buffers;
  const Synchronization synchronization;
  Proofs proofs;
  /// Lines of accesses to shared memory in code that constants remove.
  std::vector<std::uint32_t> removed;

 private:
  explicit Examination(std::unique_ptr<Program> p);
};

}  // namespace spirv

// Two ways to the same races: the race check, which proves and compares on the device, and the
// oracle, a pure function over a trace of the same workgroup. What is proven must be so in the
// trace: a pair of sites that may not race does not, an index that is inside is inside.
#pragma once

#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "gpu/device.h"
#include "lab/probe/check.h"

namespace test {

struct Agreement {
  std::string difference;  ///< empty: they agree
  std::string refused;     ///< what failed, so that it could not be compared
  /// Why there is nothing to compare with: the device, the check or the oracle says itself that it
  /// does not see all of such a kernel.
  std::string beyond;
  std::size_t races = 0;  ///< pairs of lines that the oracle names
  [[nodiscard]] bool compared() const { return refused.empty() && beyond.empty(); }
};

/// The same for storage buffers, of all workgroups of a launch, which are traced one by one. Where
/// a kernel races, the check names some of the pairs that do, and no others; of those that are
/// proven none does. `phases`: its barriers order buffers.
[[nodiscard]] Agreement compare_buffers(gpu::Device& device,
                                        const std::shared_ptr<lab::Specimen>& specimen,
                                        bool phases);

/// Returns the findings and, after each, the findings that follow from it.
[[nodiscard]] std::vector<core::Finding> with_consequences(
    const std::vector<core::Finding>& findings);

/// Checks and traces workgroup 0 of the request.
[[nodiscard]] Agreement compare(gpu::Device& device,
                                const std::shared_ptr<lab::Specimen>& specimen);

}  // namespace test

// The race check as a second compilation of a kernel: the same kernel, with notes on those accesses
// to shared memory that are not proven, comparisons at its barriers, and reports at its end. The
// method is described in shadow.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "spirv/analysis/examination.h"
#include "spirv/analysis/flow/coverage.h"
#include "spirv/probes/address_probe.h"
#include "spirv/probes/arithmetic_probe.h"
#include "spirv/probes/bounds_probe.h"
#include "spirv/probes/initialization_probe.h"
#include "spirv/probes/order/order_probe.h"
#include "spirv/probes/race/shadow.h"
#include "spirv/probes/values/undefined_probe.h"

namespace spirv {

struct RaceProbeOptions {
  std::uint64_t shared_memory_bytes = 32768;  ///< a workgroup's limit on the device
  bool shadow_in_buffer = false;              ///< even where shared memory has the room; for tests
  std::uint32_t set = 0;
  std::uint32_t findings_binding = 0;
  std::uint32_t shadow_binding = 0;
  std::uint32_t loops = 0;  ///< bounded by bound_loops() before; their hits are reported
  /// The device may end all loops of an invocation after so many turns together: whether it did is
  /// found out at the end of each workgroup, whose races are then not reported.
  bool tries_loops = false;
  bool idle_lanes = false;     ///< the device runs some; Insertions::wrap_entry()
  bool truth_as_mask = false;  ///< start_truth_values() is needed
  bool all_branches = false;   ///< the device goes through both sides of every branch (llvmpipe)
  /// Leaves the kernel's fences out of the probe. llvmpipe changes to the next subgroup at every
  /// fence as at a barrier: subgroups that pass different numbers of fences no longer meet at the
  /// same barriers. Its atomics order memory as well.
  bool no_fences = false;
  /// Little code rather than quick code: loops over tables of sites and pairs instead of a copy for
  /// each, and none of the kernel's loops that hold checks unrolled. For devices whose compiler
  /// writes several blocks for each access to memory, and takes more than linear time over them.
  bool compact = false;
  bool races = true;           ///< on shared memory; `order` has those on buffers
  bool bounds = true;          ///< tells of indices that are outside, which are kept inside anyway
  OrderProbeOptions order;     ///< what is followed across workgroups and through atomics
  bool initialization = true;  ///< looks at reads of what nothing wrote
  bool arithmetic = true;      ///< notes on numbers
  std::array<std::uint32_t, 3> workgroup{};   ///< one that is launched
  std::uint32_t address_binding = 0;          ///< of the table of addresses
  std::vector<std::uint32_t> address_ranges;  ///< its rows: places in Launch::buffers
};

/// A branch at which invocations are compared, because barriers depend on it.
struct Vote {
  SourceLine condition;
  std::vector<SourceLine> barriers;
};

struct RaceProbe {
  Words words;  ///< its entry point is called as the kernel's was; constants are frozen
  /// Everything that was asked for is known before it runs: the kernel without a probe does as
  /// well.
  bool idle = false;
  std::shared_ptr<const Coverage> coverage;  ///< of the examined program
  FindingsLayout findings;
  std::vector<CheckedIndex> indices;                     ///< by number of what is told of
  std::uint32_t indices_proven = 0;                      ///< that are inside whatever happens
  std::shared_ptr<const Initialization> initialization;  ///< of the examined program; may be null
  std::vector<CheckedRead> reads;                        ///< told of behind the indices
  std::vector<CheckedOperation> operations;              ///< told of behind the reads
  std::shared_ptr<const UndefinedValues> undefined;      ///< of the examined program
  std::vector<CheckedUses> undefined_uses;               ///< told of behind the operations
  std::vector<CheckedAddress> addresses;                 ///< told of behind the undefined uses
  std::optional<std::uint32_t> address_table;            ///< its binding, where it needs it
  std::uint32_t accesses_by_address = 0;
  std::uint32_t accesses_by_address_proven = 0;
  std::vector<std::string> not_covered;     ///< memory that was not looked at, in words
  std::vector<std::string> not_understood;  ///< why the check is incomplete, as sentences
  std::vector<Vote> votes;
  std::vector<SourceLine> barriers;  ///< that the votes are about; FindingsLayout::vote()
  bool shadow_in_buffer = false;
  std::uint64_t shadow_words = 0;  ///< a workgroup; in the buffer or in shared memory
  bool subgroups = false;          ///< invocations are named by subgroup and lane
  OrderPlan order;
};

/// Can the probe find out whether all invocations of a workgroup come to the same barriers? It
/// needs shared memory for it, and conditions of 32 bits.
[[nodiscard]] bool can_vote(const Examination& examination, std::uint64_t shared_memory_bytes);

/// Errors: shared memory so large that its shadow's words can't be numbered in 32 bits.
[[nodiscard]] Expected<RaceProbe> make_race_probe(Examination& examination,
                                                  const RaceProbeOptions& options);

}  // namespace spirv

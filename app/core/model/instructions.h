// Accesses of a trace put together to instructions: what the lanes of a subgroup do at one site in
// one turn, which the hardware serves as one request. The trace tells what each invocation did, not
// what the hardware did at once: lanes that came to the same site in the same turn of the same
// phase are taken to have been there together, as they are where a subgroup runs in lock step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/report/trace.h"

namespace core {

/// Who shares an instruction.
enum class Lanes {
  subgroups,  ///< the device's own; of subgroups wider than 32, 32 lanes at a time
  of_32       ///< 32 consecutive invocations, as on NVIDIA: modelled
};

/// Lanes that a request to memory has at most.
constexpr std::uint32_t kRequestLanes = 32;

struct Instruction {
  std::uint32_t site = 0;   ///< place in Trace::sites
  std::uint32_t phase = 0;  ///< place in Trace::phases
  std::uint32_t turn = 0;   ///< times that its lanes were at the site before in this phase
  std::uint32_t group = 0;  ///< number of the subgroup, or of the 32 invocations
  std::uint32_t first = 0;  ///< [first, last) of Instructions::accesses
  std::uint32_t last = 0;
};

struct Instructions {
  Lanes lanes = Lanes::subgroups;
  std::uint32_t width = 0;              ///< lanes of a group
  std::vector<Instruction> list;        ///< sorted by site, phase, turn, group
  std::vector<std::uint32_t> accesses;  ///< places in Trace::accesses; of an instruction: sorted by
                                        ///< invocation, then scalar
};

[[nodiscard]] Instructions instructions_of(const Trace& trace, Lanes lanes);

/// True: the device's subgroups are 32 consecutive invocations each, so that both are the same.
[[nodiscard]] bool subgroups_are_32(const Trace& trace);

/// What one lane asks of memory at once: up to 16 bytes, aligned to their number. An access of more
/// is several requests.
struct LaneAccess {
  std::uint32_t lane = 0;     ///< in its group, from 0 to 31
  std::uint32_t request = 0;  ///< counted over the instruction's requests
  std::uint64_t address = 0;  ///< bytes: of shared memory, or of the buffer
  std::uint32_t bytes = 0;    ///< 1, 2, 4, 8 or 16
  bool operator==(const LaneAccess&) const = default;
};

/// `columns` more elements in every row of the variable (fewer, where negative): its elements move
/// apart as if it were declared so. Variables of one dimension stay as they are. Modelled.
struct Padding {
  std::uint32_t variable = 0;
  std::int32_t columns = 0;
};

[[nodiscard]] std::vector<LaneAccess> lane_accesses(const Trace& trace, const Instructions& all,
                                                    const Instruction& one,
                                                    const Padding& padding = {});

/// Bytes of the elements that the innermost array dimension counts.
[[nodiscard]] std::uint32_t element_bytes(const TracedVariable& variable);
/// Where an offset into the variable lies after padding.
[[nodiscard]] std::uint64_t padded_offset(const TracedVariable& variable, std::uint64_t offset,
                                          std::int32_t columns);

}  // namespace core

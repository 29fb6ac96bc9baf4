// Races in a log of accesses: the oracle that the device check is tested against.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace core {

/// One access of one invocation to one cell of shared memory.
struct LoggedAccess {
  std::uint32_t invocation = 0;
  std::uint32_t subgroup = 0;
  std::uint32_t phase = 0;           ///< barriers passed that close a phase
  std::uint32_t subgroup_phase = 0;  ///< subgroup barriers passed since
  std::uint32_t site = 0;
  std::uint32_t variable = 0;
  std::uint32_t cell = 0;
  std::uint32_t value = 0;  ///< what was written, or a hash of it
  bool writes = false;
  bool atomic = false;
  bool operator==(const LoggedAccess&) const = default;
};

/// A pair of sites that raced, site_a at most site_b.
struct LoggedRace {
  std::uint32_t site_a = 0;
  std::uint32_t site_b = 0;
  std::uint64_t count = 0;  ///< cells, counted once a phase
  bool same_value = false;  ///< two writes, and always of equal values
  LoggedAccess a, b;        ///< in the first phase and cell; the smallest invocations
  bool operator==(const LoggedRace&) const = default;
};

/// Two accesses of different invocations to one cell in one phase conflict when one writes and not
/// both are atomic (Vulkan memory model, "data races"); within a subgroup they must also lie
/// between the same two subgroup barriers. The log is of one workgroup, in any order. Races come
/// sorted by sites.
[[nodiscard]] std::vector<LoggedRace> find_races(std::span<const LoggedAccess> log);

}  // namespace core

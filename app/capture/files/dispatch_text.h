// The TOML of a capture: a launch's dispatch.toml, and its block in launches.toml.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/formats.h"
#include "capture/launch.h"

namespace capture {

/// Files of a resource's contents; empty: none.
struct Contents {
  std::string before;
  std::string after;
};

/// "0.1", "0.1[2]" of an array's.
[[nodiscard]] std::string place_of(const BoundResource& resource);

/// The start of a resource in memory. Memories are numbered from 1 in the order of the resources,
/// so equal launches have equal places. Memory 0: the resource has no memory.
struct NumberedPlace {
  std::uint64_t memory = 0;
  std::uint64_t offset = 0;
};
[[nodiscard]] std::vector<NumberedPlace> memory_places(const Launch& launch);

/// The module as the driver got it, with the values of wide specialization constants, which a
/// dispatch folder has no other place for.
[[nodiscard]] std::vector<std::uint32_t> module_words(const Pipeline& pipeline);

[[nodiscard]] std::string dispatch_text(const Launch& launch,
                                        const std::array<std::uint32_t, 3>& groups,
                                        const std::vector<Contents>& contents);

struct IndexEntry {
  std::uint64_t number = 0;
  std::uint64_t process = 0;
  double seconds = 0.0;
  std::uint32_t family = 0;
  std::uint32_t queue = 0;
  std::array<std::uint32_t, 3> groups{};
  std::string folder;  ///< empty: it was not captured
  std::string reason;  ///< why not; empty: it was not selected
};
[[nodiscard]] std::string index_block(const IndexEntry& entry, const Launch& launch);

[[nodiscard]] std::string totals_block(std::uint64_t process, std::uint64_t launches,
                                       std::uint64_t captured, std::uint64_t bytes, double waited);

/// A string of TOML, in quotes.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace capture

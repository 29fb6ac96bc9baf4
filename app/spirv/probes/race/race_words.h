// What the parts of the race runtime agree on about the words they exchange.
#pragma once

#include <cstdint>

namespace spirv {

constexpr std::uint32_t number(auto value) {
  return static_cast<std::uint32_t>(value);
}

// A lane word: phase, two smallest lanes.
inline constexpr std::uint32_t no_lane = 0xFF;
inline constexpr std::uint32_t last_lane_phase = 0xFFFE;

/// Shared words of the votes: three pairs; one that is not 0 once an invocation has gone past a
/// barrier without the others; and two of the rendezvous: arrivals so far, and how many of them are
/// known to all.
inline constexpr std::uint32_t vote_pairs_words = 6;
inline constexpr std::uint32_t vote_apart = 6;
inline constexpr std::uint32_t vote_arrived = 7;
inline constexpr std::uint32_t vote_seen = 8;
inline constexpr std::uint32_t vote_words = 9;

/// A private word, not 0 in an invocation that has gone past a barrier without the others of its
/// workgroup: what it does from there on is not noted.
inline constexpr const char* beyond_name = "tilescope_beyond";

}  // namespace spirv

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

}  // namespace spirv

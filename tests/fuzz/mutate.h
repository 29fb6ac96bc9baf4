// Damage to modules that leaves many of them valid.
#pragma once

#include <cstdint>

#include "spirv/module/module.h"

namespace fuzz {

/// Deterministic numbers from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  /// 0 .. sides - 1.
  std::uint64_t roll(std::uint64_t sides);

 private:
  std::uint64_t state_;
};

/// One change: of an operand, an instruction or a word. Words that are no module stay none.
void mutate(spirv::Words& words, Dice& dice);

}  // namespace fuzz

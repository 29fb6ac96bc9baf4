// Words of buffers and images by how a kernel touches them: only by atomics and coherent accesses,
// as counters, flags, locks and what they guard, or by others.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "spirv/module/types.h"

namespace spirv {

/// The bytes of a block that an access may touch: `bytes` from `offset` on, again for each index of
/// the arrays on the way.
struct TouchedWords {
  struct Array {
    std::uint64_t stride = 0;
    std::uint64_t length = 0;  ///< 0: a runtime array
    bool operator==(const Array&) const = default;
  };
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< 0: all of an image
  std::vector<Array> arrays;
  bool operator==(const TouchedWords&) const = default;
};

struct Touches {
  std::vector<TouchedWords> synchronized;  ///< by atomics and coherent accesses
  std::vector<TouchedWords> plain;         ///< by all others
};

/// By variable. Empty where a pointer leads to more than one variable.
[[nodiscard]] std::map<Id, Touches> touched_words(const Module& module,
                                                  const Definitions& definitions,
                                                  const Constants& constants, const Types& types);

/// Sets the words to 0 that only atomics and coherent accesses touch.
void clear_synchronized(const Touches& touches, std::vector<std::uint32_t>& words);

}  // namespace spirv

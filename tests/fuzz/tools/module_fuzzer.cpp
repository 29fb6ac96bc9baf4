// libFuzzer's target: modules that it makes up, guided by which code they reach.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "fuzz/mutate.h"
#include "fuzz/try_module.h"

namespace {

spirv::Words words_of(const std::uint8_t* data, std::size_t size) {
  spirv::Words words(size / 4);
  if (!words.empty()) {
    std::memcpy(words.data(), data, words.size() * 4);
  }
  return words;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::try_module(words_of(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  fuzz::Dice dice(seed);
  spirv::Words words = words_of(data, size);
  if (words.empty() || dice.roll(16) == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  for (std::uint64_t n = dice.roll(3); n < 3; ++n) {
    fuzz::mutate(words, dice);
  }
  const std::size_t made = std::min(words.size() * 4, max_size);
  std::memcpy(data, words.data(), made);
  return made;
}

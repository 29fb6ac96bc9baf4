// The fuzzer's short form: a few hundred damaged modules from a seed that is printed. Set
// TILESCOPE_FUZZ_SEED and TILESCOPE_FUZZ_ROUNDS for others and more of them, and
// TILESCOPE_FUZZ_ROUND for the first round.
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "fuzz/mutate.h"
#include "fuzz/seeds.h"
#include "fuzz/try_module.h"

namespace {

TEST(Mutation, BreaksNoPromise) {
  const std::uint64_t seed = fuzz::setting("TILESCOPE_FUZZ_SEED", 1);
  const std::uint64_t first = fuzz::setting("TILESCOPE_FUZZ_ROUND", 0);
  const std::uint64_t end = first + fuzz::setting("TILESCOPE_FUZZ_ROUNDS", 400);
  const auto seeds = fuzz::seeds();
  ASSERT_GT(seeds.size(), 100U);
  std::vector<spirv::Words> compiled(seeds.size());
  for (std::uint64_t round = first; round < end; ++round) {
    fuzz::Dice dice(seed * 1'000'000 + round);
    // A few kernels a seed: compiling them all would take longer than the rest.
    const std::uint64_t start = core::mix(seed * 16 + dice.roll(16)) % seeds.size();
    // The last line before a crash says how to have it again.
    std::fprintf(stderr, "\rseed %llu, round %llu", static_cast<unsigned long long>(seed),
                 static_cast<unsigned long long>(round));
    if (compiled[start].empty()) {
      compiled[start] = seeds[start].compile();
    }
    spirv::Words words = compiled[start];
    for (std::uint64_t n = dice.roll(4); n < 4; ++n) {
      fuzz::mutate(words, dice);
    }
    fuzz::try_module(words);
  }
  std::fprintf(stderr, "\n");
}

}  // namespace

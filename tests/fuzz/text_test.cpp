// The same for texts: changed GLSL by the thousand, through the compiler and all that follows it.
// TILESCOPE_FUZZ_SEED, TILESCOPE_FUZZ_SECONDS and TILESCOPE_FUZZ_ROUND as in mutation_test.cpp.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "fuzz/mutate_text.h"
#include "fuzz/seeds.h"
#include "fuzz/try_module.h"
#include "gpu/compiler.h"

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(Texts, BreakNoPromise) {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t seed = setting("TILESCOPE_FUZZ_SEED", 1);
  const auto end = Clock::now() + std::chrono::seconds(setting("TILESCOPE_FUZZ_SECONDS", 10));
  const auto seeds = fuzz::seeds();
  ASSERT_GT(seeds.size(), 100U);
  std::uint64_t compiled = 0;
  const std::uint64_t first = setting("TILESCOPE_FUZZ_ROUND", 0);
  for (std::uint64_t round = first; Clock::now() < end; ++round) {
    fuzz::Dice dice(seed * 1'000'000 + round);
    const fuzz::Seed& start = seeds[core::mix(seed * 16 + dice.roll(256)) % seeds.size()];
    std::fprintf(stderr, "\rseed %llu, round %llu, %llu compiled",
                 static_cast<unsigned long long>(seed), static_cast<unsigned long long>(round),
                 static_cast<unsigned long long>(compiled));
    std::ostringstream text;
    text << std::ifstream(start.file).rdbuf();
    std::string source = text.str();
    for (std::uint64_t n = dice.roll(3); n < 3; ++n) {
      fuzz::mutate_text(source, dice);
    }
    if (const auto made = gpu::compile({source, start.file})) {
      ++compiled;
      fuzz::try_module(made->spirv);
    }
  }
  std::fprintf(stderr, "\n");
  EXPECT_GT(compiled, 0U);
}

}  // namespace

// The same for texts: changed GLSL by the thousand, through the compiler and all that follows it.
// The compiler's front end is not ours, and some texts end it: it has a process of its own here, as
// it has where a stranger's kernel is compiled (gpu/compiler.h).
// TILESCOPE_FUZZ_SEED, TILESCOPE_FUZZ_ROUNDS and TILESCOPE_FUZZ_ROUND as in mutation_test.cpp.
#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/random.h"
#include "fuzz/mutate_text.h"
#include "fuzz/seeds.h"
#include "fuzz/try_module.h"
#include "gpu/compiler.h"

namespace {

std::vector<std::uint32_t> read_words(int from) {
  std::vector<std::uint32_t> words;
  std::array<std::uint32_t, 4096> block{};
  for (std::size_t bytes = 0;;) {
    auto* const at = reinterpret_cast<char*>(block.data()) + bytes;
    const ssize_t got = ::read(from, at, sizeof block - bytes);
    bytes += got > 0 ? static_cast<std::size_t>(got) : 0;
    if (got <= 0 || bytes == sizeof block) {
      words.insert(words.end(), block.begin(),
                   block.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof(std::uint32_t)));
      bytes = 0;
    }
    if (got <= 0) {
      return words;
    }
  }
}

void write_words(int to, const std::vector<std::uint32_t>& words) {
  const auto* at = reinterpret_cast<const char*>(words.data());
  for (std::size_t left = words.size() * sizeof(std::uint32_t); left > 0;) {
    const ssize_t done = ::write(to, at, left);
    if (done <= 0) {
      return;
    }
    at += done;
    left -= static_cast<std::size_t>(done);
  }
}

struct Tried {
  std::vector<std::uint32_t> spirv;  // empty: it does not compile
  bool ended = false;                // the compiler, by a signal
};

Tried compile_apart(const gpu::Source& source) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    return {};
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);
    ::signal(SIGABRT, SIG_DFL);
    const auto made = gpu::compile(source);
    write_words(ends[1], made ? made->spirv : std::vector<std::uint32_t>());
    ::_exit(0);
  }
  ::close(ends[1]);
  Tried tried{read_words(ends[0])};
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  tried.ended = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  return tried;
}

TEST(Texts, BreakNoPromise) {
  const std::uint64_t seed = fuzz::setting("TILESCOPE_FUZZ_SEED", 1);
  const auto seeds = fuzz::seeds();
  ASSERT_GT(seeds.size(), 100U);
  std::uint64_t compiled = 0;
  std::uint64_t ended = 0;
  // What the compiler makes once is there in each process then.
  ASSERT_TRUE(gpu::compile({"#version 450\nvoid main() {}\n", "first.comp"}));
  const std::uint64_t first = fuzz::setting("TILESCOPE_FUZZ_ROUND", 0);
  const std::uint64_t end = first + fuzz::setting("TILESCOPE_FUZZ_ROUNDS", 200);
  for (std::uint64_t round = first; round < end; ++round) {
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
    const Tried tried = compile_apart({source, start.file});
    ended += tried.ended ? 1 : 0;
    if (!tried.ended && !tried.spirv.empty()) {
      ++compiled;
      fuzz::try_module(tried.spirv);
    }
  }
  std::fprintf(stderr, "\n%llu ended the compiler\n", static_cast<unsigned long long>(ended));
  EXPECT_GT(compiled, ended);
}

}  // namespace

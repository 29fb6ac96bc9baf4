// write_mutants FOLDER COUNT SEED modules|sources: damaged kernels as files, for the commands.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "fuzz/mutate.h"
#include "fuzz/mutate_text.h"
#include "fuzz/seeds.h"

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const void* data, std::size_t bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 5 ? argv[4] : "";
  if (kind != "modules" && kind != "sources") {
    std::fprintf(stderr, "write_mutants FOLDER COUNT SEED modules|sources\n");
    return 2;
  }
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  fuzz::Dice dice(std::strtoull(argv[3], nullptr, 10));
  const auto seeds = fuzz::seeds();
  std::map<std::string, spirv::Words> compiled;
  const unsigned long count = std::strtoul(argv[2], nullptr, 10);
  for (unsigned long i = 0; i < count; ++i) {
    const fuzz::Seed& seed = seeds[dice.roll(seeds.size())];
    const std::string name = "m" + std::to_string(i);
    const std::uint64_t changes = 1 + dice.roll(4);
    if (kind == "modules") {
      spirv::Words& whole = compiled[seed.name];
      if (whole.empty()) {
        whole = seed.compile();
      }
      spirv::Words words = whole;
      for (std::uint64_t n = 0; n < changes; ++n) {
        fuzz::mutate(words, dice);
      }
      write(folder / (name + ".spv"), words.data(), words.size() * 4);
    } else {
      std::ifstream stream(seed.file);
      std::string text{std::istreambuf_iterator<char>(stream), {}};
      for (std::uint64_t n = 0; n < changes; ++n) {
        fuzz::mutate_text(text, dice);
      }
      write(folder / (name + ".comp"), text.data(), text.size());
    }
  }
  return 0;
}

// write_seeds FOLDER: the seeds as files for the fuzzer's corpus.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/seeds.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "write_seeds FOLDER\n");
    return 2;
  }
  std::filesystem::create_directories(argv[1]);
  for (const fuzz::Seed& seed : fuzz::seeds()) {
    const spirv::Words words = seed.compile();
    std::string name = seed.name + ".spv";
    std::replace(name.begin(), name.end(), '/', '-');
    std::ofstream file(std::filesystem::path(argv[1]) / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * 4));
  }
  return 0;
}

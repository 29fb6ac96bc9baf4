#include "fuzz/seeds.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gpu/compiler.h"

namespace fuzz {

namespace fs = std::filesystem;

spirv::Words Seed::compile() const {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  auto compiled = gpu::compile({text.str(), file});
  return compiled ? std::move(compiled->spirv) : spirv::Words{};
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const char* folder : {"shaders", "tests/probes"}) {
    const fs::path root = fs::path(TILESCOPE_SOURCE_DIR) / folder;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".comp") {
        continue;
      }
      const fs::path name = fs::relative(entry.path(), root).replace_extension();
      all.push_back({name.generic_string(), entry.path()});
    }
  }
  std::ranges::sort(all, {}, &Seed::name);
  return all;
}

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace fuzz

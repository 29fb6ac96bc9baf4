// What mutations start from: the catalogue's kernels and the checker's labelled ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "spirv/module/module.h"

namespace fuzz {

struct Seed {
  std::string name;
  std::filesystem::path file;
  /// Empty where it does not compile, as some are meant to.
  [[nodiscard]] spirv::Words compile() const;
};
[[nodiscard]] std::vector<Seed> seeds();

/// A number of the environment: how long, from which seed.
[[nodiscard]] std::uint64_t setting(const char* name, std::uint64_t otherwise);

}  // namespace fuzz

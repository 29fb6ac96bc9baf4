// What mutations start from: the catalogue's kernels and the checker's labelled ones.
#pragma once

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

}  // namespace fuzz

// The files that a kernel is made from, found without compiling it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/work/experiment.h"

namespace lab {

struct KernelFiles {
  /// The kernel, its prelude and all files that an #include names, also those in branches that the
  /// preprocessor does not take; the reference kernel with its files; files with contents.
  std::vector<std::filesystem::path> files;
  std::vector<std::string> missing;  ///< includes that were not found
  /// False if there may be other files: an include by a macro, or a language with modules.
  bool complete = true;
};

[[nodiscard]] KernelFiles files_of_kernel(const std::filesystem::path& kernel,
                                          const core::KernelChoices& choices);

}  // namespace lab

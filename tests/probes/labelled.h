// The labelled kernels in the folders beside this file, and how each is launched.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/work/experiment.h"

namespace test {

/// All labelled kernels, ordered by folder and name.
[[nodiscard]] std::vector<std::filesystem::path> labelled_kernels();

/// The launch that a kernel's header describes: `zero` and `buffer` name bindings and their
/// contents, `set` members of blocks, `groups` the number of workgroups (3 if it is missing).
[[nodiscard]] core::Experiment labelled_experiment(const std::string& source);

/// The same without a number of workgroups if it is missing.
[[nodiscard]] core::Experiment labelled_choices(const std::string& source);

/// The text of a file.
[[nodiscard]] std::string text_of(const std::filesystem::path& path);

}  // namespace test

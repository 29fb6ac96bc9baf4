// Texts for the debug information of a module: sources that it holds, and names and lines for a
// module that has none. Release builds and naga write neither, and a report needs both.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/work/source_file.h"
#include "spirv/module/module.h"

namespace spirv {

/// The sources that the module holds (OpSource), with the names that its lines use. The source that
/// most lines name is the first. Empty if the module holds none.
[[nodiscard]] std::vector<core::SourceFile> embedded_sources(std::span<const std::uint32_t> words);

/// Whether an instruction has a source line.
[[nodiscard]] bool has_lines(std::span<const std::uint32_t> words);

/// The module with a source line for each instruction: its line in `assembly`, in the file `name`.
/// The module as it is if the two do not have the same number of instructions.
[[nodiscard]] Words with_lines_of(std::span<const std::uint32_t> words, const std::string& assembly,
                                  const std::string& name);

/// The module with names for shared variables, resources and local arrays that have none: "shared
/// variable 1 (float[64])", "set 0 binding 1". The module as it is if it can't be parsed.
[[nodiscard]] Words with_names(std::span<const std::uint32_t> words);

}  // namespace spirv

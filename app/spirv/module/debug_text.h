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

/// A text for a module, and the line of each instruction in it.
struct Listing {
  std::string text;
  /// From 1, in the order of the module, from the first OpFunction on. 0: no line.
  std::vector<std::uint32_t> lines;
};

/// The listing for a module's assembly text. No lines if the two do not have the same number of
/// instructions.
[[nodiscard]] Listing assembly_listing(std::span<const std::uint32_t> words, std::string assembly);

/// The module with a source line in the file `name` for each instruction of its functions. The
/// module as it is if it does not have as many instructions as `lines`.
[[nodiscard]] Words with_lines(std::span<const std::uint32_t> words,
                               std::span<const std::uint32_t> lines, const std::string& name);

/// The module as one that was compiled from GLSL (OpSource).
[[nodiscard]] Words with_glsl_as_language(Words words);

/// Names that with_names() adds.
enum class Names {
  memory,  ///< of shared variables, resources and local arrays: "shared1", "buf0_3", "local1"
  all,     ///< of scalars, constants, blocks and functions, too: for a text
};

/// The module with names for what has none. The module as it is if it can't be parsed.
[[nodiscard]] Words with_names(std::span<const std::uint32_t> words, Names names = Names::memory);

}  // namespace spirv

// Compute shaders in GLSL or HLSL to SPIR-V, through shaderc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/work/source_file.h"

namespace gpu {

enum class Language { glsl, hlsl };

/// Bytes. A kilobyte of macros can take all of a machine's memory.
inline constexpr std::uint64_t default_compile_memory = std::uint64_t{1} << 30U;
/// Limits the memory that the process may have in use while it compiles, if a parent watches it
/// (core/base/child.h). 0: no limit.
void limit_compile_memory(std::uint64_t bytes);

/// The text behind UTF-8's byte-order mark, which editors put before a file's first letter.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// HLSL for `.hlsl`, else GLSL.
[[nodiscard]] Language language_of(const std::filesystem::path& file);

/// A kernel's text, and the file that it is (or would be) in: the file's name is used in messages,
/// its folder for includes.
struct Source {
  std::string text;
  std::filesystem::path file;
};

/// A macro of the preprocessor: a name, and what stands for it.
using Define = std::pair<std::string, std::string>;

/// "NAME=VALUE", or "NAME", which is 1 as with C compilers. Fault::usage when NAME is no
/// identifier.
[[nodiscard]] core::Expected<Define> parse_define(std::string_view text);

struct CompileOptions {
  std::vector<Define> defines;  ///< in the order they were given
  std::vector<std::filesystem::path>
      include_dirs;                          ///< looked through in turn, after the file's own
  std::map<std::string, std::string> texts;  ///< of included files that are not read, by path
  std::string entry = "main";                ///< HLSL's function; of GLSL it must be main
  Language language = Language::glsl;
  std::filesystem::path prelude;  ///< its text follows `#version`, or begins HLSL; empty: none
  /// HLSL: the bindings of t, u and s registers start at 100, 200 and 300, those of b registers
  /// at 0. Otherwise each register's number is its binding, so that b0, t0, u0 and s0 collide.
  bool register_ranges = false;
};

struct Compiled {
  std::vector<std::uint32_t> spirv;  ///< unoptimized, with debug information: names and lines
  std::string warnings;              ///< as shaderc words them; empty when there are none
  /// What was read: the kernel's own file first, then those that it includes, in the order they
  /// were first met, each once. The paths are those that stand in the module's debug information.
  std::vector<core::SourceFile> sources;
};

/// The SPIR-V of a compute kernel for Vulkan 1.2: version 1.5, of HLSL 1.3.
///
/// `#include "x"` is looked for beside the file that has it, then beside the kernel, then in
/// `include_dirs`; `#include <x>` in those and then beside the kernel. A file is only read where
/// its path, with `..` resolved in the name alone, lies in the kernel's folder, in one of
/// `include_dirs`, or in the project that the kernel belongs to: the nearest folder above it that
/// holds a version control system's folder (.git, .hg, .svn, .jj) or a tilescope.toml.
///
/// A source that does not compile is Fault::usage with its first error (never a warning before it),
/// as "FILE:LINE: what"; Error::line is set where FILE is the kernel's own.
///
/// The front end recurses through expressions: a hostile text can end the process here. What comes
/// from strangers is compiled in a process of its own (core/base/child.h).
[[nodiscard]] core::Expected<Compiled> compile(const Source& source,
                                               const CompileOptions& options = {});

/// The source after its preprocessor: macros replaced, branches of #if that are not taken removed.
/// Errors as those of compile().
[[nodiscard]] core::Expected<std::string> preprocess(const Source& source,
                                                     const CompileOptions& options = {});

}  // namespace gpu

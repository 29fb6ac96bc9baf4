// Compiles a kernel's source text to SPIR-V: GLSL and HLSL with the built-in front end, any
// language with a compiler that the user names.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/catalogue/variant.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"

namespace lab {

/// Returns the language of a kernel's file: `--language`, else from the end of the file's name:
/// "hlsl", "wgsl", "slang", "spv", "spvasm" or a language of `--compiler`. "glsl" for any other
/// end.
[[nodiscard]] std::string source_language(const std::filesystem::path& file,
                                          const core::KernelChoices& choices);

/// HLSL without `main` and without `--entry` is compiled for its only entry point. Registers of
/// HLSL that share a number get bindings in ranges of their own (gpu::CompileOptions).
/// `texts`: of included files that are not read, by path. Fails with a sentence about the source,
/// or about a choice that it does not fit.
[[nodiscard]] core::Expected<core::KernelModule> compile_source(
    const core::Variant& variant, const core::KernelChoices& choices,
    std::map<std::string, std::string> texts);

/// Gives the module of a kernel's file the local size of `--local-size`. Fails if the kernel
/// declares one. A module that was compiled elsewhere declares none if its size is 1,1,1.
[[nodiscard]] core::Expected<void> give_local_size(core::KernelModule& module,
                                                   const std::filesystem::path& file,
                                                   const core::KernelChoices& choices);

}  // namespace lab

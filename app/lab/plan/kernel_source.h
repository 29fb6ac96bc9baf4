// Compiles a kernel's source text, GLSL or HLSL, to SPIR-V.
#pragma once

#include <map>
#include <string>

#include "core/base/error.h"
#include "core/catalogue/variant.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"

namespace lab {

/// HLSL without `main` and without `--entry` is compiled for its only entry point. Registers of
/// HLSL that share a number get bindings in ranges of their own (gpu::CompileOptions).
/// `texts`: of included files that are not read, by path. Fails with a sentence about the source,
/// or about a choice that it does not fit.
[[nodiscard]] core::Expected<core::KernelModule> compile_source(
    const core::Variant& variant, const core::KernelChoices& choices,
    std::map<std::string, std::string> texts);

}  // namespace lab

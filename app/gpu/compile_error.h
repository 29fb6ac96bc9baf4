// Of all that the front end prints about a source, the one sentence that helps.
#pragma once

#include <span>
#include <string>

#include "core/base/error.h"
#include "core/work/source_file.h"
#include "gpu/compiler.h"

namespace gpu {

/// The first error in shaderc's messages (never a warning before it) as "FILE:LINE: what", with
/// what would give a word that is defined nowhere (-D), and extensions that this build's compiler
/// does not know. Fault::usage; Fault::device where such an extension may be the reason, since
/// another compiler knows it. Error::line is set where FILE is the kernel's own, the first of
/// `sources`. `preprocessed` is the kernel's text after its preprocessor, where there is one.
[[nodiscard]] core::Error compile_error(const std::string& messages,
                                        std::span<const core::SourceFile> sources,
                                        std::span<const Define> defines,
                                        const std::string& preprocessed = {});

}  // namespace gpu

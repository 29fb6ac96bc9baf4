// Compiles a kernel with a program of this machine: a newer compiler, or a compiler of another
// language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/variant.h"
#include "core/work/dispatch.h"
#include "core/work/experiment.h"

namespace lab {

using CommandWords = std::vector<std::string>;

/// Returns the words of a command, split at blanks outside of quotes.
[[nodiscard]] CommandWords split_command(const std::string& text);
/// Returns a command with these words, in quotes where one has a blank or a quote. A word with both
/// kinds of quotes does not survive.
[[nodiscard]] std::string join_command(const CommandWords& words);
/// Returns the text with each `name` replaced by `value`.
[[nodiscard]] std::string replaced(std::string text, std::string_view name,
                                   const std::string& value);

/// Returns the module that `command` writes. The command is a program and its arguments, separated
/// by blanks; quotes keep blanks. {input}, {output} and {entry} in it are replaced. A command
/// without {input} gets the arguments with which glslang, glslc, dxc, slangc and naga compile a
/// compute kernel for Vulkan 1.3; any other program gets "-o OUTPUT INPUT". The macros and folders
/// of -D and -I are added as -DNAME=VALUE and -IFOLDER. Fails with the first error that the
/// compiler prints.
[[nodiscard]] core::Expected<core::KernelModule> compile_externally(
    const std::string& command, const std::string& language, const core::Variant& variant,
    const core::KernelChoices& choices);

}  // namespace lab

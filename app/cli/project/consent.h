// Asks on the terminal whether the commands of a project file may run.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Asks once for each project whose commands the kernels need, and keeps a yes
/// (lab/files/consent.h). Asks nothing without a terminal; the kernel then fails with a sentence.
void ask_for_consent(const std::vector<std::string>& kernels);

}  // namespace cli

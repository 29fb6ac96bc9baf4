// The compute entry points of a module, of which a kernel is one.
#pragma once

#include <string>
#include <vector>

#include "spirv/module/module.h"

namespace spirv {

/// Names of the compute entry points, in the order of the module.
[[nodiscard]] std::vector<std::string> compute_entries(const Module& module);

/// Takes all entry points but one out of the module, with their execution modes. Empty: the first
/// compute entry point stays. Error: there is none of that name; it lists what there is.
[[nodiscard]] Expected<void> select_entry(Module& module, const std::string& name);

}  // namespace spirv

// A kernel's resources as one list of storage buffers in set 0, so that any kernel can be launched
// with buffers alone.
#pragma once

#include <string>
#include <vector>

#include "spirv/module/module.h"
#include "spirv/module/reflect.h"

namespace spirv {

struct FlatBindings {
  std::vector<Binding> buffers;           ///< by their new binding number, the place in the list
  std::vector<std::string> not_possible;  ///< resources that are no single buffer, in words
};

/// Renumbers buffers by set and binding to set 0, and turns uniform buffers into storage buffers,
/// which hold the same layouts. What is not possible is left as it was.
[[nodiscard]] Expected<FlatBindings> flatten_bindings(Module& module, const SpecValues& values);

}  // namespace spirv

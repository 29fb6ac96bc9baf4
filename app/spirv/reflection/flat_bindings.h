// A kernel's descriptors as one list in set 0, its uniform buffers as storage buffers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spirv/module/module.h"
#include "spirv/reflection/reflect.h"

namespace spirv {

/// Set and binding to the binding in set 0.
using FlatNumbers = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

struct FlatBindings {
  std::vector<Binding> resources;         ///< that the kernel has, by set, then binding
  std::vector<std::string> not_possible;  ///< what can't be given to it, in words
};

/// The kernel's resources by set, then binding. Two views of one descriptor are one.
[[nodiscard]] FlatBindings flat_bindings(const Interface& interface);

/// Renumbers to set 0, and turns uniform buffers into storage buffers, which hold the same layouts.
void flatten_bindings(Module& module, const FlatNumbers& numbers);

}  // namespace spirv

// A kernel's resources as one list of storage buffers in set 0, so that any kernel can be launched
// with buffers alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spirv/module/module.h"
#include "spirv/module/reflect.h"

namespace spirv {

/// Set and binding to the binding in set 0.
using FlatNumbers = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

struct FlatBindings {
  FlatNumbers numbers;
  std::vector<Binding> buffers;           ///< that the kernel has, by set, then binding
  std::vector<std::string> not_possible;  ///< resources that are no single buffer, in words
};

/// The kernel's buffers, numbered by set, then binding, and what else it has. Two views of one
/// buffer are one.
[[nodiscard]] FlatBindings flat_bindings(const Interface& interface);

/// Memory that the kernel reaches through addresses, in words: which it is only its caller knows.
[[nodiscard]] std::vector<std::string> buffer_references(const Module& module);

/// Renumbers buffers to set 0, and turns uniform buffers into storage buffers, which hold the same
/// layouts. A module with resources that are no buffers is left as it was but for the numbers.
void flatten_bindings(Module& module, const FlatNumbers& numbers, bool buffers_alone);

}  // namespace spirv

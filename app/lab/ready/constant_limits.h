// What a kernel's constants may be: its header's rules, checked before anything is made of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/catalogue/variant.h"

namespace lab {

/// Constants of a kernel by name: specialization constants, and those that follow from them.
using ConstantValues = std::map<std::string, std::uint64_t>;

/// Fault::usage with one sentence for the first value that a rule of core::Variant::constants does
/// not allow: "SHARES of nbody/slices must divide INVOCATIONS (128), not 100". Rules of names that
/// `values` does not have, or that need one, are passed over: what follows from others is not known
/// before those are found to be sound.
[[nodiscard]] core::Expected<void> check_constants(const core::Variant& variant,
                                                   const ConstantValues& values);

}  // namespace lab

// What a kernel is launched with as a TOML table: of scenes and of saved dispatches.
//   defines, include_dirs   lists of texts
//   prelude, language,
//   entry, reference        texts
//   local_size, groups,
//   items, push             lists of whole numbers
//   [buffers]               name or "set.binding" = "BYTES[:CONTENT]", as --buffer
//   [spec]                  id = "value", a constant's 32 bits
#pragma once

#include <toml++/toml.h>

#include "core/base/error.h"
#include "core/work/experiment.h"

namespace lab {

/// Only what is said; a key that is not one of these is an error.
[[nodiscard]] core::Expected<void> read_choices(const toml::table& table,
                                                core::KernelChoices& choices);
[[nodiscard]] toml::table choices_table(const core::KernelChoices& choices);

}  // namespace lab

// Output files are written whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "core/base/error.h"

namespace core {

/// Writes beside the target and renames onto it, so that no half-written file is ever seen under
/// its name. Fault::usage with the system's reason when the folder can't be written to. Of a large
/// file `go_on` is asked now and then; when it says no, nothing stays written, and that is an
/// error.
[[nodiscard]] Expected<void> write_file(const std::filesystem::path& file,
                                        std::span<const std::byte> content,
                                        const std::function<bool()>& go_on = {});

}  // namespace core

// What `--buffer` says of a kernel's memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/work/dispatch.h"
#include "spirv/module/reflect.h"

namespace lab {

/// A resource by name (the variable's, the block's, its array's) or as "SET.BINDING", to
/// "BYTES[:zero|iota|random|@FILE]"; "@FILE" alone is as long as the file. BYTES may end in KiB,
/// MiB or GiB. Errors: there is no such resource, with those that there are; a file that can't be
/// read.
[[nodiscard]] core::Expected<void> give_contents(const spirv::Interface& interface,
                                                 const std::map<std::string, std::string>& buffers,
                                                 std::vector<core::Resource>& resources);

/// The content as such a text has it, after the colon.
[[nodiscard]] std::string content_words(const core::Resource& resource);

}  // namespace lab

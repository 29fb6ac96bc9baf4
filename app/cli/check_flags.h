// The flags of `check`, read.
#pragma once

#include <string>

#include "core/base/error.h"
#include "lab/run/check.h"

namespace cli {

/// "X,Y,Z", "X,Y" or "X", each at least 1.
[[nodiscard]] core::Expected<void> read_groups(const std::string& text, lab::CheckRequest& request);
/// "SET.BINDING=BYTES[:zero|iota|random]".
[[nodiscard]] core::Expected<void> read_buffer(const std::string& text, lab::CheckRequest& request);
/// 32-bit words, "16,0x10,-1".
[[nodiscard]] core::Expected<void> read_push(const std::string& text, lab::CheckRequest& request);
/// "ID=VALUE"; true and false are 1 and 0, a value with a point is a float.
[[nodiscard]] core::Expected<void> read_constant(const std::string& text,
                                                 lab::CheckRequest& request);
/// "all" or a number of workgroups.
[[nodiscard]] core::Expected<void> read_tiles(const std::string& text, lab::CheckRequest& request);

}  // namespace cli

// A standalone kernel that exceeds the length that Tilescope chose for a buffer is checked again
// with a longer one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/report/check_report.h"
#include "lab/ready/specimen.h"

namespace lab {

/// Bytes by "set.binding": KernelChoices::longer.
using LongerBuffers = std::map<std::string, std::uint64_t>;

/// Room for twice the index in each buffer whose chosen length an index exceeded. Empty if there is
/// none, or if one of them would be larger than 64 MiB.
[[nodiscard]] LongerBuffers longer_buffers(const Specimen& specimen,
                                           const core::CheckReport& report);

}  // namespace lab

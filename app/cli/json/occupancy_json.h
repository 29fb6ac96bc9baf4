// The occupancy model as JSON, and as lines of text.
#pragma once

#include <nlohmann/json.hpp>

#include "core/work/result.h"

namespace cli {

/// "occupancy" of `run --json`: modelled, but for "observed_workgroups".
[[nodiscard]] nlohmann::ordered_json occupancy_json(const core::Result& result);
/// "statistics": what the driver tells of the compiled kernel, in its words.
[[nodiscard]] nlohmann::ordered_json statistics_json(const core::Occupancy& occupancy);
/// Limits of a multiprocessor for `devices`; null where they are not known.
[[nodiscard]] nlohmann::ordered_json multiprocessor_json(const core::DeviceInfo& device);

void print_occupancy(const core::Result& result);

}  // namespace cli

// A trace as JSON: sites, variables and phases as objects; accesses, of which there are many, as
// arrays of numbers in the order of "columns".
#pragma once

#include <nlohmann/json.hpp>

#include "core/report/advice.h"
#include "core/report/trace.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json to_json(const core::Trace& trace);
/// What the trace advises.
[[nodiscard]] nlohmann::ordered_json to_json(const core::Advice& advice);

}  // namespace cli

// A streamed multiplication as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/stream/stream.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json to_json(const core::StreamReport& report);

}  // namespace cli

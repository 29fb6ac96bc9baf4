// A check's report as JSON: a contract, see the design.
#pragma once

#include <nlohmann/json.hpp>

#include "core/report/check_report.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json to_json(const core::CheckReport& report);

}  // namespace cli

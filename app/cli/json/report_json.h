// A check's report as JSON: a contract, see the design.
#pragma once

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/report/check_report.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json to_json(const core::CheckReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const core::Finding& finding);
/// What to_json() wrote: all that verdicts, findings and summaries need, of the accesses those that
/// were not executed. Error: it is no such document.
[[nodiscard]] core::Expected<core::CheckReport> report_from(const std::string& text);

}  // namespace cli

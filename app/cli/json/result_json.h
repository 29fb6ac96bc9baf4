// Results as JSON: the contract of `run --json`, to which fields may be added but not changed.
#pragma once

#include <nlohmann/json.hpp>

#include "core/model/ceilings.h"
#include "core/work/result.h"

namespace cli {

/// Its answer was not found wrong: right, or there is nothing to compare it with.
[[nodiscard]] inline bool right(const core::Result& result) {
  return result.refused() ? false : result.check.correct || !result.check.done;
}

/// `with_trace`: its accesses too, if it has any.
[[nodiscard]] nlohmann::ordered_json to_json(const core::Result& result, bool with_trace = true);
[[nodiscard]] nlohmann::ordered_json to_json(const core::Spread& spread);
[[nodiscard]] nlohmann::ordered_json to_json(const core::Rung& rung);
[[nodiscard]] nlohmann::ordered_json to_json(const core::Ceilings& ceilings);

}  // namespace cli

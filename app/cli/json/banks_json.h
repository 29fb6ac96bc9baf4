// A workgroup's shared-memory banks and global sectors as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/report/banks.h"

namespace cli {

[[nodiscard]] nlohmann::ordered_json to_json(const core::Trace& trace,
                                             const core::BankReport& report);

}  // namespace cli

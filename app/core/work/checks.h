// What a check looks for.
#pragma once

#include <string>

#include "core/base/error.h"

namespace core {

struct Checks {
  bool races = true;
  bool bounds = true;
  bool init = true;        ///< reads of what nothing wrote, outputs that nobody wrote
  bool sync = true;        ///< barriers that not all invocations reach
  bool arithmetic = true;  ///< notes on numbers
  bool operator==(const Checks&) const = default;
};

/// "races,bounds": those alone; empty: all. An unknown name is an error that lists the known ones.
[[nodiscard]] Expected<Checks> parse_checks(const std::string& names);

}  // namespace core

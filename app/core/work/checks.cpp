#include "core/work/checks.h"

#include <array>
#include <sstream>
#include <utility>

namespace core {

Expected<Checks> parse_checks(const std::string& names) {
  if (names.empty()) {
    return Checks{};
  }
  Checks chosen{false, false, false, false, false};
  const std::array<std::pair<const char*, bool*>, 5> known{{{"races", &chosen.races},
                                                            {"bounds", &chosen.bounds},
                                                            {"init", &chosen.init},
                                                            {"sync", &chosen.sync},
                                                            {"arithmetic", &chosen.arithmetic}}};
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    bool found = false;
    for (const auto& [word, flag] : known) {
      if (name == word) {
        *flag = found = true;
      }
    }
    if (!found) {
      return usage_error("'" + name +
                         "' is not a check; choose from races, bounds, init, sync, arithmetic");
    }
  }
  return chosen;
}

}  // namespace core

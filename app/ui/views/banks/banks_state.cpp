#include "ui/views/banks/banks_state.h"

namespace ui {
std::vector<StateField> BanksState::fields() {
  return {field("lanes", lanes, {"", "subgroups", "32"})
              .with_flag("--lanes", "banks",
                         "the banks view: who shares an instruction, subgroups or 32 invocations"),
          field("site", site)
              .with_flag("--site", "banks", "the banks view: row of its table; 0: the worst"),
          field("instruction", instruction)
              .with_flag("--instruction", "banks",
                         "the banks view: of the site, from 1; 0: the worst")};
}

}  // namespace ui

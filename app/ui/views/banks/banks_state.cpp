#include "ui/views/banks/banks_state.h"

namespace ui {
std::vector<StateField> BanksState::fields() {
  return {
      field("lanes", lanes, {"", "subgroups", "32"})
          .with_flag(
              "--lanes", "banks",
              "Banks view: group the accesses of one instruction by subgroups or by 32 invocations "
              "(default: subgroups)"),
      field("site", site)
          .with_flag("--site", "banks",
                     "Banks view: show this row of its table; 0 = the row with the most conflicts "
                     "(default: 0)"),
      field("instruction", instruction)
          .with_flag("--instruction", "banks",
                     "Banks view: show this execution of the instruction in the row, from 1; 0 = "
                     "the one with the most conflicts (default: 0)")};
}

}  // namespace ui

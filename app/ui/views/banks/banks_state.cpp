#include "ui/views/banks/banks_state.h"

#include "ui/views.h"
#include "ui/views/banks/banks_view.h"

namespace ui {
namespace {

BanksState& state_of(ActionContext& c) {
  return c.state.of<BanksState>();
}

void other_lanes(ActionContext& c) {
  BanksState& s = state_of(c);
  s.lanes = chosen_lanes(s, c.model.result) == core::Lanes::of_32 ? "subgroups" : "32";
  s.instruction = 0;
}

core::Steps needs(ViewStates&) {
  return {core::Step::trace};
}

}  // namespace

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

CentreView banks_row() {
  return {.name = "banks",
          .there = always,
          .draw = draw_banks,
          .needs = needs,
          .open = [](ViewStates& states) { states.of<BanksState>(); },
          .moves = {.step = [](ActionContext& c, int by) { state_of(c).instruction_steps = by; },
                    .leap = [](ActionContext& c, int by) { state_of(c).site_steps = by; },
                    .alternate = other_lanes}};
}

}  // namespace ui

#include "ui/views/tile/tile_state.h"

#include <utility>

#include "ui/views.h"
#include "ui/views/tile/tile_view.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

TileState& state_of(ActionContext& c) {
  return c.state.of<TileState>();
}

// Into the pointed-at tile, or the middle one; and back to the grid.
void open_tile(ActionContext& c, int) {
  if (current_view(c.state.view, c.model.result) == "tile") {
    c.state.view.name = "grid";
    return;
  }
  if (c.state.view.tile < 0) {
    c.point_at_neighbour(0, 0);
  }
  c.state.view.name = "tile";
}

void keys(ActionTable& table) {
  table.group("View");
  table.key({Key::enter}, "open the tile view, or go back to the grid", open_tile);
  table.group("Tile");
  table.key(letter('u'), "show the whole phase, or its first moment",
            [](ActionContext& c, int) { state_of(c).moment = state_of(c).moment == 0 ? 1 : 0; });
  table.pair(letter('i'), letter('I'), "next or previous invocation",
             [](ActionContext& c, int by) { state_of(c).invocation_steps = by; });
  table.pair(letter('x'), letter('X'), "next or previous cell with a race",
             [](ActionContext& c, int by) { state_of(c).race_steps = by; });
}

core::Steps needs(ViewStates&) {
  return {core::Step::trace};
}

}  // namespace

void TileState::choose(std::int64_t invocation_index, std::string of_variable,
                       std::int64_t element_index) {
  invocation = invocation_index;
  variable = std::move(of_variable);
  cell = element_index;
  element.clear();
}

void TileState::ask_why(std::string name) {
  forget_kernel();
  element = std::move(name);
}

std::vector<StateField> TileState::fields() {
  return {
      field("phase", phase)
          .with_flag(
              "--phase", "tile",
              "Tile view: show this phase of the run, from 1; 0 = the view chooses (default: 0)"),
      field("moment", moment)
          .with_flag(
              "--moment", "tile",
              "Tile view: show this moment of the phase, from 1; 0 = the whole phase (default: "
              "0)"),
      [this] {
        StateField whose =
            field("invocation", invocation, kNobody, 1 << 20)
                .with_flag("--invocation", "tile",
                           "Tile view: highlight the accesses of this invocation of the "
                           "workgroup (default: none)");
        whose.about.place = true;
        return whose;
      }(),
      field("variable", variable).with_meaning("Tile view: shared array of the selected cell"),
      field("cell", cell, -1, 0xFFFFFFFF)
          .with_meaning("Tile view: number of the selected cell in this array, from 0; -1 = none"),
      field("element", element)
          .with_flag("--element", "tile",
                     "Tile view: show which values led to this element of memory, such as "
                     "c[18][3] (default: none)"),
      field("cells_x", centre.x, -4.0, 5.0)
          .with_meaning("Tile view: centre of the shown part from left (0) to right (1)"),
      field("cells_y", centre.y, -4.0, 5.0)
          .with_meaning("Tile view: centre of the shown part from top (0) to bottom (1)"),
      field("cells_zoom", zoom, 0.05, 1e5)
          .with_meaning("Tile view: enlarge the cells by this factor"),
      field("by_bank", by_bank).with_flag("--by-bank", "tile", "Tile view: colour cells by bank")};
}

void TileState::forget_kernel() {
  phase = moment = 0;
  choose(kExample, {}, -1);
}

CentreView tile_row() {
  return {
      .name = "tile",
      .answers = "What do the invocations of one workgroup do in shared memory, phase by phase?",
      .manual = {.chapter = "Tile"},
      .there = always,
      .draw = draw_tile,
      .nothing = no_tile_yet,
      .needs = needs,
      .open = [](ViewStates& states) { states.of<TileState>(); },
      .moves = {
          .pan = [](ActionContext& c, glm::vec2 by) { state_of(c).pan(by); },
          .zoom = [](ActionContext& c, float factor) { state_of(c).enlarge(factor, tile_zoom); },
          .fit = [](ActionContext& c) { static_cast<Sight&>(state_of(c)) = {}; },
          .step = [](ActionContext& c, int by) { c.state.of<StepState>().steps = by; },
          .leap = [](ActionContext& c, int by) { c.state.of<StepState>().leaps = by; },
          .let_go = [](ActionContext& c) { state_of(c).choose_nobody(); },
          .alternate = [](ActionContext& c) { state_of(c).by_bank = !state_of(c).by_bank; }},
      .keys = keys,
      .film = phases_film()};
}

}  // namespace ui

#include "ui/views/grid/grid_state.h"

#include "ui/views.h"
#include "ui/views/grid/grid_view.h"
#include "ui/views/timeline/launch_state.h"

namespace ui {
namespace {

GridState& state_of(ActionContext& c) {
  return c.state.of<GridState>();
}

void keys(ActionTable& table) {
  table.group("View");
  table.key(letter('m'), "mark tiles with findings: on or off",
            [](ActionContext& c, int) { state_of(c).marks = !state_of(c).marks; });
  table.key(letter('O'), "show or hide invocations beyond the edge",
            [](ActionContext& c, int) { state_of(c).idle = !state_of(c).idle; });
  table.key(letter('Y'), "show the outputs, or their difference from the reference",
            [](ActionContext& c, int) { state_of(c).difference = !state_of(c).difference; });
  table.key(letter('R'), "show or hide the sections: whole tiles and the rest",
            [](ActionContext& c, int) { state_of(c).sections = !state_of(c).sections; });
}

std::string nothing(const Frame& frame) {
  return frame.model.result.tiles.group_count() > 0 && !frame.model.result.variant.name.empty()
             ? ""
             : "The grid of all workgroups appears here after the kernel is compiled.";
}

core::Steps needs(ViewStates& states) {
  const LaunchState& launch = states.of<LaunchState>();
  const bool timeline = launch.coloured_by != "output" || launch.played >= 0.0F;
  return timeline ? core::Steps{core::Step::timeline} : core::Steps{};
}

}  // namespace

std::vector<StateField> GridState::fields() {
  return {
      field("centre_x", centre.x, -4.0, 5.0)
          .with_meaning("Grid view: centre of the shown part from left (0) to right (1)"),
      field("centre_y", centre.y, -4.0, 5.0)
          .with_meaning("Grid view: centre of the shown part from top (0) to bottom (1)"),
      field("zoom", zoom, 0.05, 1e5).with_meaning("Grid view: enlarge the picture by this factor"),
      field("marks", marks)
          .with_meaning("Grid view: hatch tiles with findings and elements with races"),
      field("idle", idle).with_meaning("Grid view: stripe invocations beyond the edge"),
      field("sections", sections)
          .with_meaning(
              "Grid view: mark the part with whole tiles and the parts that remain at the edges"),
      field("difference", difference)
          .with_flag("--difference", "grid",
                     "Grid view: draw the difference of the outputs from the reference")};
}

CentreView grid_row() {
  return {.name = "grid",
          .answers = "Which tile computes which part, and what does it read?",
          .manual = {.chapter = "Grid"},
          .there = always,
          .draw = draw_grid,
          .nothing = nothing,
          .overview = true,
          .needs = needs,
          .open =
              [](ViewStates& states) {
                states.of<GridState>();
                states.of<LaunchState>();
              },
          .moves = {.pan = [](ActionContext& c, glm::vec2 by) { state_of(c).pan(by); },
                    .zoom = [](ActionContext& c,
                               float factor) { state_of(c).enlarge(factor, grid_zoom); },
                    .fit = [](ActionContext& c) { static_cast<Sight&>(state_of(c)) = {}; }},
          .keys = keys,
          .film = launch_film()};
}

}  // namespace ui

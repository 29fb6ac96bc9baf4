#include "ui/views/timeline/timeline_state.h"

#include <algorithm>

#include <glm/common.hpp>

#include "ui/views.h"
#include "ui/views/sight.h"
#include "ui/views/timeline/launch_state.h"
#include "ui/views/timeline/tile_colours.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

TimelineState& state_of(ActionContext& c) {
  return c.state.of<TimelineState>();
}

void pan(ActionContext& c, glm::vec2 by) {
  TimelineState& s = state_of(c);
  s.centre =
      glm::clamp(s.centre + by * glm::vec2(pan_step / s.zoom, pan_step / s.rows_zoom), 0.0F, 1.0F);
}

void zoom(ActionContext& c, float factor) {
  state_of(c).zoom = std::clamp(state_of(c).zoom * factor, 1.0F, 1e5F);
}

void fit(ActionContext& c) {
  TimelineState& s = state_of(c);
  s.centre = {0.5F, 0.5F};
  s.zoom = s.rows_zoom = 1.0F;
}

void next_colours(ActionContext& c, int) {
  LaunchState& launch = c.state.of<LaunchState>();
  launch.coloured_by = next_tile_colours(launch, c.model.result);
}

// From where it stands, or from the launch's start.
void play(ActionContext& c, int) {
  LaunchState& launch = c.state.of<LaunchState>();
  launch.playing = !launch.playing && c.model.result.timeline;
}

void stop(ActionContext& c, int) {
  LaunchState& launch = c.state.of<LaunchState>();
  launch.playing = false;
  launch.played = -1.0F;
}

void keys(ActionTable& table) {
  table.group("Launch");
  table.key(letter('y'), "colour tiles by output, start order, duration or multiprocessor",
            next_colours);
  table.key(letter('p'), "play the launch back, or pause", play);
  table.key(letter('P'), "stop and show the whole launch", stop);
}

core::Steps needs(ViewStates&) {
  return {core::Step::timeline};
}

}  // namespace

std::vector<StateField> LaunchState::fields() {
  return {
      field("coloured_by", coloured_by, tile_colour_names())
          .with_flag("--colours", "",
                     "Colour tiles by output, start order, duration or multiprocessor (default: "
                     "output)"),
      field("played", played, -1.0, 1.0)
          .with_meaning("Grid and timeline: show this moment of the launch, from 0 (start) to 1 "
                        "(end); -1 = the whole launch")};
}

std::vector<StateField> TimelineState::fields() {
  return {field("time_x", centre.x, -4.0, 5.0)
              .with_meaning("Timeline view: centre of the shown part from left (0) to right (1)"),
          field("time_y", centre.y, -4.0, 5.0)
              .with_meaning("Timeline view: centre of the shown part from top (0) to bottom (1)"),
          field("time_zoom", zoom, 1.0, 1e7)
              .with_meaning("Timeline view: enlarge the time axis by this factor"),
          field("rows_zoom", rows_zoom, 1.0, 1e5)
              .with_meaning("Timeline view: enlarge the rows by this factor")};
}

CentreView timeline_row() {
  return {.name = "timeline",
          .answers = "When did each tile run, and where?",
          .manual = {.chapter = "Timeline"},
          .there = always,
          .draw = draw_timeline,
          .nothing = no_timeline,
          .needs = needs,
          .open =
              [](ViewStates& states) {
                states.of<TimelineState>();
                states.of<LaunchState>();
              },
          .moves = {.pan = pan, .zoom = zoom, .fit = fit},
          .keys = keys,
          .film = launch_film()};
}

}  // namespace ui

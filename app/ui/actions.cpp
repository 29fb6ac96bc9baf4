#include "ui/actions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/common.hpp>

#include "core/stream/stream.h"
#include "ui/edits.h"
#include "ui/views/tile/tile_colours.h"

namespace ui {
namespace {

using Context = ActionContext;

constexpr float kPan = 0.1F;    // of the view's width
constexpr float kTurn = 0.12F;  // radians
constexpr std::array kScales{0.5F, 0.75F, 1.0F, 1.25F, 1.5F, 2.0F, 2.5F, 3.0F, 4.0F};

bool shows(const Context& c, const char* view) {
  return current_view(c.state.view, c.model.result) == view;
}

bool shows_bodies(const Context& c) {
  return shows(c, "bodies");
}

bool shows_tile(const Context& c) {
  return shows(c, "tile");
}

bool shows_banks(const Context& c) {
  return current_view(c.state.view, c.model.result) == "banks";
}

void step_moment(Context& c, int by) {
  (shows_banks(c) ? c.state.instruction_steps : c.state.moment_steps) = by;
}

void step_phase(Context& c, int by) {
  (shows_banks(c) ? c.state.site_steps : c.state.phase_steps) = by;
}

// In the banks view, whose lanes share an instruction; in the tile view, what the colours tell.
void toggle_banks(Context& c) {
  core::View& v = c.state.view;
  if (shows_banks(c)) {
    const bool of_32 = v.lanes == "32" || (v.lanes.empty() && c.model.result.device.emulated());
    v.lanes = of_32 ? "subgroups" : "32";
    v.instruction = 0;
  } else {
    v.by_bank = !v.by_bank;
  }
}

bool shows_timeline(const Context& c) {
  return current_view(c.state.view, c.model.result) == "timeline";
}

void zoom(Context& c, float factor) {
  core::View& v = c.state.view;
  if (shows_timeline(c)) {
    v.time_zoom = std::clamp(v.time_zoom * factor, 1.0F, 1e5F);
    return;
  }
  if (shows_tile(c)) {
    v.cells_zoom = std::clamp(v.cells_zoom * factor, 0.5F, 256.0F);
  } else if (shows_bodies(c)) {
    v.distance = std::clamp(v.distance / factor, 0.2F, 50.0F);
  } else {
    v.zoom = std::clamp(v.zoom * factor, 0.5F, 4096.0F);
  }
}

void pan(Context& c, float x, float y) {
  core::View& v = c.state.view;
  if (shows(c, "compare")) {
    c.state.first_row += static_cast<int>(y);  // the view keeps it within its rows
  } else if (shows_timeline(c)) {
    const glm::vec2 step{kPan / v.time_zoom, kPan / v.rows_zoom};
    v.time_centre = glm::clamp(v.time_centre + glm::vec2(x, y) * step, 0.0F, 1.0F);
  } else if (shows_tile(c)) {
    v.cells_centre =
        glm::clamp(v.cells_centre + glm::vec2(x, y) * (kPan / v.cells_zoom), 0.0F, 1.0F);
  } else if (shows_bodies(c)) {
    v.yaw += kTurn * x;
    v.pitch = std::clamp(v.pitch + kTurn * y, -1.55F, 1.55F);
  } else {
    v.centre = glm::clamp(v.centre + glm::vec2(x, y) * (kPan / v.zoom), 0.0F, 1.0F);
  }
}

void fit_view(Context& c) {
  const core::View fresh;
  core::View& v = c.state.view;
  v.centre = fresh.centre;
  v.zoom = fresh.zoom;
  v.time_centre = fresh.time_centre;
  v.time_zoom = fresh.time_zoom;
  v.rows_zoom = fresh.rows_zoom;
  v.cells_centre = fresh.cells_centre;
  v.cells_zoom = fresh.cells_zoom;
  v.yaw = fresh.yaw;
  v.pitch = fresh.pitch;
  v.distance = fresh.distance;
}

void rescale(Context& c, int by) {
  const float now = c.state.view.scale;
  const auto at = std::ranges::lower_bound(kScales, now - 0.01F) - kScales.begin();
  const auto count = static_cast<std::ptrdiff_t>(kScales.size());
  c.state.view.scale = kScales[static_cast<std::size_t>(((at + by) % count + count) % count)];
}

void next_device(Context& c, int by) {
  const auto devices = c.model.devices;
  if (devices.empty()) {
    return;
  }
  const auto count = static_cast<int>(devices.size());
  const auto at = static_cast<int>(c.model.result.device.index);
  const int next = ((at + by) % count + count) % count;
  core::Experiment experiment = c.state.wanted;
  experiment.device = std::to_string(devices[static_cast<std::size_t>(next)].index);
  c.want(experiment);
}

// Measures them anew and shows it.
void compare(Context& c) {
  c.state.view.name = "compare";
  c.requests.compare = true;
}

void try_barriers(Context& c) {
  c.state.view.name = "barriers";
  c.requests.try_barriers = true;
}

// Starts it and shows it, or stops it.
void stream(Context& c) {
  const core::Result& result = c.model.result;
  const bool running = result.stream && !result.stream->over();
  if (!running && result.variant.workload != "matmul") {
    core::Experiment multiplication;
    multiplication.device = c.state.wanted.device;
    c.want(multiplication);
  }
  c.state.view.name = "stream";
  c.requests.stream = !running;
}

void next_view(Context& c, int by) {
  const auto names = views_of(c.model.result);
  const auto found = std::ranges::find(names, current_view(c.state.view, c.model.result));
  const auto count = static_cast<std::ptrdiff_t>(names.size());
  const auto next = ((found - names.begin() + by) % count + count) % count;
  c.state.view.name = names[static_cast<std::size_t>(next)];
}

// The pointed-at tile moves with Shift and the arrows; the first press points at the middle one.
void move_tile(Context& c, int x, int y) {
  const glm::ivec3 groups = c.model.result.tiles.groups();
  std::int64_t& tile = c.state.view.tile;
  const auto count = static_cast<std::int64_t>(c.model.result.tiles.group_count());
  glm::ivec2 at{groups.x / 2, groups.y / 2};
  if (tile >= 0 && tile < count) {
    const glm::ivec3 now = c.model.result.tiles.group_at(static_cast<std::uint64_t>(tile));
    at = glm::ivec2(now) + glm::ivec2(x, y);
  }
  at = glm::clamp(at, glm::ivec2(0), glm::ivec2(groups) - 1);
  tile = std::int64_t{at.y} * groups.x + at.x;
}

// Into the pointed-at tile, or the middle one; and back to the grid.
void open_tile(Context& c) {
  if (shows_tile(c)) {
    c.state.view.name = "grid";
    return;
  }
  if (c.state.view.tile < 0) {
    move_tile(c, 0, 0);
  }
  c.state.view.name = "tile";
}

void choose_nobody(Context& c) {
  core::View& v = c.state.view;
  if (shows_tile(c)) {
    v.invocation = core::View::kNobody;
    v.variable.clear();
    v.cell = -1;
  } else {
    v.tile = -1;
    c.choose_finding(-1);
  }
}

// From where it stands, or from the launch's start.
void play_launch(Context& c) {
  c.state.launch_playing = !c.state.launch_playing && c.model.result.timeline;
}

void stop_launch(Context& c) {
  c.state.launch_playing = false;
  c.state.view.played = -1.0F;
}

void faster(Context& c, float factor) {
  c.state.speed = std::clamp(c.state.speed * factor, 1.0F, 64.0F);
}

void toggle_barrier(Context& c, std::uint32_t k) {
  if (k <= barrier_count(c.model.result)) {
    c.state.barrier = k;
    c.want(toggled_barrier(c.state.wanted, k));
  }
}

void open_barrier_menu(Context& c) {
  if (const std::uint32_t count = barrier_count(c.model.result); count > 0) {
    c.state.barrier = c.state.barrier % count + 1;
    c.state.open_barrier_menu = true;
  }
}

void next_kind(Context& c, int by) {
  if (const std::uint32_t count = barrier_count(c.model.result); count > 0) {
    c.state.barrier = std::clamp(c.state.barrier, 1U, count);
    c.want(next_barrier_kind(c.state.wanted, c.state.barrier, by));
  }
}

void next_finding(Context& c, int by) {
  const auto& races = c.model.result.races;
  const auto count = races ? static_cast<std::int64_t>(races->findings.size()) : 0;
  if (count > 0) {
    const std::int64_t now = c.state.view.finding;
    const std::int64_t next = now < 0 ? (by > 0 ? 0 : count - 1) : now + by;
    c.choose_finding((next % count + count) % count);
  }
}

void escape(Context& c) {
  if (c.state.popup_open) {
    c.state.close_popup = true;
  } else if (c.state.help) {
    c.state.help = false;
  } else if (c.state.findings_over) {
    c.state.findings_over = false;
  } else if (c.model.result.error && c.state.hidden_error != c.model.result.error->message) {
    c.state.hidden_error = c.model.result.error->message;
  } else {
    c.requests.cancel = true;
  }
}

std::vector<KeyPress> digits() {
  std::vector<KeyPress> keys;
  for (char32_t digit = U'1'; digit <= U'9'; ++digit) {
    keys.push_back(letter(digit));
  }
  return keys;
}

constexpr KeyPress named(Key key, bool shift = false) {
  return {key, 0, shift};
}

const std::vector<Action>& table() {
  static const std::vector<Action> rows{
      {"variant-next",
       "Experiment",
       {named(Key::tab)},
       "next variant",
       [](Context& c) { c.want(next_variant(c.state.wanted, c.model.catalogue, 1)); }},
      {"variant-previous",
       "Experiment",
       {named(Key::tab, true)},
       "previous variant",
       [](Context& c) { c.want(next_variant(c.state.wanted, c.model.catalogue, -1)); }},
      {"workload-next",
       "Experiment",
       {letter('w')},
       "next workload",
       [](Context& c) { c.want(next_workload(c.state.wanted, c.model.catalogue, 1)); }},
      {"workload-previous",
       "Experiment",
       {letter('W')},
       "previous workload",
       [](Context& c) { c.want(next_workload(c.state.wanted, c.model.catalogue, -1)); }},
      {"tile-smaller",
       "Experiment",
       {letter('[')},
       "smaller tile",
       [](Context& c) { c.want(next_tile(c.state.wanted, c.model.catalogue, -1)); }},
      {"tile-larger",
       "Experiment",
       {letter(']')},
       "larger tile",
       [](Context& c) { c.want(next_tile(c.state.wanted, c.model.catalogue, 1)); }},
      {"size-halve",
       "Experiment",
       {letter(',')},
       "halve all sizes",
       [](Context& c) { c.want(scaled_size(c.state.wanted, c.model.catalogue, -1)); }},
      {"size-double",
       "Experiment",
       {letter('.')},
       "double all sizes",
       [](Context& c) { c.want(scaled_size(c.state.wanted, c.model.catalogue, 1)); }},
      {"size-edit",
       "Experiment",
       {letter('e')},
       "type a size (Tab: the next one, Enter: done)",
       [](Context& c) { c.state.edit_size = 0; }},
      {"device-next",
       "Experiment",
       {letter('d')},
       "next device",
       [](Context& c) { next_device(c, 1); }},
      {"device-previous",
       "Experiment",
       {letter('D')},
       "previous device",
       [](Context& c) { next_device(c, -1); }},

      {"pause",
       "Run",
       {named(Key::space)},
       "pause, go on",
       [](Context& c) { c.requests.paused = c.model.result.stage != core::Stage::paused; }},
      {"escape",
       "Run",
       {named(Key::escape)},
       "close what is open; then: cancel the launch",
       escape},
      {"restart",
       "Run",
       {letter('r')},
       "restart from the seeded inputs",
       [](Context& c) { c.requests.restart = true; }},

      {"compare",
       "Run",
       {letter('a')},
       "compare all variants: measure them anew, warmed up",
       compare},
      {"stream", "Run", {letter('S')}, "stream the multiplication over devices; stop that", stream},

      {"advice",
       "View",
       {letter('A')},
       "advice: where is tiling worth it",
       [](Context& c) { c.state.view.name = shows(c, "advice") ? "grid" : "advice"; }},
      {"barrier-trials", "Races", {letter('K')}, "try every barrier as every kind", try_barriers},

      {"view-next", "View", {letter('v')}, "next view", [](Context& c) { next_view(c, 1); }},
      {"view-previous",
       "View",
       {letter('V')},
       "previous view",
       [](Context& c) { next_view(c, -1); }},
      {"zoom-in",
       "View",
       {letter('+'), letter('=')},
       "zoom in",
       [](Context& c) { zoom(c, 1.25F); }},
      {"zoom-out", "View", {letter('-')}, "zoom out", [](Context& c) { zoom(c, 0.8F); }},
      {"zoom-fit", "View", {letter('0')}, "fit all of it", fit_view},
      {"pan-left",
       "View",
       {named(Key::left)},
       "pan or turn left",
       [](Context& c) { pan(c, -1, 0); }},
      {"pan-right",
       "View",
       {named(Key::right)},
       "pan or turn right",
       [](Context& c) { pan(c, 1, 0); }},
      {"pan-up", "View", {named(Key::up)}, "pan or turn up", [](Context& c) { pan(c, 0, -1); }},
      {"pan-down",
       "View",
       {named(Key::down)},
       "pan or turn down",
       [](Context& c) { pan(c, 0, 1); }},
      {"tile-left",
       "View",
       {named(Key::left, true)},
       "point at the tile to the left",
       [](Context& c) { move_tile(c, -1, 0); }},
      {"tile-right",
       "View",
       {named(Key::right, true)},
       "point at the tile to the right",
       [](Context& c) { move_tile(c, 1, 0); }},
      {"tile-up",
       "View",
       {named(Key::up, true)},
       "point at the tile above",
       [](Context& c) { move_tile(c, 0, -1); }},
      {"tile-down",
       "View",
       {named(Key::down, true)},
       "point at the tile below",
       [](Context& c) { move_tile(c, 0, 1); }},
      {"tile-none",
       "View",
       {letter('n')},
       "point at no tile; in a tile: at no invocation",
       choose_nobody},
      {"tile-open", "View", {named(Key::enter)}, "look into the tile, back to the grid", open_tile},

      {"moment-next",
       "Tile",
       {letter('l')},
       "a moment on; banks: an instruction; boxes: a tile",
       [](Context& c) { step_moment(c, 1); }},
      {"moment-previous",
       "Tile",
       {letter('j')},
       "a moment back",
       [](Context& c) { step_moment(c, -1); }},
      {"phase-next",
       "Tile",
       {letter('L')},
       "a phase on; banks: a site; boxes: a neighbour",
       [](Context& c) { step_phase(c, 1); }},
      {"phase-previous",
       "Tile",
       {letter('J')},
       "a phase back",
       [](Context& c) { step_phase(c, -1); }},
      {"phase-whole",
       "Tile",
       {letter('u')},
       "the phase as a whole, its first moment",
       [](Context& c) { c.state.view.moment = c.state.view.moment == 0 ? 1 : 0; }},
      {"play",
       "Tile",
       {letter('k')},
       "play, stop",
       [](Context& c) { c.state.playing = !c.state.playing; }},
      {"play-faster", "Tile", {letter('>')}, "faster", [](Context& c) { faster(c, 2.0F); }},
      {"play-slower", "Tile", {letter('<')}, "slower", [](Context& c) { faster(c, 0.5F); }},
      {"invocation-next",
       "Tile",
       {letter('i')},
       "next invocation",
       [](Context& c) { c.state.invocation_steps = 1; }},
      {"invocation-previous",
       "Tile",
       {letter('I')},
       "previous invocation",
       [](Context& c) { c.state.invocation_steps = -1; }},
      {"by-bank", "Tile", {letter('B')}, "cells by bank; banks: other lanes", toggle_banks},
      {"race-next",
       "Tile",
       {letter('x')},
       "next racing cell",
       [](Context& c) { c.state.race_steps = 1; }},
      {"race-previous",
       "Tile",
       {letter('X')},
       "previous racing cell",
       [](Context& c) { c.state.race_steps = -1; }},

      {"marks",
       "View",
       {letter('m')},
       "mark tiles with findings, or not",
       [](Context& c) { c.state.view.marks = !c.state.view.marks; }},
      {"idle",
       "View",
       {letter('O')},
       "show idle lanes of tiles over the edge, or not",
       [](Context& c) { c.state.view.idle = !c.state.view.idle; }},
      {"sections",
       "View",
       {letter('R')},
       "show whole tiles and what they leave over, or not",
       [](Context& c) { c.state.view.sections = !c.state.view.sections; }},

      {"colours",
       "Launch",
       {letter('y')},
       "tiles by output, start order, duration, multiprocessor",
       [](Context& c) {
         c.state.view.coloured_by = next_tile_colours(c.state.view, c.model.result);
       }},
      {"launch-play", "Launch", {letter('p')}, "play the launch back, hold", play_launch},
      {"launch-stop", "Launch", {letter('P')}, "stop: all of it again", stop_launch},

      {"finding-next",
       "Races",
       {letter('c')},
       "next finding: its tile and lines",
       [](Context& c) { next_finding(c, 1); }},
      {"finding-previous",
       "Races",
       {letter('C')},
       "previous finding",
       [](Context& c) { next_finding(c, -1); }},
      {"findings",
       "Races",
       {letter('o')},
       "list of findings over the view",
       [](Context& c) { c.state.findings_over = !c.state.findings_over; }},
      {"barrier-toggle", "Races", digits(), "that barrier off, back on",
       [](Context& c) { toggle_barrier(c, c.pressed.character - U'0'); }},
      {"barrier-menu", "Races", {letter('b')}, "menu of the next barrier", open_barrier_menu},
      {"barrier-kind",
       "Races",
       {letter('g')},
       "that barrier's next kind",
       [](Context& c) { next_kind(c, 1); }},
      {"barrier-kind-previous",
       "Races",
       {letter('G')},
       "its previous kind",
       [](Context& c) { next_kind(c, -1); }},

      {"source-up",
       "Source",
       {named(Key::page_up)},
       "scroll up",
       [](Context& c) { c.state.scroll_lines -= 8; }},
      {"source-down",
       "Source",
       {named(Key::page_down)},
       "scroll down",
       [](Context& c) { c.state.scroll_lines += 8; }},
      {"source-fold",
       "Source",
       {letter('f')},
       "fold, unfold the header",
       [](Context& c) { c.state.header_folded = !c.state.header_folded; }},

      {"scale-up", "Window", {letter('z')}, "larger interface", [](Context& c) { rescale(c, 1); }},
      {"scale-down",
       "Window",
       {letter('Z')},
       "smaller interface",
       [](Context& c) { rescale(c, -1); }},
      {"theme",
       "Window",
       {letter('t')},
       "light, dark",
       [](Context& c) { c.state.view.theme = c.state.view.theme == "dark" ? "light" : "dark"; }},
      {"chrome",
       "Window",
       {letter('h')},
       "hide all but the view, show it again",
       [](Context& c) { c.state.view.chrome = !c.state.view.chrome; }},
      {"save",
       "Window",
       {letter('s')},
       "save picture and scene",
       [](Context& c) { c.requests.save_picture = true; }},
      {"export",
       "Window",
       {letter('E')},
       "save the measurements as CSV and JSON",
       [](Context& c) { c.requests.save_measurements = true; }},
      {"help",
       "Window",
       {letter('?'), named(Key::f1)},
       "this list",
       [](Context& c) { c.state.help = !c.state.help; }},
      {"quit", "Window", {letter('q')}, "quit", [](Context& c) { c.requests.quit = true; }},
  };
  return rows;
}

}  // namespace

void ActionContext::want(const core::Experiment& experiment) {
  if (experiment == state.wanted) {
    return;
  }
  if (experiment.workload() != state.wanted.workload()) {
    if (state.view.name == "grid" || state.view.name == "bodies") {
      state.view.name.clear();
    }
    state.view.tile = -1;
  }
  if (experiment.variant != state.wanted.variant) {  // phases and arrays are the kernel's
    state.view.phase = state.view.moment = 0;
    state.view.invocation = core::View::kExample;
    state.view.variable.clear();
    state.view.cell = -1;
    state.view.site = state.view.instruction = 0;
    state.barrier = 0;
  }
  choose_finding(-1);
  state.wanted = experiment;
  requests.experiment = experiment;
}

void ActionContext::choose_finding(std::int64_t number) {
  const core::Result& result = model.result;
  const core::Finding* before = chosen_finding(state.view, result);
  state.view.finding = number;
  const core::Finding* now = chosen_finding(state.view, result);
  state.shown_finding = number;
  state.find_lines = state.find_entry = now != nullptr;
  const std::int64_t tile = now != nullptr ? tile_of_finding(*now, result) : -1;
  if (tile < 0) {
    const bool its_own = before != nullptr && state.view.tile == tile_of_finding(*before, result);
    state.view.tile = its_own ? -1 : state.view.tile;
    return;
  }
  state.view.tile = tile;
  state.find_tile = true;
  const auto views = views_of(result);
  if (std::ranges::find(views, "tile") != views.end()) {
    state.view.name = "tile";
  } else if (current_view(state.view, result) == "bodies") {
    state.view.name = "grid";
  }
}

std::span<const Action> actions() {
  return table();
}

const Action* action_for(const KeyPress& press) {
  const auto found = std::ranges::find_if(table(), [&press](const Action& action) {
    return std::ranges::find(action.keys, press) != action.keys.end();
  });
  return found == table().end() ? nullptr : &*found;
}

}  // namespace ui

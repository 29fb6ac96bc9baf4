#include "ui/actions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/common.hpp>

#include "ui/editor/editor.h"
#include "ui/edits.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/views.h"
#include "ui/widgets/step_buttons.h"

namespace ui {
namespace {

using Context = ActionContext;

constexpr std::array kScales{0.5F, 0.75F, 1.0F, 1.25F, 1.5F, 2.0F, 2.5F, 3.0F, 4.0F};

const Moves& moves(const Context& c) {
  return shown_view(c.state.view, c.model.result).moves;
}

// Does what the shown view does, if it does anything.
template <class... Values>
void move(Context& c, void (*Moves::*how)(Context&, Values...), Values... values) {
  if (auto* function = moves(c).*how; function != nullptr) {
    function(c, values...);
  }
}

void pan(Context& c, float x, float y) {
  move(c, &Moves::pan, glm::vec2(x, y));
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

void next_launch(Context& c, int by) {
  const auto grids = c.model.result.grids();
  if (grids.size() > 1) {
    const auto count = static_cast<std::ptrdiff_t>(grids.size());
    const auto now = std::ranges::find(grids, c.model.result.grid()) - grids.begin();
    c.show_launch(grids[static_cast<std::size_t>(((now + by) % count + count) % count)]);
  }
}

void next_view(Context& c, int by) {
  const auto names = views_of(c.model.result);
  const auto found = std::ranges::find(names, current_view(c.state.view, c.model.result));
  const auto count = static_cast<std::ptrdiff_t>(names.size());
  const auto next = ((found - names.begin() + by) % count + count) % count;
  c.state.view.name = names[static_cast<std::size_t>(next)];
}

void let_go(Context& c) {
  if (moves(c).let_go != nullptr) {
    return moves(c).let_go(c);
  }
  c.state.view.tile = -1;
  c.choose_finding(-1);
}

void faster(Context& c, float factor) {
  StepState& state = c.state.of<StepState>();
  state.speed = std::clamp(state.speed * factor, 1.0F, 64.0F);
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

// Those that work whatever is shown.
const std::vector<Action>& common() {
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
       {letter('M')},
       "type a size (Tab: the next one, Enter: done)",
       [](Context& c) { c.state.edit_size = 0; }},
      {"launch-next",
       "Experiment",
       {letter('}')},
       "show the next launch, of several",
       [](Context& c) { next_launch(c, 1); }},
      {"launch-previous",
       "Experiment",
       {letter('{')},
       "show the launch before",
       [](Context& c) { next_launch(c, -1); }},
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
       [](Context& c) { move(c, &Moves::zoom, 1.25F); }},
      {"zoom-out",
       "View",
       {letter('-')},
       "zoom out",
       [](Context& c) { move(c, &Moves::zoom, 0.8F); }},
      {"zoom-fit",
       "View",
       {letter('0')},
       "fit all of it",
       [](Context& c) { move(c, &Moves::fit); }},
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
       [](Context& c) { c.point_at_neighbour(-1, 0); }},
      {"tile-right",
       "View",
       {named(Key::right, true)},
       "point at the tile to the right",
       [](Context& c) { c.point_at_neighbour(1, 0); }},
      {"tile-up",
       "View",
       {named(Key::up, true)},
       "point at the tile above",
       [](Context& c) { c.point_at_neighbour(0, -1); }},
      {"tile-down",
       "View",
       {named(Key::down, true)},
       "point at the tile below",
       [](Context& c) { c.point_at_neighbour(0, 1); }},
      {"tile-none", "View", {letter('n')}, "point at no tile; in a tile: at no invocation", let_go},

      {"moment-next",
       "Tile",
       {letter('l')},
       "a moment on; banks: an instruction; boxes: a tile",
       [](Context& c) { move(c, &Moves::step, 1); }},
      {"moment-previous",
       "Tile",
       {letter('j')},
       "a moment back",
       [](Context& c) { move(c, &Moves::step, -1); }},
      {"phase-next",
       "Tile",
       {letter('L')},
       "a phase on; banks: a site; boxes: a neighbour",
       [](Context& c) { move(c, &Moves::leap, 1); }},
      {"phase-previous",
       "Tile",
       {letter('J')},
       "a phase back",
       [](Context& c) { move(c, &Moves::leap, -1); }},
      {"play",
       "Tile",
       {letter('k')},
       "play, stop",
       [](Context& c) { c.state.of<StepState>().playing = !c.state.of<StepState>().playing; }},
      {"play-faster", "Tile", {letter('>')}, "faster", [](Context& c) { faster(c, 2.0F); }},
      {"play-slower", "Tile", {letter('<')}, "slower", [](Context& c) { faster(c, 0.5F); }},
      {"by-bank",
       "Tile",
       {letter('B')},
       "cells by bank; banks: other lanes",
       [](Context& c) { move(c, &Moves::alternate); }},

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

      {"source-edit",
       "Source",
       {letter('e')},
       "edit the kernel (Esc: done)",
       [](Context& c) { c.state.of<Editor>().asked = true; }},
      {"source-find",
       "Source",
       {letter('/')},
       "find in the source",
       [](Context& c) { c.state.of<Editor>().asked = c.state.of<Editor>().asked_to_find = true; }},
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

      {"lesson-next",
       "Window",
       {letter('N')},
       "begin a lesson; its next step",
       [](Context& c) { c.state.of<LessonState>().steps = 1; }},
      {"lesson-back",
       "Window",
       {letter('H')},
       "the lesson's step before",
       [](Context& c) { c.state.of<LessonState>().steps = -1; }},
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

// Groups stay together, in the order of the first of each.
std::vector<Action> all_actions() {
  std::vector<Action> all = common();
  for (const CentreView& view : centre_views()) {
    const auto own = view.keys != nullptr ? view.keys() : std::span<const Action>();
    all.insert(all.end(), own.begin(), own.end());
  }
  static constexpr std::array<std::string_view, 8> kGroups{
      "Experiment", "Run", "View", "Tile", "Launch", "Races", "Source", "Window"};
  std::ranges::stable_sort(all, {}, [](const Action& action) {
    return std::ranges::find(kGroups, action.group) - kGroups.begin();
  });
  return all;
}

const std::vector<Action>& table() {
  static const std::vector<Action> rows = all_actions();
  return rows;
}

}  // namespace

void ActionContext::point_at_neighbour(int x, int y) {
  const core::TileMap& tiles = model.result.tiles;
  const glm::ivec3 groups = tiles.groups();
  std::int64_t& tile = state.view.tile;
  glm::ivec2 at{groups.x / 2, groups.y / 2};
  if (tile >= 0 && tile < static_cast<std::int64_t>(tiles.group_count())) {
    const glm::ivec3 now = tiles.group_at(static_cast<std::uint64_t>(tile));
    at = glm::ivec2(now) + glm::ivec2(x, y);
  }
  at = glm::clamp(at, glm::ivec2(0), glm::ivec2(groups) - 1);
  tile = std::int64_t{at.y} * groups.x + at.x;
}

void ActionContext::want(const core::Experiment& experiment) {
  if (experiment == state.wanted) {
    return;
  }
  if (experiment.workload() != state.wanted.workload()) {
    const auto& views = centre_views();
    const auto row = std::ranges::find(views, state.view.name, &CentreView::name);
    if (row != views.end() && row->overview) {
      state.view.name.clear();
    }
    state.view.tile = -1;
  }
  if (experiment.variant != state.wanted.variant) {
    state.view.launch = 0;
    state.views.forget_kernel();
    state.barrier = 0;
  }
  choose_finding(-1);
  state.wanted = experiment;
  requests.experiment = experiment;
}

void ActionContext::show_launch(std::size_t launch) {
  state.view.launch = launch;
  state.view.tile = -1;
  choose_finding(-1);
}

void ActionContext::choose_finding(std::int64_t number) {
  const core::Result& result = model.result;
  const core::Finding* before = chosen_finding(state.view, result);
  state.view.finding = number;
  const core::Finding* now = chosen_finding(state.view, result);
  state.shown_finding = number;
  state.find_lines = state.find_entry = now != nullptr;
  const std::int64_t tile = now != nullptr ? tile_of_finding(*now, result) : -1;
  if (now != nullptr) {
    state.view.launch = launch_of_finding(*now, result);
  }
  if (tile < 0) {
    const bool its_own = before != nullptr && state.view.tile == tile_of_finding(*before, result);
    state.view.tile = its_own ? -1 : state.view.tile;
    return;
  }
  state.view.tile = tile;
  state.find_tile = true;
  state.view.name = "tile";
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

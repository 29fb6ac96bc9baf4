#include "ui/actions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/common.hpp>

#include "ui/beside/beside.h"
#include "ui/copy.h"
#include "ui/editor/editor.h"
#include "ui/edits.h"
#include "ui/launch/launch_panel.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/open/open_state.h"
#include "ui/panels/findings_state.h"
#include "ui/panels/under_way.h"
#include "ui/presenter/presenter.h"
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

void rescale(Context& c, int by) {
  const float now = c.state.view.scale;
  const auto at = std::ranges::lower_bound(kScales, now - 0.01F) - kScales.begin();
  c.state.view.scale = kScales[cycled(at, by, kScales.size())];
}

void next_device(Context& c, int by) {
  const auto devices = c.model.devices;
  if (!devices.empty()) {
    core::Experiment experiment = c.state.wanted;
    const std::size_t next = cycled(c.model.result.device.index, by, devices.size());
    experiment.device = std::to_string(devices[next].index);
    c.want(experiment);
  }
}

void next_launch(Context& c, int by) {
  const auto grids = c.model.result.grids();
  if (grids.size() > 1) {
    const auto now = std::ranges::find(grids, c.model.result.grid()) - grids.begin();
    c.show_launch(grids[cycled(now, by, grids.size())]);
  }
}

void next_view(Context& c, int by) {
  const auto names = views_of(c.model.result);
  const auto found = std::ranges::find(names, current_view(c.state.view, c.model.result));
  c.state.view.name = names[cycled(found - names.begin(), by, names.size())];
}

void let_go(Context& c, int) {
  if (moves(c).let_go != nullptr) {
    return moves(c).let_go(c);
  }
  c.state.view.tile = -1;
  c.choose_finding(-1);
}

void toggle_barrier(Context& c, int number) {
  const auto k = static_cast<std::uint32_t>(number);
  if (k <= barrier_count(c.model.result)) {
    c.state.barrier = k;
    c.want(toggled_barrier(c.state.wanted, k));
  }
}

void open_barrier_menu(Context& c, int) {
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
  if (const auto& races = c.model.result.races; races && !races->findings.empty()) {
    const auto shown = shown_findings(c.state.of<FindingsState>(), *races);
    const auto chosen = std::ranges::find_if(shown, [&c](std::size_t i) {
      return static_cast<std::int64_t>(i) == c.state.view.finding;
    });
    const std::int64_t now = chosen != shown.end() ? chosen - shown.begin() : by > 0 ? -1 : 0;
    c.choose_finding(static_cast<std::int64_t>(shown[cycled(now, by, shown.size())]));
  }
}

void next_scene(Context& c, int by) {
  const SceneList& list = c.state.of<SceneList>();
  if (!list.scenes.empty()) {
    const auto last = static_cast<std::ptrdiff_t>(list.scenes.size()) - 1;
    const auto next =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(list.at) + by, 0, last);
    c.requests.open_scene = static_cast<std::size_t>(next);
  }
}

void escape(Context& c, int) {
  if (c.state.popup_open) {
    c.state.close_popup = true;
  } else if (c.state.help) {
    c.state.help = false;
  } else if (c.state.findings_over) {
    c.state.findings_over = false;
  } else if (c.model.result.error && c.state.hidden_error != c.model.result.error->message) {
    c.state.hidden_error = c.model.result.error->message;
  } else if (!c.state.told.empty()) {
    c.state.told.clear();
  } else if (may_be_given_up(c.model.result)) {
    c.requests.cancel = true;
  }
}

constexpr KeyPress named(Key key, bool shift = false) {
  return {key, 0, shift};
}

// Those that work whatever is shown.
void add_experiment(ActionTable& table) {
  table.group("Experiment");
  table.pair(
      named(Key::tab), named(Key::tab, true), "next or previous variant",
      [](Context& c, int by) { c.want(next_variant(c.state.wanted, c.model.catalogue, by)); });
  table.pair(letter('w'), letter('W'), "next or previous workload", [](Context& c, int by) {
    c.want(next_workload(c.state.wanted, c.model.catalogue, by));
  });
  table.pair(letter(']'), letter('['), "larger or smaller tile",
             [](Context& c, int by) { c.want(next_tile(c.state.wanted, c.model.catalogue, by)); });
  table.pair(letter('.'), letter(','), "double or halve all sizes", [](Context& c, int by) {
    c.want(scaled_size(c.state.wanted, c.model.catalogue, by));
  });
  table.key(letter('M'), "type a size (Tab: next size, Enter: done)",
            [](Context& c, int) { c.state.edit_size = 0; });
  table.pair(letter('}'), letter('{'), "next or previous launch of a launch sequence", next_launch);
  table.pair(letter('d'), letter('D'), "next or previous device", next_device);
}

void add_run(ActionTable& table) {
  table.group("Run");
  table.key(named(Key::space), "pause or continue", [](Context& c, int) {
    c.requests.paused = c.model.result.stage != core::Stage::paused;
  });
  table.key(named(Key::escape), "close the open dialog; if none is open, cancel a long operation",
            escape);
  table.key(letter('r'), "restart with the original inputs",
            [](Context& c, int) { c.requests.restart = true; });
}

void add_view(ActionTable& table) {
  table.group("View");
  table.pair(letter('v'), letter('V'), "next or previous view", next_view);
  table.keys({{letter('+')}, {letter('=')}, {letter('-'), -1}}, "zoom in or out",
             [](Context& c, int by) { move(c, &Moves::zoom, by > 0 ? 1.25F : 0.8F); });
  table.key(letter('0'), "fit everything into the view",
            [](Context& c, int) { move(c, &Moves::fit); });
  table.pair(named(Key::right), named(Key::left), "pan or turn right or left",
             [](Context& c, int by) { move(c, &Moves::pan, glm::vec2(by, 0)); });
  table.pair(named(Key::down), named(Key::up), "pan or tilt down or up",
             [](Context& c, int by) { move(c, &Moves::pan, glm::vec2(0, by)); });
  table.pair(named(Key::right, true), named(Key::left, true),
             "point at the next tile on the right or left",
             [](Context& c, int by) { c.point_at_neighbour(by, 0); });
  table.pair(named(Key::down, true), named(Key::up, true), "point at the next tile below or above",
             [](Context& c, int by) { c.point_at_neighbour(0, by); });
  table.key(letter('n'), "clear the selected tile; in the tile view: the selected invocation",
            let_go);
}

void add_tile(ActionTable& table) {
  table.group("Tile");
  table.pair(letter('l'), letter('j'),
             "next or previous moment; banks view: instruction; lavaMD: tile of particles",
             [](Context& c, int by) { move(c, &Moves::step, by); });
  table.pair(letter('L'), letter('J'),
             "next or previous phase; banks view: row; lavaMD: neighbour box",
             [](Context& c, int by) { move(c, &Moves::leap, by); });
  table.key(letter('k'), "play or stop", [](Context& c, int) {
    c.state.of<StepState>().playing = !c.state.of<StepState>().playing;
  });
  table.pair(letter('>'), letter('<'), "play faster or slower", [](Context& c, int by) {
    StepState& state = c.state.of<StepState>();
    state.speed = std::clamp(state.speed * (by > 0 ? 2.0F : 0.5F), 1.0F, 64.0F);
  });
  table.key(letter('B'), "colour cells by bank; banks view: change the grouping of lanes",
            [](Context& c, int) { move(c, &Moves::alternate); });
}

void add_races(ActionTable& table) {
  table.group("Races");
  table.pair(letter('c'), letter('C'), "next or previous finding: show its tile and lines",
             next_finding);
  table.key(letter('o'), "list the findings over the view",
            [](Context& c, int) { c.state.findings_over = !c.state.findings_over; });
  std::vector<Action::Bound> digits;
  for (int k = 1; k <= 9; ++k) {
    digits.push_back({letter(U'0' + static_cast<char32_t>(k)), k});
  }
  table.keys(std::move(digits), "switch the barrier with this number off or on", toggle_barrier);
  table.key(letter('b'), "open the menu of the next barrier", open_barrier_menu);
  table.pair(letter('g'), letter('G'), "next or previous kind of this barrier", next_kind);
}

void add_source(ActionTable& table) {
  table.group("Source");
  table.key(letter('F'), "edit the launch of a kernel file: sizes, members, buffers",
            [](Context& c, int) { c.state.of<LaunchPanel>().asked = true; });
  table.key(letter('e'), "edit the kernel (Esc: done)",
            [](Context& c, int) { c.state.of<Editor>().asked = true; });
  table.key(letter('/'), "find in the source", [](Context& c, int) {
    c.state.of<Editor>().asked = c.state.of<Editor>().asked_to_find = true;
  });
  table.pair(named(Key::page_down), named(Key::page_up), "scroll down or up",
             [](Context& c, int by) { c.state.scroll_lines += 8 * by; });
  table.key(letter('f'), "fold or unfold the header",
            [](Context& c, int) { c.state.header_folded = !c.state.header_folded; });
}

void add_window(ActionTable& table) {
  table.group("Window");
  table.pair(letter('N'), letter('H'), "begin a lesson; then: next or previous step",
             [](Context& c, int by) { c.state.of<LessonState>().steps = by; });
  table.pair(letter('z'), letter('Z'), "larger or smaller interface", rescale);
  table.key(letter('t'), "light or dark theme", [](Context& c, int) {
    c.state.view.theme = c.state.view.theme == "dark" ? "light" : "dark";
  });
  table.key(ctrl('o'), "open a file, folder, scene or kernel",
            [](Context& c, int) { c.state.of<OpenState>().show(); });
  table.pair({Key::page_down, 0, false, true}, {Key::page_up, 0, false, true},
             "next or previous scene of a folder", next_scene);
  table.key(letter('T'), "compare with another kernel, or with the original of an edited kernel",
            [](Context& c, int) { toggle_beside(c); });
  table.pair(letter('U'), letter('Q'), "compare with the next or previous kernel",
             [](Context& c, int by) { next_beside(c, by); });
  table.key(letter('h'), "hide or show everything except the view",
            [](Context& c, int) { c.state.view.chrome = !c.state.view.chrome; });
  table.key(ctrl('c'), "copy the view, ladder or finding under the pointer",
            [](Context& c, int) { copy_pointed(c); });
  table.key(ctrl('s'), "save the edited text, also while typing",
            [](Context&, int) {});  // App takes it before anything else has the keyboard
  table.key(letter('s'), "save the picture and the scene",
            [](Context& c, int) { c.requests.save_picture = true; });
  table.key(letter('E'), "save the measurements as CSV and JSON",
            [](Context& c, int) { c.requests.save_measurements = true; });
  table.key(letter('?'), "show or hide this list",
            [](Context& c, int) { c.state.help = !c.state.help; });
  table.key(named(Key::f1), "open the manual at the page of this view", [](Context& c, int) {
    c.state.of<ManualState>().asked = shown_view(c.state.view, c.model.result).manual;
  });
  table.key(named(Key::f1, true), "open the whole manual",
            [](Context& c, int) { c.state.of<ManualState>().asked = ManualPage(); });
  table.key(letter('q'), "quit", [](Context& c, int) { c.requests.quit = true; });
}

// Groups stay together.
std::vector<Action> all_actions() {
  ActionTable table;
  for (auto* add : {add_experiment, add_run, add_view, add_tile, add_races, add_source,
                    add_presenter_keys, add_window}) {
    add(table);
  }
  for (const CentreView& view : centre_views()) {
    if (view.keys != nullptr) {
      view.keys(table);
    }
  }
  static constexpr std::array<std::string_view, 9> kGroups{
      "Experiment", "Run", "View", "Tile", "Launch", "Races", "Source", "Presenter", "Window"};
  std::ranges::stable_sort(table.rows, {}, [](const Action& action) {
    return std::ranges::find(kGroups, action.group) - kGroups.begin();
  });
  return std::move(table.rows);
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
  const std::string before = state.wanted.workload();
  state.wanted = experiment;
  // Of a workload that one comes back to, the sizes that it was left at.
  if (experiment.workload() != before) {
    if (const auto known = state.sizes_before.find(experiment.workload());
        known != state.sizes_before.end() && experiment.size.empty()) {
      state.wanted.size = known->second;
    }
  }
  if (!state.wanted.workload().empty()) {
    state.sizes_before[state.wanted.workload()] = state.wanted.size;
  }
  requests.experiment = state.wanted;
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
  state.find_entry = state.find_race = now != nullptr;
  state.source_about.clear();  // it is shown again, even if it is the same
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
  static const std::vector<Action> rows = all_actions();
  return rows;
}

bool next_finding_of_tree(Context& c) {
  const KernelTree& tree = c.state.of<OpenState>().tree;
  if (tree.folder.empty()) {
    return false;
  }
  const auto& races = c.model.result.races;
  const auto shown =
      races ? shown_findings(c.state.of<FindingsState>(), *races) : std::vector<std::size_t>();
  const bool last =
      shown.empty() || static_cast<std::int64_t>(shown.back()) == c.state.view.finding;
  const std::string next =
      last ? next_found(tree, c.state.wanted.variant, 1) : c.state.wanted.variant;
  if (!next.empty() && next != c.state.wanted.variant) {
    c.requests.open = next;
  } else {
    next_finding(c, 1);
  }
  return true;
}

void act(ActionContext& context, const KeyPress& press) {
  for (const Action& action : actions()) {
    const auto found = std::ranges::find(action.keys, press, &Action::Bound::press);
    if (found != action.keys.end()) {
      return action.run(context, found->by);
    }
  }
}

}  // namespace ui

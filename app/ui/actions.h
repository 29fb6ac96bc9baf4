// Everything that a key does, in one table: the keyboard and the list that `?` shows both come from
// it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ui/keys.h"
#include "ui/model.h"

namespace ui {

/// The state that an action reads and changes.
struct ActionContext {
  const Model& model;
  State& state;
  Requests& requests;
  /// Asks for another experiment, unless it is the one that is wanted already.
  void want(const core::Experiment& experiment);
  /// Moves the pointed-at tile right and down; if there is none, points at the middle one.
  void point_at_neighbour(int x, int y);
  /// Shows a launch of a run of several, counted from 0. The pointed-at tile belongs to another
  /// one.
  void show_launch(std::size_t launch);
  /// Goes to the tile of a finding of the check; −1: back to none.
  void choose_finding(std::int64_t number);
};

/// One row of the table of keys. `run` gets the number of the key: 1 and −1 for keys that go
/// forward and back.
struct Action {
  struct Bound {
    KeyPress press;
    int by = 1;
  };
  using Run = void (*)(ActionContext& context, int by);
  std::string_view group;
  std::vector<Bound> keys;
  std::string_view description;
  Run run;
};

/// The table of keys while it is written, one group after the other.
class ActionTable {
 public:
  /// Begins a group: the following rows belong to it.
  void group(std::string_view name) { group_ = name; }
  void key(KeyPress press, std::string_view does, Action::Run run) { keys({{press}}, does, run); }
  void pair(KeyPress forth, KeyPress back, std::string_view does, Action::Run run) {
    keys({{forth, 1}, {back, -1}}, does, run);
  }
  void keys(std::vector<Action::Bound> bound, std::string_view does, Action::Run run) {
    rows.push_back({group_, std::move(bound), does, run});
  }
  std::vector<Action> rows;

 private:
  std::string_view group_;
};

/// All actions, group after group.
[[nodiscard]] std::span<const Action> actions();
/// Chooses the next finding of the kernel; after the last one, opens the next kernel of the tree
/// with findings. False if no tree is open.
bool next_finding_of_tree(ActionContext& context);
/// Does what the key does, if it does anything.
void act(ActionContext& context, const KeyPress& press);

}  // namespace ui

// Everything that a key does, in one table: the keyboard and the list that `?` shows both come from
// it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ui/keys.h"
#include "ui/model.h"

namespace ui {

/// What an action may read and change.
struct ActionContext {
  const Model& model;
  State& state;
  Requests& requests;
  KeyPress pressed{};  ///< what an action of several keys was called by
  /// Asks for another experiment, unless it is the one that is wanted already.
  void want(const core::Experiment& experiment);
  /// The pointed-at tile moves so many to the right and down; none yet: the middle one is it.
  void point_at_neighbour(int x, int y);
  /// Goes to the tile of a finding of the check; −1: back to none.
  /// Of a run of several launches, from 0; whatever was pointed at belongs to another.
  void show_launch(std::size_t launch);
  void choose_finding(std::int64_t number);
};

struct Action {
  std::string_view id;
  std::string_view group;
  std::vector<KeyPress> keys;  ///< any of them
  std::string_view description;
  void (*run)(ActionContext&);
};

/// All actions, group after group.
[[nodiscard]] std::span<const Action> actions();
/// Null when the key does nothing.
[[nodiscard]] const Action* action_for(const KeyPress& press);

}  // namespace ui

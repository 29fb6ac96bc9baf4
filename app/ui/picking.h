// A place in a view that is asked for by a click: the view under the mouse hands it over instead of
// doing what a click does there otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/lessons/lesson.h"
#include "ui/view_state.h"

namespace ui {

struct Picking final : ViewState {
  std::optional<core::ClickedOn> wanted;  ///< nothing: clicks do what they do
  std::optional<std::uint64_t> got;       ///< as core::lesson_places() counts
  std::string told;  ///< the fact whose places are shown, for it was asked; empty: none
  std::optional<std::uint64_t> said;  ///< the place that was answered with

  void forget() {
    wanted.reset();
    got = said = std::nullopt;
    told.clear();
  }
  /// Takes it where it is wanted. True: views have nothing more to do with the click.
  bool take(core::ClickedOn::What what, const std::string& array, std::uint64_t place) {
    if (!wanted) {
      return false;
    }
    const bool same = what != core::ClickedOn::What::cells || wanted->array == array;
    if (wanted->what == what && same) {
      got = place;
    }
    return true;
  }
};

}  // namespace ui

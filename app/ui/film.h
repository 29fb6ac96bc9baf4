// Pictures that move: what a view shows frame by frame. Whoever draws them has all the time of the
// world, and no clock is asked.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/work/result.h"
#include "core/work/step.h"
#include "ui/view_state.h"

namespace ui {

/// A frame: what is changed before it is drawn, and for how long it is seen.
struct Still {
  double seconds = 0.1;
  std::function<void(ViewStates& states, core::Result& result)> set;
};

/// What a film is made of.
struct FilmOf {
  const core::Result& result;
  std::size_t most = 1;  ///< frames
  /// Of a chained run: the bodies at moments that are as far apart, the start first.
  std::span<const std::shared_ptr<const core::Bodies>> moments;
};

/// A view's film; a row of the views has it (ui/views.h).
struct Film {
  const char* name = nullptr;  ///< "phases"; null: the view has none
  core::Steps needs;           ///< beside what the view needs
  std::vector<Still> (*stills)(const FilmOf& of) = nullptr;
};

/// The names of all films.
[[nodiscard]] std::vector<std::string> films();
/// The view that shows that film: `wanted` where it does, else the first that does; empty: none.
[[nodiscard]] std::string view_of_film(const std::string& film, const std::string& wanted);
/// The film of that view.
[[nodiscard]] Film film_of(const std::string& view);

[[nodiscard]] Film phases_film();
[[nodiscard]] Film launch_film();
[[nodiscard]] Film steps_film();

}  // namespace ui

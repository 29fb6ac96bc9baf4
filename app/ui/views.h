// What the centre can show: one row a view. A view is a folder in views/ and a row here: its
// function that draws, what it needs of a Result, its state, and what keys do in it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/work/step.h"
#include "core/work/view_settings.h"
#include "ui/actions.h"
#include "ui/film.h"
#include "ui/manual.h"
#include "ui/panels/panels.h"

namespace ui {

/// What the keys that all views share do in one; null: nothing.
struct Moves {
  void (*pan)(ActionContext& context, glm::vec2 by) = nullptr;   ///< arrows, a step each
  void (*zoom)(ActionContext& context, float factor) = nullptr;  ///< + and -
  void (*fit)(ActionContext& context) = nullptr;                 ///< 0
  void (*step)(ActionContext& context, int by) = nullptr;        ///< l and j: the next smallest
  void (*leap)(ActionContext& context, int by) = nullptr;        ///< L and J: the next larger
  void (*let_go)(ActionContext& context) = nullptr;              ///< n: of what is chosen in it
  void (*alternate)(ActionContext& context) = nullptr;           ///< B: its other reading
};

struct CentreView {
  const char* name;
  const char* answers;                        ///< the question, for who chooses one
  ManualPage manual;                          ///< that tells of it
  bool (*there)(const core::Result& result);  ///< the result is of a kind that has this view
  void (*draw)(const Frame& frame, const Canvas& canvas, const Rect& area);
  /// What will be seen here and when, in a sentence, for as long as there is nothing to draw; empty
  /// when there is, which is when `draw` is called. Null: there always is.
  std::string (*nothing)(const Frame& frame) = nullptr;
  bool overview = false;  ///< all of a launch: another workload may have a better one of its own
  core::Steps (*needs)(ViewStates& states) = nullptr;  ///< beside the launch; null: nothing
  void (*open)(ViewStates& states) = nullptr;          ///< makes its states; null: it has none
  Moves moves;
  void (*keys)(ActionTable& table) = nullptr;  ///< of its own, which work from every view
  Film film;                                   ///< how it is shown moving
};

/// In the order of the switch; the first that is there is a workload's own.
[[nodiscard]] std::span<const CentreView> centre_views();
/// The row of the view that is shown.
[[nodiscard]] const CentreView& shown_view(const core::View& view, const core::Result& result);
[[nodiscard]] bool always(const core::Result& result);

/// Makes the states of all views.
void open_states(ViewStates& states);

/// Where the names of the views stand in the corner of the view, or the menu of them where they
/// don't fit: whatever else stands at the top makes way. Empty when there is no choice.
[[nodiscard]] Rect switch_area(const Frame& frame, const Canvas& canvas, const Rect& view);

// The rows, each in its folder.
[[nodiscard]] CentreView advice_row();
[[nodiscard]] CentreView banks_row();
[[nodiscard]] CentreView barriers_row();
[[nodiscard]] CentreView bodies_row();
[[nodiscard]] CentreView compare_row();
[[nodiscard]] CentreView extents_row();
[[nodiscard]] CentreView grid_row();
[[nodiscard]] CentreView lattice_row();
[[nodiscard]] CentreView occupancy_row();
[[nodiscard]] CentreView roofline_row();
[[nodiscard]] CentreView stream_row();
[[nodiscard]] CentreView tile_row();
[[nodiscard]] CentreView timeline_row();
[[nodiscard]] CentreView values_row();

}  // namespace ui

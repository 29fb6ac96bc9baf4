// What tiles are coloured by, in the grid and in the Gantt alike: `y` goes from one to the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/report/timeline.h"
#include "core/work/result.h"
#include "ui/canvas/theme.h"
#include "ui/views/timeline/launch_state.h"
#include "ui/widgets/legend.h"

namespace ui {

enum class TileColours { output, start_order, duration, multiprocessor };

/// The names that scenes have for them, in the order of TileColours.
[[nodiscard]] const std::vector<std::string>& tile_colour_names();
/// The reader's choice; output where the timeline can't tell it, or there is none.
[[nodiscard]] TileColours tile_colours(const LaunchState& launch, const core::Result& result);
/// The next choice that the result's timeline can tell.
[[nodiscard]] std::string next_tile_colours(const LaunchState& launch, const core::Result& result);

/// A quantity of tiles on viridis, instrumented.
class TileScale {
 public:
  /// `by` is not output: that is the grid's own.
  TileScale(const core::Timeline& timeline, TileColours by);

  [[nodiscard]] Colour colour(std::uint32_t tile) const;
  /// For its colour bar.
  [[nodiscard]] ColourScale words() const;
  std::string name;  ///< "duration"
  std::string unit;
  double low = 0.0;
  double high = 0.0;

 private:
  [[nodiscard]] double value(std::uint32_t tile) const;
  const core::Timeline& timeline_;
  TileColours by_;
};

}  // namespace ui

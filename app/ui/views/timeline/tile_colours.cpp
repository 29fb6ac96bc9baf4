#include "ui/views/timeline/tile_colours.h"

#include <algorithm>
#include <cstddef>

#include "ui/canvas/format.h"
#include "ui/widgets/heat_map.h"

namespace ui {
namespace {

bool can_tell(const core::Result& result, TileColours by) {
  if (by == TileColours::output) {
    return true;
  }
  const core::Timeline* t = result.timeline.get();
  return t != nullptr && t->tiles.size() == result.tiles.group_count() &&
         (by != TileColours::multiprocessor || t->tells_multiprocessor);
}

TileColours named(const std::string& name) {
  const auto& names = tile_colour_names();
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? TileColours::output
                              : static_cast<TileColours>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& tile_colour_names() {
  static const std::vector<std::string> names{"output", "start order", "duration",
                                              "multiprocessor"};
  return names;
}

TileColours tile_colours(const LaunchState& launch, const core::Result& result) {
  const TileColours wanted = named(launch.coloured_by);
  return can_tell(result, wanted) ? wanted : TileColours::output;
}

std::string next_tile_colours(const LaunchState& launch, const core::Result& result) {
  const auto& names = tile_colour_names();
  auto next = static_cast<std::size_t>(tile_colours(launch, result));
  do {
    next = (next + 1) % names.size();
  } while (!can_tell(result, static_cast<TileColours>(next)));
  return names[next];
}

TileScale::TileScale(const core::Timeline& timeline, TileColours by)
    : timeline_(timeline), by_(by) {
  name = tile_colour_names()[static_cast<std::size_t>(by)];
  switch (by) {
    case TileColours::duration:
      unit = "ms";
      low = timeline.figures.duration_ms.low;
      high = timeline.figures.duration_ms.high;
      break;
    case TileColours::multiprocessor:
      high = static_cast<double>(std::max<std::size_t>(timeline.lanes.rows(), 1) - 1);
      break;
    case TileColours::output:
    case TileColours::start_order:
      high = static_cast<double>(std::max<std::size_t>(timeline.tiles.size(), 1) - 1);
      unit = "tiles started before";
      break;
  }
}

double TileScale::value(std::uint32_t tile) const {
  switch (by_) {
    case TileColours::duration:
      return timeline_.duration_ms(tile);
    case TileColours::multiprocessor:
      return timeline_.tiles[tile].multiprocessor;
    case TileColours::output:
    case TileColours::start_order:
      break;
  }
  return timeline_.order[tile];
}

ColourScale TileScale::words() const {
  const auto text = [this](double end) {
    return by_ == TileColours::duration ? tick_text(end)
                                        : count_text(static_cast<std::uint64_t>(end));
  };
  return {name, text(low), text(high), unit};
}

Colour TileScale::colour(std::uint32_t tile) const {
  const double range = high - low;
  const double place = range > 0.0 ? (value(tile) - low) / range : 0.5;
  static const std::vector<Colour> shades = paint_colour_bar().rgba;
  const auto last = static_cast<double>(shades.size() - 1);
  return shades[static_cast<std::size_t>(std::clamp(place, 0.0, 1.0) * last + 0.5)];
}

}  // namespace ui

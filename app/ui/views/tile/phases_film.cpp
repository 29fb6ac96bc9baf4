// The phases of a tile, one after the other: moments of each, then all of it.
#include <algorithm>

#include "ui/film.h"
#include "ui/views/tile/tile_state.h"
#include "ui/views/tile/trace_story.h"

namespace ui {
namespace {

constexpr double kMoment = 0.25;  // seconds that are seen
constexpr double kWhole = 0.8;
constexpr std::size_t kMostMoments = 8;  // of a phase

Still still(std::size_t phase, std::uint32_t moment) {
  return {moment == 0 ? kWhole : kMoment, [phase, moment](ViewStates& states, core::Result&) {
            auto& tile = states.of<TileState>();
            tile.phase = static_cast<std::uint32_t>(phase) + 1;
            tile.moment = moment;
          }};
}

// Of more phases than frames the first are shown: turns of a loop are alike.
std::vector<Still> stills(const FilmOf& of) {
  std::vector<Still> all;
  if (!of.result.trace) {
    return all;
  }
  TraceStory story(of.result.trace);
  const std::size_t phases = std::min(story.phases().size(), of.most);
  const std::size_t each =
      phases == 0 ? 0 : std::clamp<std::size_t>(of.most / phases, 1, kMostMoments + 1);
  for (std::size_t p = 0; p < phases; ++p) {
    const std::uint32_t count = story.moments(p);
    const std::size_t shown = std::min<std::size_t>(each - 1, count);
    for (std::size_t i = 1; i <= shown; ++i) {
      all.push_back(still(p, static_cast<std::uint32_t>(i * count / shown)));
    }
    all.push_back(still(p, 0));
  }
  return all;
}

}  // namespace

Film phases_film() {
  return {.name = "phases", .needs = {core::Step::trace}, .stills = stills};
}

}  // namespace ui
